import type { ContractInputs, ContractName } from '../contracts.ts'
import type { Usage } from '../domain/budget.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import type { SentMessage } from '../domain/task.ts'

export type { Usage }

/** Failures are values: the loop counts them, shows them and goes on. */
export type ModelReply =
  | { ok: true; value: unknown; usage: Usage; sent?: SentMessage }
  | {
      ok: false
      code: 'bad_reply'
      kind?: FailureKind
      message: string
      mend?: string
      usage: Usage
    }
  | NoAnswer
  | { ok: false; code: 'aborted'; usage: Usage }
  | { ok: false; code: 'not_configured'; usage: Usage }

/**
 * Nobody answered. `kind` says why, where that is known (`kindOf`). `awayMs`: nothing was sent,
 * since the endpoint has been away for so long and somebody else finds out when it is back (C93).
 */
export interface NoAnswer {
  ok: false
  awayMs?: number
  code: 'unavailable' | 'timeout'
  kind?: FailureKind
  message: string
  /** Change that the operator can make, where more is known than `kind` says. */
  mend?: string
  retryAfterMs: number | null
  usage: Usage
}

/**
 * Why a call failed, of models too that do not say; null where it was called off or there is no
 * model.
 */
export function kindOf(reply: ModelReply): FailureKind | null {
  if (reply.ok || reply.code === 'aborted' || reply.code === 'not_configured') return null
  const unsaid = {
    bad_reply: 'reply_unusable',
    unavailable: 'unreachable',
    timeout: 'timed_out',
  } as const
  return reply.kind ?? unsaid[reply.code]
}

/** The one model that may answer a request from its place (C760); null: any. */
export const modelIn = (input: object): string | null =>
  'model' in input && typeof input.model === 'string' ? input.model : null

/**
 * Hears the text for people while it is written, each time from its beginning, as soon as it is
 * known to be what they will read (C150). What the reply comes to is said by the reply alone: it
 * may still be refused, or never come.
 */
export type Written = (text: string) => void

/**
 * Call of one contract: a typed question in, one JSON value out. The caller checks the value
 * (`contracts.ts`).
 *
 * Contract: one call is one request (C8), never retried inside. It never throws, and answers
 * `aborted` soon after the signal aborts.
 * Exception: once a day and model, a call may send a few requests to find out what the endpoint can
 * do. Its usage includes all of their tokens.
 */
export interface Model {
  /** For start-up lines and traces, for example `gpt-5` or `rehearsal`. */
  readonly name: string
  call<N extends ContractName>(
    contract: N,
    input: ContractInputs[N],
    signal: AbortSignal,
    written?: Written,
  ): Promise<ModelReply>
  /** Absent where no model looks at images. */
  readonly sight?: Sight
  /** Most that one image in a request takes; absent where requests with images are not made. */
  readonly image?: Usage
}

export interface Sight {
  /** Most that looking at one image takes, as far as that is known before. */
  readonly estimate: Usage
  /**
   * Describes an image in words, which are data like any other text of people's. `null` if it
   * cannot; never throws.
   */
  look(
    image: { type: string; bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<{ words: string | null; usage: Usage }>
}
