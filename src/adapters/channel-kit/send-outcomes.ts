import { codesOf } from '../../agent/connection-problem.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Log } from '../../agent/ports/log.ts'

/** What did not arrive, and why. */
export type NotSent = Exclude<Sent, { kind: 'sent' }>

/** What an edit of a message came to; `gone`: there is no such message any more. */
export type Edited = Sent | { kind: 'gone' }

/** An edit may be made again without harm, so one whose outcome is unclear is simply tried again. */
export const editAgain = <S extends Edited>(outcome: S): S | NotSent =>
  outcome.kind === 'unknown' ? { kind: 'later', afterMs: 1_000 } : outcome

const unconnected = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Whether the connection never stood, so that nothing was sent. */
export const wasNeverSent = (error: unknown): boolean =>
  codesOf(error).some((code) => unconnected.includes(code))

/** Showing something never throws: while the store is away, what is to be shown waits. */
export async function safely(log: Log, work: () => Promise<Sent>): Promise<Sent> {
  try {
    return await work()
  } catch (error) {
    log.warn({ err: error }, 'something could not be shown; it is tried again')
    return { kind: 'later', afterMs: 1_000 }
  }
}
