import type { Answer } from './api.ts'
import type { Words } from './language.ts'

/** Reason why a request failed, in words; null if it succeeded. */
export const problemOf = (answer: Answer<unknown>, words: Words): string | null =>
  answer.kind === 'refused' ? answer.message : answer.kind === 'away' ? words.banner.offline : null
