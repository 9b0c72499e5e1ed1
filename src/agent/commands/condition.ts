import type { Condition } from '../domain/schedule.ts'
import { linearPatterns } from '../on-demand.ts'
import { inlineCode } from './command-line.ts'
import type { ValueKind } from './grammar.ts'

/* Conditions of a rule of events, as people write them: `action is opened or reopened and issue.title contains crash`. */

const path = String.raw`[\p{L}\p{N}_$@-]{1,60}(?:\.[\p{L}\p{N}_$@-]{1,60}){0,10}`
const operator = String.raw`(?:\s{0,9}=\s{0,9}|\s{1,9}(?:is|in|contains|matches)\s{1,9})`
const one = new RegExp(`^(${path})(${operator})(.+)$`, 'isu')
const between = new RegExp(String.raw`\s{1,9}and\s{1,9}(?=${path}${operator})`, 'iu')

/** Most conditions of a rule, and the longest text of them, in characters. */
const most = 10
const longest = 500

/**
 * Reads conditions that must all hold; undefined where one of them is none. `none` takes them back.
 */
export const conditions: ValueKind<Condition[]> = {
  label: 'text',
  form: { kind: 'text' },
  error: 'bad_match',
  read(typed) {
    if (typed.trim() === 'none') return []
    const read = typed.length > longest ? [] : typed.split(between).map(readOne)
    return read.length === 0 || read.length > most || read.includes(null)
      ? undefined
      : read.filter((condition) => condition !== null)
  },
  example: () => '"action is opened"',
}

function readOne(text: string): Condition | null {
  const [, at = '', by = '', rest = ''] = one.exec(text.trim()) ?? []
  if (at === '') return null
  const word = by.trim().toLowerCase()
  if (word === 'matches') {
    const pattern = unquoted(rest.trim().replace(/^\/(.*)\/$/su, '$1'))
    return isPattern(pattern) ? { path: at, test: 'matches', values: [pattern] } : null
  }
  const values = rest.split(/\s{1,9}or\s{1,9}|,/iu).map((value) => unquoted(value.trim()))
  const test = word === 'contains' ? 'contains' : 'is'
  return values.includes('') ? null : { path: at, test, values }
}

const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/su, '$2')

function isPattern(text: string): boolean {
  try {
    linearPatterns().RE2JS.compile(text)
    return true
  } catch {
    return false
  }
}

export const conditionInWords = ({ path: at, test, values }: Condition) =>
  inlineCode(`${at} ${test} ${values.join(' or ')}`)
