import { z } from 'zod'

/**
 * Why a model did not answer. People, operators and the loop all go by these (C91);
 * `model/failures.ts` tells them apart.
 */
export const FailureKind = z.enum([
  'key_refused',
  'no_credit',
  'unknown_model',
  'wrong_address',
  'rate_limited',
  'overloaded',
  'unreachable',
  'timed_out',
  'context_too_long',
  'filtered',
  'reply_unusable',
])
export type FailureKind = z.infer<typeof FailureKind>

const passing: readonly FailureKind[] = ['rate_limited', 'overloaded', 'unreachable', 'timed_out']
const ofOneRequest: readonly FailureKind[] = ['context_too_long', 'filtered', 'reply_unusable']

/** True if waiting alone can help; every other failure needs somebody to change something. */
export const passesByItself = (kind: FailureKind): boolean => passing.includes(kind)

/** True if the failure says nothing about the endpoint: another request may well be answered. */
export const isOfOneRequest = (kind: FailureKind): boolean => ofOneRequest.includes(kind)
