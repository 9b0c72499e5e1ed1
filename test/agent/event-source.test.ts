import { describe, expect, it } from 'vitest'
import { sourceNamed, sourceParts } from '../../src/agent/domain/event-source.ts'

describe('the name of a source (C780)', () => {
  const usable = ['github', 'channel', 'reaction:', 'bot:', 'folder:team docs']
  it.each([
    ['GitHub', 'github'],
    ['channel', 'channel'],
    ['reaction:📌', 'reaction:📌'],
    ['reaction::pushpin:', 'reaction:pushpin'],
    ['reaction::+1::skin-tone-3:', 'reaction:+1'],
    ['reaction:👍🏽', 'reaction:👍'],
    ['reaction:❤️', 'reaction:❤'],
    ['reaction:<:Party:123456>', 'reaction:party'],
    ['bot:@Sentry Alerts', 'bot:sentry alerts'],
    ['bot:A012', 'bot:a012'],
    ['folder:Team Docs', 'folder:team docs'],
  ])('%s is %s', (typed, source) => {
    expect(sourceNamed(typed, usable)).toBe(source)
  })

  it.each(['reaction:', 'bot:', 'bot', 'folder:other', 'gitlab', 'channel:x', ''])(
    '%s is none',
    (typed) => {
      expect(sourceNamed(typed, usable)).toBeUndefined()
    },
  )

  it('is usable only where the place offers it', () => {
    expect(sourceNamed('reaction:📌', ['github'])).toBeUndefined()
    expect(sourceNamed('channel', ['github'])).toBeUndefined()
  })

  it('says what it is about', () => {
    expect(sourceParts('bot:a:b')).toEqual({ kind: 'bot', name: 'a:b' })
    expect(sourceParts('github')).toEqual({ kind: 'hook', name: 'github' })
  })
})
