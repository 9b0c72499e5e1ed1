import type { z } from 'zod'
import { type Texts, texts } from '../../locales/texts.ts'
import { cleanText } from '../domain/clean-text.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { idle } from '../kernel/idle.ts'
import type { ToolContext } from '../ports/tool.ts'
import type { RunType } from '../run-inputs.ts'
import { messageOf } from '../tools/contained.ts'
import { toolContext } from './calls.ts'
import { type End, finishRun } from './finish.ts'
import { endWith } from './scene.ts'
import { type DrivenType, notYet, type Session } from './session.ts'

/** Result of working on a run. */
export type RunResult =
  /** It is over, with these words for the thread. */
  | { kind: 'done'; ok: boolean; text: string }
  /**
   * To be worked on again at that time, in milliseconds since the epoch; until then nothing is held
   * for it.
   */
  | { kind: 'wait'; until: number }

interface OnePiece<I extends Record<string, unknown>> extends RunType {
  input: z.ZodType<I>
  /** Stops soon after the session's signal aborts. After a crash it is begun again. */
  run(input: I, session: Session, words: Texts): Promise<RunResult & { more?: ChangePart }>
}

/** A kind of work in one piece, without a plan in the thread and without the task's tools. */
export function onePiece<I extends Record<string, unknown>>({
  run,
  ...type
}: OnePiece<I>): DrivenType {
  return {
    ...type,
    async drive(session) {
      if (session.run.status === 'queued') return notYet(session)
      const { locale } = await session.surroundings()
      const result = await run(type.input.parse(session.run.input), session, texts(locale))
      if (session.signal.aborted) return idle
      if (result.kind === 'wait')
        return { kind: 'park', until: Math.max(result.until, session.deps.clock.now() + 1) }
      const text = cleanText(result.text)
      const end: End = { status: result.ok ? 'succeeded' : 'failed', text }
      return await endWith(session, (scene) =>
        mergeChanges(finishRun(scene, end), result.more ?? {}),
      )
    },
  }
}

export const done = (ok: boolean, text: string): RunResult => ({ kind: 'done', ok, text })

/** Context of a run. After a crash the run begins again with the same `effectId`. */
export interface RunContext extends ToolContext {
  /** Title of the run, for people. */
  title: string
  /** Milliseconds since the epoch; the same every time that one run is worked on. */
  startedAt: number
}

/**
 * A kind of work from outside: one piece, without a plan in the thread and without the task's
 * tools.
 */
export interface RunTypeDefinition<I extends Record<string, unknown>> {
  /**
   * Kept with every run and written in `AGENT_ALLOWED_RUN_TYPES`: small letters, digits and
   * underscores.
   */
  readonly type: string
  /** For the Decision: what it is for, and what its input holds. */
  readonly description: string
  readonly input: z.ZodType<I>
  /** Stops soon after the signal aborts. What it throws ends the run as failed. */
  run(input: I, context: RunContext): Promise<RunResult>
}

/** @throws Error when the name is none. */
export function defineRunType<I extends Record<string, unknown>>(
  definition: RunTypeDefinition<I>,
): DrivenType {
  const { type, description, input } = definition
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(type)) throw new Error(`a run type cannot be called "${type}"`)
  return onePiece({
    type,
    description,
    input,
    async run(given, session, { core }) {
      const { run, signal } = session
      const about = { title: run.title, startedAt: run.startedAt ?? run.createdAt, signal }
      try {
        return await definition.run(given, { ...(await toolContext(session, run.id)), ...about })
      } catch (error) {
        return done(false, core.runBroke(run.title, messageOf(error)))
      }
    },
  })
}
