import { z } from 'zod'
import { Author } from './message.ts'
import { Run, RunStatus } from './run.ts'
import { PlanChange } from './task.ts'
import { variant } from './variant.ts'

/**
 * Event in the life of a thread or a run, in order, for people and for metrics (R119).
 * Entries name what they are about by id or step, and do not repeat texts that are stored
 * elsewhere. A model's own reasoning is never in them (R42).
 */
export const TraceEntry = z.object({
  at: z.number(),
  what: z.discriminatedUnion('kind', [
    variant('decided', {
      decision: z.enum(['reply', 'run', 'reply_and_run', 'ignore', 'join', 'fallback']),
      entryId: z.string(),
      confidence: z.number().nullable(),
      reason: z.string().nullable(),
      /** Model that decided, where there are several (C130). */
      model: z.string().optional(),
    }),
    variant('created', {
      runId: z.string(),
      type: z.string(),
      parentRunId: z.string().nullable(),
      /** Where it begins again (C251): in the trace of the parent, too. */
      from: Run.shape.from,
    }),
    /** Which way of working a run takes, who chose it, and why when the Decision did. */
    variant('strategy', {
      runId: z.string(),
      strategy: z.string(),
      by: z.enum(['request', 'setting', 'decision']),
      reason: z.string().nullable(),
    }),
    variant('status', {
      status: RunStatus,
      reason: z.string().nullable(),
      /** Wait until the run began, or time from then to its end, in milliseconds. */
      ms: z.number().optional(),
    }),
    variant('model_call', {
      contract: z.string(),
      ok: z.boolean(),
      /** `bad_reply: …`, `unavailable: …`; null when the reply was accepted. */
      problem: z.string().nullable(),
      ms: z.number(),
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number().optional(),
      estimated: z.boolean().optional(),
      /** In millionths, at the price of the model that answered (C130). */
      cost: z.number().optional(),
      /**
       * Number of attempts and the model that answered, where there were several attempts (C102).
       */
      requests: z.number().optional(),
      model: z.string().optional(),
    }),
    variant('planned', { items: z.array(z.string()) }),
    variant('replanned', {
      items: z.array(z.string()),
      change: PlanChange.nullable(),
    }),
    variant('thought', {
      decision: z.enum(['act', 'step_done', 'ask']),
      index: z.number(),
      step: z.number(),
    }),
    variant('round', { round: z.number(), completed: z.boolean() }),
    /** R129: decision on a report; the words for it stand in the thread. */
    variant('evaluated', {
      decision: z.enum(['next', 'retry', 'replan', 'abort']),
      index: z.number(),
      step: z.number(),
    }),
    variant('task_done', {}),
    variant('acting', { tool: z.string(), step: z.number() }),
    variant('acted', {
      tool: z.string(),
      step: z.number(),
      ok: z.boolean(),
      ms: z.number(),
    }),
    variant('asked', { questionId: z.string() }),
    variant('heard', {
      entryId: z.string(),
      as: z.enum(['answer', 'joined', 'continue', 'plan_edit']),
      by: Author.optional(),
    }),
    /** Answer of people to a call that had to be approved. */
    variant('approval', {
      tool: z.string(),
      step: z.number(),
      granted: z.boolean(),
      by: Author.optional(),
      /** The input as it was decided, and as it was changed before it was approved (C184). */
      edited: z.object({ from: z.string(), to: z.string() }).optional(),
      /** Number of the approval that stays, where the call was made by one (C772). */
      standing: z.int().optional(),
    }),
    /** Answer of people to a plan that was shown before it was acted on (C764). */
    variant('plan_answered', {
      granted: z.boolean(),
      by: Author,
      steps: z.array(z.string()),
    }),
    variant('said', { messageId: z.string() }),
    /** P18: a row that could not be worked on, so that the ones behind it go on. */
    variant('set_aside', {
      list: z.string(),
      id: z.string(),
      problem: z.string(),
    }),
  ]),
})
export type TraceEntry = z.infer<typeof TraceEntry>
export type TraceEvent = TraceEntry['what']
