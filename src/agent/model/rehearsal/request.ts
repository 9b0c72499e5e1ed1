import { languageOf } from '../../../locales/texts.ts'
import { plainGoal } from '../../schedules/nothing-to-report.ts'
import { english } from './en.ts'
import type { Language, Question, Rule, Scenario } from './language.ts'
import { chinese } from './zh.ts'

/** Tool call with its name in a plan. */
export interface Call {
  readonly text: string
  readonly tool: 'todo' | 'schedule'
  readonly input: string
}

/** Work that rehearsal reads in a request. */
export interface Request {
  readonly language: Language
  /** Asked after the first call. */
  readonly question: Question | null
  /** The calls in order; `about` stands behind what depends on the answer. */
  calls(about: string): Call[]
}

/** No request of a rehearsal is longer, and longer texts are not read at all. */
const requestMost = 400
/** To-dos of one request; more than that would not fit into a task's steps. */
const namesMost = 3
/** A whole request fits, so that no to-do of it is cut. */
const noteMost = 400

/** A task or message as one of the scenarios; null when it is none. */
export function readRequest(goal: string, locale: string): Request | null {
  const text = readable(goal)
  const spoken = languageIn(goal, locale)
  const other = spoken === english ? chinese : english
  for (const language of [spoken, other]) {
    const request = scheduling(language, text) ?? readNow(language, text)
    if (request !== null) return request
  }
  return null
}

function readNow(language: Language, text: string): Request | null {
  const said = text.toLowerCase().replaceAll('*', '')
  const names = language.addTodos.exec(text)?.[1]
  if (names !== undefined) return adding(language, names)
  const scenario = language.scenarios.find((rule) => holds(said, rule))
  if (scenario !== undefined) return noting(language, scenario)
  return holds(said, language.showTodos) ? showing(language, said) : null
}

/**
 * Null unless it can be done at its time: people are reminded, or it is played at once, too. A
 * question is none.
 */
function scheduling(language: Language, text: string): Request | null {
  const said = text.toLowerCase()
  const rest = said.replace(language.rule, '')
  const hasRule = rest !== said
  const isNote = language.reminds.test(rest) && (hasRule || language.times.test(said))
  const isPlayed = isNote || (hasRule && readNow(language, rest) !== null)
  if (!isPlayed || /[?？]$/.test(said)) return null
  const input = `add ${text}${isNote ? ' --note' : ''}`
  return asking(language, [{ text: language.words.schedule(text), tool: 'schedule', input }])
}

function adding(language: Language, list: string): Request | null {
  const names = [...new Set(namesIn(list, language.separators))]
  const notes = [...names.slice(0, namesMost - 1), names.slice(namesMost - 1).join(', ')].filter(
    (note) => note !== '',
  )
  const calls = notes.map((note) => noteCall(language, note))
  return calls.length === 0 ? null : asking(language, calls)
}

const quotes = /[“"「]([^“”"「」]+)[”"」]/g

/**
 * `“a, b” and “c”` are two names; where not all of them are quoted, the separators count
 * everywhere.
 */
function namesIn(list: string, separators: RegExp): string[] {
  const isQuoted = list.replace(quotes, '').split(separators).join('').trim() === ''
  const parts = isQuoted
    ? Array.from(list.matchAll(quotes), ([, name = '']) => name)
    : list.split(separators)
  return parts
    .map((part) => part.replace(quotes, '$1').trim())
    .filter((name) => /[\p{L}\p{N}]/u.test(name))
}

function showing(language: Language, said: string): Request {
  const view = Object.entries(language.views).find(([word]) => said.includes(word))?.[1] ?? 'all'
  return asking(language, [
    { text: language.words.show(view), tool: 'todo', input: `list --view ${view}` },
  ])
}

const asking = (language: Language, calls: Call[]): Request => ({
  language,
  question: null,
  calls: () => calls,
})

function noting(language: Language, { tag, notes, question }: Scenario): Request {
  const look: Call = { text: language.words.look(tag), tool: 'todo', input: `list --tag ${tag}` }
  return {
    language,
    question,
    calls: (about) => [look, ...notes.map((note) => noteCall(language, note + about, tag))],
  }
}

/**
 * Returns the call that adds a to-do. The text is quoted, so that nothing in it is read as an
 * option.
 */
export function noteCall({ words }: Language, text: string, tag: string | null = null): Call {
  const note = oneLine(text, noteMost)
  const quoted = `"${note.replace(/["\\]/g, '\\$&')}"`
  return {
    text: words.put(note),
    tool: 'todo',
    input: `add ${quoted}${tag === null ? '' : ` --tag ${tag}`}`,
  }
}

/**
 * Answers a message that is no task: with the manual, a greeting, or the note that it needs a
 * model.
 */
export function answerTo(message: string, locale: string): string {
  const said = readable(message).toLowerCase()
  const { connects, manual, greetings, words } = languageIn(message, locale)
  if (holds(said, connects)) {
    if (said.includes('slack')) return manual.slack
    return said.includes('discord') ? manual.discord : manual.model
  }
  return greetings.includes(said.replace(/[.,!?。，！？]/g, '')) ? words.hello : words.needsModel
}

/**
 * Chinese or English by the letters of the text's beginning; a text without any is in the person's
 * language.
 */
export function languageIn(text: string, locale: string): Language {
  const start = text.slice(0, requestMost)
  if (/\p{Script=Han}/u.test(start)) return chinese
  return /\p{Script=Latin}/u.test(start) || languageOf(locale) === 'en' ? english : chinese
}

const courtesies =
  /^(?:(?:please|can you|could you|we should|clew),? |clew，|请问|请|麻烦你?|帮我)+/iu

/** Without courtesies; empty when it is too long to be one of the scenarios. */
export function readable(text: string): string {
  const said = plainGoal(text)
  return said.length > requestMost ? '' : oneLine(said, requestMost).replace(courtesies, '')
}

export const holds = (said: string, { has, only }: Rule): boolean =>
  has.every((pattern) => pattern.test(said)) &&
  (only === undefined || !/\p{L}/u.test(said.replace(only, '')))

/** The beginning of a text, without line breaks. */
export function oneLine(text: string, most: number): string {
  const flat = text
    .slice(0, most + 1)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).toWellFormed()}…`
}
