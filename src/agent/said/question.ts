import { beginsWith, hasAny, isHan, isQuestion, wordsIn } from './parts.ts'

const back = wordsIn('askingBack')
const asking = wordsIn('asking')
const suggesting = wordsIn('suggesting')

/** True if a line asks something back, and so answers nothing; “What about Porto?” is an answer. */
export function asksBack(text: string): boolean {
  const said = text.trim()
  if (beginsWith(said, suggesting)) return false
  if (beginsWith(said, back)) return true
  return isHan(said) && isQuestion(said) && hasAny(said, asking)
}
