import { expect, it } from 'vitest'
import { texts } from '../../src/locales/texts.ts'

const { core, coding, slack, discord, schedule, todo, memory } = texts('en')
/** R106: titles of the record, which people read without their beginning (C449). */
const { titleSucceeded, titleFailed, titleCanceled, titleQuestion, ...said } = core
/** Words that people write, the report that a command asks for, and names of settings. */
const { openers, thanksWords, resumeWords, strategyWords, ...written } = said

const ticketWords =
  /\btasks?\b|\b(?:current(?:ly)?|cancel(?:l?ed)|completed|(?:Error|Decision|Result|Action):)/i

function sentences(part: unknown, path = ''): [string, string][] {
  if (typeof part === 'string') return [[path, part.replaceAll(/`[^`]*`/g, '')]]
  // Of one that takes values its source, without commands and names of values.
  if (typeof part === 'function')
    return [
      [
        path,
        String(part).replaceAll(/\\`[^`]*\\`|\.\w+|\w+:/g, (code) =>
          /^[A-Z]/.test(code) ? code : '',
        ),
      ],
    ]
  return Object.entries(part ?? {}).flatMap(([name, one]) => sentences(one, `${path}.${name}`))
}

it('speaks in threads as a colleague does, not as a ticket system (C449)', () => {
  const shown = sentences({ ...written, coding, slack, discord, schedule, todo, memory })
  expect(shown.filter(([, text]) => ticketWords.test(text))).toEqual([])
})
