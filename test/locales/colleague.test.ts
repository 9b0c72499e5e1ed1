import { expect, it } from 'vitest'
import { type Texts, texts } from '../../src/locales/texts.ts'
import { page } from '../../src/locales/zh/page.ts'

const english = texts('en')
const { core, coding, slack, discord, schedule, todo, memory } = english
/** R106: titles of the record, which people read without their beginning (C449). */
const { titleSucceeded, titleFailed, titleGivenUp, titleCanceled, titleQuestion, ...said } = core
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

/** What is said in threads, without lists of words and what stands on forms and in usage lines. */
function inThreads({
  core,
  coding,
  commands,
  help,
  strategy,
  task,
  slack,
  discord,
  ...rest
}: Texts) {
  const { fetch, search, reading, files, library, summary, schedule, todo, memory, privacy } = rest
  const { openers, thanksWords, resumeWords, strategyWords, ...said } = core
  const commandsSay = {
    errors: commands.errors,
    help,
    strategy,
    task,
    schedule,
    todo,
    memory,
    privacy,
  }
  const toolsSay = { fetch, search, reading, files, library, summary }
  return sentences({ said, coding, slack, discord, ...commandsSay, ...toolsSay })
}

it.each([
  ['names an admin by one name', /\boperators?\b|people who run|who runs me|somebody of/i],
  ['says what it cannot do as it is', /\bmay not\b|\bthan I may\b|as it may\b/],
  [
    'promises what it will do',
    /(?<!When |Shall |May )\bI (?:take|pass|ask|use|stop|pause|answer|work)\b/,
  ],
  ['contracts as people do', /\b(?:cannot|could not|did not|do not|I am|I will|has not)\b/],
  ['says who did it', /\bcould not be\b|\bwas done by\b|\bare worked on\b|\bis done again\b/],
  ['calls nobody work', /\bwork (?:that nobody|of the kind|may)\b|unasked|gentle reminder/i],
])('%s (C449)', (_, wrong) => {
  expect(inThreads(english).filter(([, text]) => wrong.test(text))).toEqual([])
})

const stiff = /提到我|无人看管|重新进行|改动东西|将要执行的调用|运行 Clew 的人/

it.each([
  ['full-width marks between Chinese words', /\p{Script=Han}[,;:!?](?=\p{Script=Han})/u],
  [
    'blanks around names',
    /(?!个)\p{Script=Han}\$\{(?:name|owner|by)\}|\$\{(?:name|owner)\}\p{Script=Han}/u,
  ],
  ['a word for a mention, a task and a change', stiff],
  ['two marks where something is left out', /(?<![… ])…(?!…)/],
])('has %s in Chinese (C449)', (_, wrong) => {
  expect(inThreads(texts('zh')).filter(([, text]) => wrong.test(text))).toEqual([])
})

it('has the words of threads on the page too, in Chinese (C449)', () => {
  expect(sentences(page).filter(([, text]) => stiff.test(text))).toEqual([])
})
