import type { z } from 'zod'
import type { Texts } from '../../locales/texts.ts'
import { cleanText } from '../domain/clean-text.ts'
import type { ChangePart } from '../kernel/change.ts'
import { rest } from '../kernel/rest.ts'
import type { RunType } from '../run-inputs.ts'
import { endWith } from './finish.ts'
import { type DrivenType, notYet, type Session } from './session.ts'

/** What working on a run came to. */
export type RunResult =
  /** It is over, with these words for the thread. */
  | { kind: 'done'; ok: boolean; text: string }
  /** To be worked on again at that time, in milliseconds since the epoch; until then nothing is held for it. */
  | { kind: 'wait'; until: number }

interface OnePiece<I extends Record<string, unknown>> extends RunType {
  input: z.ZodType<I>
  /** Stops soon after the session's signal aborts. After a crash it is begun again. */
  run(input: I, session: Session, words: Texts): Promise<RunResult & { more?: ChangePart }>
}

/** A kind of work in one piece, without a plan in the thread and without the task's tools. */
export function onePiece<I extends Record<string, unknown>>({ run, ...type }: OnePiece<I>): DrivenType {
  return {
    ...type,
    async drive(session) {
      if (session.run.status === 'queued') return notYet(session)
      const result = await run(type.input.parse(session.run.input), session, await session.words())
      if (session.signal.aborted) return rest
      if (result.kind === 'wait') return { kind: 'park', until: Math.max(result.until, session.deps.clock.now() + 1) }
      const end = { status: result.ok ? 'succeeded' : 'failed', text: cleanText(result.text) } as const
      return await endWith(session, end, result.more)
    },
  }
}

export const done = (ok: boolean, text: string): RunResult => ({ kind: 'done', ok, text })
