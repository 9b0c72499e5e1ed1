import { clausesOf, readClause, vocabularyOf } from './parts.ts'

const words = vocabularyOf('howFar', 'around', 'beside')

/** True if a line asks how far the work is and nothing else: “how far is this?”, “做到哪了” (C505). */
export function asksHowFar(text: string): boolean {
  const clauses = (clausesOf(text) ?? []).map((clause) => readClause(clause, words))
  return (
    clauses.every(({ rest }) => rest === '') &&
    clauses.some(({ kinds }) => kinds.includes('howFar'))
  )
}
