import type { ContractInputs, ContractName } from '../contracts.ts'
import type { Usage } from '../domain/budget.ts'
import type { FailureKind } from '../domain/model-failure.ts'

export type { Usage }

/** Failures are values: the loop counts them, shows them and goes on. */
export type ModelReply =
  | { ok: true; value: unknown; usage: Usage }
  | { ok: false; code: 'bad_reply'; kind?: FailureKind; message: string; usage: Usage }
  | NoAnswer
  | { ok: false; code: 'aborted'; usage: Usage }
  | { ok: false; code: 'not_configured'; usage: Usage }

/**
 * Nobody answered. `kind` says why, where that is known (`kindOf`). `awayMs`: nothing was sent, since
 * the endpoint has been away for so long and somebody else finds out when it is back (C93).
 */
export interface NoAnswer {
  ok: false
  awayMs?: number
  code: 'unavailable' | 'timeout'
  kind?: FailureKind
  message: string
  retryAfterMs: number | null
  usage: Usage
}

/** Why a call failed, of models too that do not say; null where it was called off or there is no model. */
export function kindOf(reply: ModelReply): FailureKind | null {
  if (reply.ok || reply.code === 'aborted' || reply.code === 'not_configured') return null
  const unsaid = { bad_reply: 'reply_unusable', unavailable: 'unreachable', timeout: 'timed_out' } as const
  return reply.kind ?? unsaid[reply.code]
}

/**
 * One contract call: a typed question in, one JSON value out. The value is checked by the caller (`contracts.ts`).
 *
 * Contract: one call is one request (C8), never retried inside; it never throws; it answers `aborted` soon after the
 * signal aborts. The one exception is finding out what an endpoint can do, once a day and model: then one call may send
 * a few requests, and the tokens of all of them are in its usage.
 */
export interface Model {
  /** For start-up lines and traces, for example `gpt-5` or `rehearsal`. */
  readonly name: string
  call<N extends ContractName>(contract: N, input: ContractInputs[N], signal: AbortSignal): Promise<ModelReply>
  /**
   * What an image shows, in words: data like any other text of people's. Null when it cannot be told; never throws. Absent
   * where no model looks at images.
   */
  see?(image: { type: string; bytes: Uint8Array }, signal: AbortSignal): Promise<string | null>
}
