import type { z } from 'zod'
import type { ToolContext } from '../ports/tool.ts'
import { messageOf } from '../tools/contained.ts'
import { toolContext } from './calls.ts'
import { done, onePiece, type RunResult } from './one-piece.ts'
import type { DrivenType } from './session.ts'

/** What a run is told. After a crash it is begun again with the same `effectId`. */
export interface RunContext extends ToolContext {
  /** Of the run, for people. */
  title: string
  /** Milliseconds since the epoch; the same every time that one run is worked on. */
  startedAt: number
}

/** A kind of work from outside: one piece, without a plan in the thread and without the task's tools. */
export interface RunTypeDefinition<I extends Record<string, unknown>> {
  /** Kept with every run and written in `AGENT_ALLOWED_RUN_TYPES`: small letters, digits and underscores. */
  readonly type: string
  /** For the Decision: what it is for, and what its input holds. */
  readonly description: string
  readonly input: z.ZodType<I>
  /** Stops soon after the signal aborts. What it throws ends the run as failed. */
  run(input: I, context: RunContext): Promise<RunResult>
}

/** @throws Error when the name is none. */
export function defineRunType<I extends Record<string, unknown>>(definition: RunTypeDefinition<I>): DrivenType {
  const { type, description, input } = definition
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(type)) throw new Error(`a run type cannot be called "${type}"`)
  return onePiece({
    ...{ type, description, input },
    async run(given, session, { core }) {
      const { run, signal } = session
      const about = { title: run.title, startedAt: run.startedAt ?? run.createdAt, signal }
      try {
        return await definition.run(given, { ...(await toolContext(session, run.id)), ...about })
      } catch (error) {
        return done(false, core.runBroke(run.type, messageOf(error)))
      }
    },
  })
}
