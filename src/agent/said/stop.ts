import {
  beginsWith,
  clausesOf,
  hasAny,
  isQuestion,
  readClause,
  vocabularyOf,
  wordsIn,
} from './parts.ts'

/**
 * An order to end the task, as far as words alone tell. `stop` ends it. `drop` and `hold` may be
 * said to people or to a question as well. `doubtful`: it says more, which may be the order for
 * other work. Null: it is none.
 */
export type StopOrder = 'stop' | 'drop' | 'hold' | 'doubtful'

const vocabulary = vocabularyOf('stop', 'drop', 'hold', 'around')
const reasons = wordsIn('reasons')
const conditions = wordsIn('conditions')
const orders = ['stop', 'drop', 'hold'] as const

/** More words before an order than these are a sentence of its own. */
const wordsBefore = 5

/**
 * Reads a line of a thread where a task works or waits.
 *
 * @param names people of the thread: an order to one of them is not for Clew.
 */
export function stopOrderIn(text: string, names: readonly string[] = []): StopOrder | null {
  const clauses = withoutPictures(clausesOf(text) ?? [])
  const read = clauses.map((clause) => {
    const { kinds, rest } = readClause(clause, vocabulary)
    return { clause, order: orders.find((one) => kinds.includes(one)), isWhole: rest === '' }
  })
  const at = read.findIndex(({ order, isWhole }) => isWhole && order !== undefined)
  if (at === -1) return null
  const whole = read.filter(({ isWhole }) => isWhole)
  const order = orders.find((one) => whole.some((other) => other.order === one)) ?? 'hold'
  const before = read.slice(0, at).filter(({ isWhole }) => !isWhole)
  const after = read.slice(at).filter(({ isWhole }) => !isWhole)
  if (before.length === 0 && after.length === 0) return asked(text, order)
  const others = [...before, ...after].map(({ clause }) => clause)
  if (others.some((clause) => isCall(clause, text, names) || hasAny(clause, conditions)))
    return null
  if (before.length === 0 && others.every((clause) => beginsWith(clause, reasons)))
    return order === 'hold' ? 'doubtful' : order
  const isShort = others.join(' ').split(/\s+/).length <= wordsBefore
  return order === 'stop' && (before.length === 0 || isShort) ? 'doubtful' : null
}

/** True for words that call off what has not begun. */
export function isStop(text: string): boolean {
  const order = stopOrderIn(text)
  return order !== null && order !== 'doubtful'
}

/** “Can you stop?” is an order; “stop?” may be a question. */
function asked(text: string, order: StopOrder): StopOrder {
  if (!isQuestion(text) || order === 'hold') return order
  const isRequest =
    /^(?:[^a-z]*(?:hey|hi|ok|clew|please)\b)*[^a-z]*(?:can|could|would|will)\b/i.test(text)
  return isRequest || /能|可以/.test(text) ? order : 'doubtful'
}

/** “stop it, Ben!”: a name and nothing else. Behind a full stop a capital says nothing. */
function isCall(clause: string, text: string, names: readonly string[]): boolean {
  const called = clause.toLowerCase()
  const isNamed = names.some((name) =>
    [name.toLowerCase(), name.toLowerCase().split(' ', 1)[0]].includes(called),
  )
  if (isNamed || /^@\S/.test(clause) || /^[小老阿]\p{Script=Han}{1,2}$/u.test(clause)) return true
  const before = text.slice(0, Math.max(0, text.indexOf(clause))).trim()
  return (
    /^\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)?$/u.test(clause) &&
    !/[.!?…。！？]$/u.test(before) &&
    !beginsWith(clause, reasons)
  )
}

/** Pictures that say nothing here change nothing. */
const withoutPictures = (clauses: readonly string[]) =>
  clauses
    .map((clause) => clause.replace(/(?![🛑✋⛔⏹])\p{Extended_Pictographic}/gu, ' ').trim())
    .filter((clause) => clause !== '')
