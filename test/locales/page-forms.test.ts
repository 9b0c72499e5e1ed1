import { expect, it } from 'vitest'
import { vocabularies } from '../../src/adapters/web/page/language.ts'

it.each(['en', 'zh'] as const)(
  'needs no options of commands in forms, hints and things to try: %s (C522)',
  (language) => {
    const { examples, todos, memory, composer } = vocabularies[language]
    expect(JSON.stringify([examples, todos, memory, composer])).not.toContain(' --')
  },
)
