import type { Answer } from './api.ts'
import type { Words } from './language.ts'

/** Reason why a request failed, in words; null if it succeeded. */
export function problemOf(answer: Answer<unknown>, words: Words): string | null {
  if (answer.kind === 'refused') return answer.message
  return answer.kind === 'away' ? words.banner.offline : null
}
