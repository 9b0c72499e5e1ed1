import type { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { cleanText } from '../domain/clean-text.ts'
import { rest } from '../kernel/lease.ts'
import type { ToolContext } from '../ports/tool.ts'
import { messageOf } from '../tools/contained.ts'
import { toolContext } from './calls.ts'
import { endWith } from './finish.ts'
import { type DrivenType, notYet } from './session.ts'

/** What a run is told. After a crash it is begun again with the same `effectId`. */
export interface RunContext extends ToolContext {
  /** Of the run, for people. */
  title: string
  /** Milliseconds since the epoch; the same every time that one run is worked on. */
  startedAt: number
}

/** What working on a run came to. */
export type RunResult =
  /** It is over, with these words for the thread. */
  | { kind: 'done'; ok: boolean; text: string }
  /** To be worked on again at that time, in milliseconds since the epoch; until then nothing is held for it. */
  | { kind: 'wait'; until: number }

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
  return {
    ...{ type, description, input },
    async drive(session) {
      const { run, deps, signal } = session
      if (run.status === 'queued') return notYet(session)
      const context = await toolContext(session, run.id)
      const about = { title: run.title, startedAt: run.startedAt ?? run.createdAt, signal }
      const result = await definition
        .run(input.parse(run.input), { ...context, ...about })
        .catch((error: unknown): Failed => ({ kind: 'failed', why: messageOf(error) }))
      if (signal.aborted) return rest
      if (result.kind === 'wait') return { kind: 'park', until: Math.max(result.until, deps.clock.now() + 1) }
      if (result.kind === 'done')
        return await endWith(session, { status: result.ok ? 'succeeded' : 'failed', text: cleanText(result.text) })
      const { core } = texts(context.locale)
      return await endWith(session, { status: 'failed', text: core.runBroke(run.type, cleanText(result.why)) })
    },
  }
}

interface Failed {
  kind: 'failed'
  why: string
}
