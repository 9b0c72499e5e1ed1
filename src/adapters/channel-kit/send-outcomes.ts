import { codesOf } from '../../agent/connection-problem.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Log } from '../../agent/ports/log.ts'

/** Outcome of a send that did not succeed. */
export type NotSent = Exclude<Sent, { kind: 'sent' }>

/** Outcome of an edit. `gone`: the message no longer exists. */
export type EditOutcome = Sent | { kind: 'gone' }

/** Turns an unclear edit into a retry after 1 s. Repeating an edit is harmless. */
export const editAgain = <S extends EditOutcome>(outcome: S): S | NotSent =>
  outcome.kind === 'unknown' ? { kind: 'later', afterMs: 1_000 } : outcome

const unconnected = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** True if the connection was never established, so nothing was sent. */
export const wasNeverSent = (error: unknown): boolean =>
  codesOf(error).some((code) => unconnected.includes(code))

/**
 * Runs a send that never throws. If it fails, for example because the store is down, it is retried
 * after 1 s.
 */
export async function safely(log: Log, work: () => Promise<Sent>): Promise<Sent> {
  try {
    return await work()
  } catch (error) {
    log.warn({ err: error }, 'delivery not shown; retrying')
    return { kind: 'later', afterMs: 1_000 }
  }
}
