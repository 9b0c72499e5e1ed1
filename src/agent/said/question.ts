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

const back = wordsIn('askingBack')
const asking = wordsIn('asking')
const marked = wordsIn('askingMarked')
const suggesting = wordsIn('suggesting')
const anyChoice = wordsIn('anyChoice')
const openWords = ['怎么', '谁', '哪', '什么', '几']
const politeness = vocabularyOf('around', 'beside')

/**
 * True if a line asks something back, and so answers nothing (C483); “What about Porto?” is an
 * answer.
 */
export function asksBack(text: string): boolean {
  const said = text.trim()
  if (beginsWith(said, suggesting) || /^(?:why not\s{0,9}(?:[!.,]|$)|may \d)/iu.test(said))
    return false
  // “怎么方便怎么来”: whichever way.
  if (openWords.some((word) => said.split(word).length > 2) && !isQuestion(said)) return false
  if (isHan(said)) {
    const isSettled = hasAny(said, anyChoice) || /就[行好]/u.test(said)
    if (isSettled && !/吗/u.test(said)) return false
    return beginsWith(said, back) || (isQuestion(said) && hasAny(said, [...asking, ...marked]))
  }
  const clauses = (clausesOf(said) ?? [said]).map((clause) => readClause(clause, politeness).rest)
  const asked = clauses.find((rest) => rest !== '') ?? ''
  if (beginsWith(said, back) || beginsWith(asked, back)) return true
  return isQuestion(said) && (beginsWith(said, marked) || beginsWith(asked, marked))
}
