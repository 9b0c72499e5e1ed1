import { languages, texts } from '../../locales/texts.ts'
import {
  beginsWith,
  clausesOf,
  hasAny,
  isHan,
  isQuestion,
  readClause,
  vocabularyOf,
  wordsIn,
} from './parts.ts'

/**
 * Meaning of a line for a call that awaits approval. `yes` and `no` say nothing else. `otherwise`
 * refuses or wants something else. `undecided`: a question or a remark, which decides nothing.
 */
export type Consent = 'yes' | 'no' | 'otherwise' | 'undecided'

const vocabulary = vocabularyOf('yes', 'no', 'hold', 'beside', 'unmeant')
const unmeant = wordsIn('unmeant')
const undecided = wordsIn('undecided')
const asking = wordsIn('asking')
const otherwiseIn = languages.map((one) => texts(one).said.otherwise)
const anywhere = otherwiseIn.flatMap((one) => one.anywhere)
const first = otherwiseIn.flatMap((one) => one.first)

export function consentIn(text: string): Consent {
  const clauses = clausesOf(text)
  if (clauses === null) return isQuestion(text) ? 'undecided' : 'otherwise'
  const read = clauses.map((clause) => ({ clause, ...readClause(clause, vocabulary) }))
  const kinds = new Set(read.flatMap((one) => one.kinds))
  const more = read.filter(({ rest }) => rest !== '')
  if (isQuestion(text) || more.some(({ clause, rest }) => asks(clause, rest))) return 'undecided'
  const isMeant =
    !/(?:…|\.{3}|。{3})$/u.test(text.trim()) && !unmeant.includes(clauses.join(' ').toLowerCase())
  if (more.length === 0) return isMeant ? decisionOf(kinds) : 'undecided'
  if (more.some(({ clause }) => beginsWith(clause, undecided))) return 'undecided'
  const isRefused = read[0]?.kinds[0] === 'no'
  const isOther = more.some(
    ({ clause, rest }) => hasAny(clause, anywhere) || beginsWith(rest, first),
  )
  return isRefused || isOther ? 'otherwise' : 'undecided'
}

const waiting = [...undecided, ...wordsIn('hold')]

/** True if a line begins as those who have not decided yet begin: “hm …”, “wait …”. */
export const hesitates = (text: string): boolean => beginsWith(clausesOf(text)?.[0] ?? '', waiting)

function decisionOf(kinds: ReadonlySet<string>): Consent {
  if (kinds.has('hold') || kinds.has('yes') === kinds.has('no')) return 'undecided'
  return kinds.has('yes') ? 'yes' : 'no'
}

/** Chinese asks in the middle of a clause, too. */
const asks = (clause: string, rest: string) =>
  beginsWith(clause, asking) ||
  beginsWith(rest, asking) ||
  (isHan(clause) && hasAny(clause, texts('zh').said.asking))
