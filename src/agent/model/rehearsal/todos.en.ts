import { clauseOf, plain, verbOf } from './clause.en.ts'
import { date } from './lexicon.en.ts'
import type { Clause } from './request.ts'
import { capitalised, trimEnd } from './text.ts'

/** What a sentence wants of the to-do list; `rest` is what else it says. */
export interface TodoReading {
  clauses: Clause[]
  rest: string
}

const todoWord = "(?:to-?\\s?dos?(?:[’']s)?(?:[- ](?:list|items?))?|todo items?|task list|tasks?|reminders?)"
const onList = `(?:as\\s+(?:an?\\s+)?${todoWord}|(?:to|on|onto|in|into|down (?:on|in))\\s+(?:(?:my|the|our|a|your)\\s+)?(?:${todoWord}|(?:\\p{L}+\\s+)?list))`

const addTo = new RegExp(
  `^(?:add|put|write|note|jot|save|get|place)(?:\\s+down)?:?\\s+(.+?)\\s+${onList}(?![\\p{L}’'])(.*)$`,
  'iu',
)
const addToFirst = new RegExp(`^(?:add|put|write|note)\\s+${onList}\\s*:\\s*(.+)$`, 'iu')
const addNew = new RegExp(
  `^(?:write down|note down|jot down|note|add|create|make|set|record|set up|prepare|write)\\s+(?:(?:me|us|a|an|one|two|three|four|five|six|seven|\\d+|some|the|these|those|following|new|my|our|few)\\s+)*${todoWord}(?![\\p{L}’'])(.*)$`,
  'iu',
)
const turnInto = new RegExp(
  `^(?:turn|make|convert|split)\\s+.+?\\s+(?:in)?to\\s+(?:\\S+\\s+){0,3}?${todoWord}\\s*:\\s*(.+)$`,
  'iu',
)
const remind =
  /^(?:remind (?:me|us)|set (?:me )?a reminder|don['’]t let (?:me|us) forget|remember|don['’]t forget)\b\s*(.*)$/iu
const jot =
  /^(?:note(?=\s*:|\s+that\b)(?:\s+that)?|write down|note down|jot down|make a note(?: of| that)?|take a note(?: of| that)?)\s*:?\s+(.+)$/iu

/** Null when the sentence is about something else. */
export function readTodos(sentence: string): TodoReading | null {
  const plainly = trimEnd(plain(sentence).replace(/\?+$/, ''))
  return existing(plainly) ?? added(plainly) ?? reminder(plainly) ?? jotted(plainly)
}

/** “Post what is due today”, “tell us what is overdue”: a look at the list, without its name. */
const dueAsked =
  /^(?:post|show|report|send|share|list|say|summari[sz]e|tell|give|check|look up)\b.*\bwhat(?:ever)?(?:['’]s| is| are)? (?:still )?(?:due|overdue|coming up|open)\b/i

function existing(text: string): TodoReading | null {
  if (dueAsked.test(text)) return command(text, listing(text))
  const word = new RegExp(`\\b${todoWord}(?![\\p{L}’'])`, 'iu')
  if (/^(?:show (?:me|us) |list |tell me )?what(?:['’]s| is)(?: still)? (?:due|overdue)\b/i.test(text))
    return command(text, listing(text))
  if (!word.test(text) && !/\bon (?:my|our|the) list\b/i.test(text)) return null
  const closing =
    /^(?:mark|tick off|check off|complete|finish|close|cross off)\b.*?#?(\d+)\b/i.exec(text) ??
    /^(?:to-?do|task)\s*#?(\d+) is done/i.exec(text)
  if (closing !== null) return command(text, `done ${closing[1]}`)
  const deleting = /^(?:delete|remove|drop|erase)\b.*?#?(\d+)\b/i.exec(text)
  if (deleting !== null) return command(text, `delete ${deleting[1]}`)
  const about = new RegExp(`^(?:find|search)\\b.*?${todoWord}\\s+(?:about|for|on|with|mentioning)\\s+(.+)$`, 'iu').exec(
    text,
  )
  if (about?.[1] !== undefined) return command(text, `search ${about[1].replace(/["“”]/g, '')}`)
  if (
    /^(?:list|show|display|see|check|view|read|get|give|tell|review|go through|what|which|how many|do i have|are there|is there|find|print)\b/i.test(
      text,
    )
  )
    return command(text, listing(text))
  return new RegExp(`^(?:my |our |the )?(?:open )?${todoWord}$`, 'iu').test(text) ? command(text, 'list') : null
}

function listing(text: string): string {
  const view = /\boverdue\b/i.test(text)
    ? 'overdue'
    : /\btoday\b/i.test(text)
      ? 'today'
      : /\b(?:upcoming|this week|next week)\b/i.test(text)
        ? 'upcoming'
        : null
  const tagged = /\b(?:tagged|with (?:the )?tag|tag)\s+#?([\p{L}\p{N}-]+)|#(\p{L}[\p{L}\p{N}-]*)/iu.exec(text)
  const tag = tagged?.[1] ?? tagged?.[2]
  return ['list', view === null ? '' : `--view ${view}`, tag === undefined ? '' : `--tag ${tag}`]
    .filter((part) => part !== '')
    .join(' ')
}

function command(text: string, line: string): TodoReading {
  return { clauses: [{ ...clauseOf('todos', text, text), command: line }], rest: '' }
}

function added(text: string): TodoReading | null {
  const first = addToFirst.exec(text)
  if (first?.[1] !== undefined) return noted(text, namesIn(first[1], true), '')
  const target = addTo.exec(text)
  if (target !== null) {
    const [, what = '', behind = ''] = target
    const list = /^\s*:\s*(.+)$/.exec(behind)?.[1]
    const rest = /^\s*,?\s*(?:and|then)\s+(.+)$/i.exec(behind)?.[1] ?? ''
    return noted(
      text.slice(0, text.length - (rest === '' ? 0 : behind.length)),
      namesIn(list ?? what, list !== undefined),
      rest,
    )
  }
  const turned = turnInto.exec(text)?.[1]
  if (turned !== undefined) return noted(text, namesIn(turned, true), '')
  const fresh = addNew.exec(text)
  if (fresh === null) return null
  const behind = (fresh[1] ?? '').trim()
  const [before = '', ...list] = behind.split(/:\s*/)
  if (list.length > 0) return noted(text, namesIn(list.join(': '), true), '')
  const about = /^(?:to|called|named|saying|that says|,)\s+(.+)$/i.exec(before)?.[1]
  return noted(
    text,
    about === undefined ? (/^[\ue000-\uf8ff]/.test(before) ? [before] : []) : namesIn(about, false),
    '',
  )
}

function reminder(text: string): TodoReading | null {
  const match = remind.exec(text)
  const what = match?.[1]?.replace(/^(?:on|at)\s+(?=\S)/i, '') ?? ''
  if (match === null || what === '') return null
  const found = date.exec(what)?.[0] ?? ''
  // What comes back every week stays in the words: a to-do has one date.
  const when = /^every\b/i.test(found) ? '' : found
  const rest =
    when === ''
      ? what
      : `${what.slice(0, what.indexOf(when)).replace(/\b(?:on|by|at|until|before)\s*$/i, '')} ${what.slice(what.indexOf(when) + when.length)}`
  const bare = trimEnd(
    rest
      .trim()
      .replace(/^(?:,\s*)?(?:to|about|that|of)\s+/i, '')
      .replace(/\s+/g, ' '),
  )
  const { clauses } = noted(text, bare === '' ? [] : namesIn(bare, false), '')
  return { clauses: clauses.map((clause) => ({ ...clause, reminds: true })), rest: '' }
}

function jotted(text: string): TodoReading | null {
  const what = jot.exec(text)?.[1]
  return what === undefined ? null : noted(text, namesIn(what, /^[^:]*:/.test(text)), '')
}

function noted(text: string, names: readonly string[], rest: string): TodoReading {
  const clause = clauseOf('note', text, text)
  return {
    clauses: [{ ...clause, names: names.map((name) => capitalised(trimEnd(name))).filter((name) => name !== '') }],
    rest,
  }
}

/** “milk, bread and butter” is three; “salt and pepper” is one unless a list was announced or a verb follows. */
export function namesIn(text: string, announced: boolean): string[] {
  const commas = text.split(/\s*[,;、；，]\s*(?:and\s+|or\s+)?|\s+\/\s+/).filter((part) => part.trim() !== '')
  const several = announced || commas.length > 1
  return commas.flatMap((part, index) => {
    const [left = '', ...others] = part.split(/\s+(?:and|&)\s+/)
    const quoted = others.length > 0 && [left, ...others].every((one) => /^[\ue000-\ue1f3]$/.test(one.trim()))
    const joins =
      quoted ||
      (others.length > 0 &&
        ((several && index === commas.length - 1) ||
          others.every((other) => verbOf(other) !== null && verbOf(left) !== null)))
    return joins ? [left, ...others] : [part]
  })
}
