import { z } from 'zod'
import { assertNever } from './assert.ts'
import { Author } from './message.ts'
import { FailureKind } from './model-failure.ts'
import { present } from './present.ts'
import type { Run } from './run.ts'
import { normalised } from './same-item.ts'
import type { Task } from './task.ts'
import type { TraceEntry, TraceEvent } from './trace.ts'

/*
 * What a run did, step by step, as people read it (C209): its trace, joined with the inputs and
 * results that its task keeps. What a model thought is in neither (R42).
 */

/** Longer inputs and results are cut, in characters. */
const textMost = 4_000

const Call = z.object({
  step: z.int(),
  tool: z.string(),
  /** Null where only the trace is left of it. */
  input: z.string().nullable(),
  result: z.string().nullable(),
  /** Null: it goes on. */
  ok: z.boolean().nullable(),
  /** It was cut off and may have taken effect. */
  unknown: z.boolean(),
  ms: z.number().nullable(),
  approval: z
    .object({ granted: z.boolean(), by: Author.nullable(), isEdited: z.boolean() })
    .nullable(),
})

const Wait = z.object({
  for: z.enum(['answer', 'approval', 'continue', 'model']),
  /** Null: it still waits. */
  ms: z.number().nullable(),
  /** Why it was paused, as the trace says. */
  reason: z.string().nullable(),
})

const RunStep = z.object({
  at: z.number(),
  /** Decision of the model; `null` if it has made none yet, or failed to. */
  what: z
    .enum([
      'planned',
      'replanned',
      'act',
      'step_done',
      'ask',
      'round',
      'next',
      'retry',
      'replan',
      'abort',
      'task_done',
    ])
    .nullable(),
  /** The step of the plan that it was about. */
  item: z.string().nullable(),
  /** Cause of the step if no step before it led here: the request, or what somebody said or did. */
  cause: z
    .object({
      kind: z.enum(['request', 'answer', 'joined', 'continue', 'plan_edit']),
      by: Author.nullable(),
    })
    .nullable(),
  model: z.string().nullable(),
  /**
   * Time of the model and the tools without waits, in ms. Calls that were made together count once.
   */
  ms: z.number(),
  tokens: z.int(),
  /** In millionths. */
  cost: z.number(),
  /** Attempts that failed before the reply that counted. */
  retries: z.int(),
  /** Why the last of them failed, as far as that is known; null: none did. */
  problem: FailureKind.or(z.literal('unknown')).nullable(),
  calls: z.array(Call),
  waits: z.array(Wait),
  /** Messages that it caused in the thread. */
  said: z.array(z.string()),
})
export type RunStep = z.infer<typeof RunStep>

/**
 * The plan as it became at one time, and by whose doing; `by` and `because` null: the model's own.
 */
const PlanVersion = z.object({
  at: z.number(),
  items: z.array(z.string()),
  added: z.array(z.string()),
  dropped: z.array(z.string()),
  by: Author.nullable(),
  because: z.object({ author: Author, text: z.string() }).nullable(),
})

/** Runs that began again at one of its steps (C251). */
const Again = z.object({ at: z.number(), runId: z.string(), step: z.int(), by: Author })

export const RunHistory = z.object({
  steps: z.array(RunStep),
  plans: z.array(PlanVersion),
  again: z.array(Again),
})
export type RunHistory = z.infer<typeof RunHistory>

interface Reading extends Omit<RunHistory, 'again'> {
  /** Plan items at this place of the trace. */
  items: readonly string[]
  cause: RunStep['cause']
  /** Its reply is there: the next model call begins another step. */
  isDecided: boolean
  /** When its last failed attempt was over. */
  failedAt: number | null
  /** Since when it waits for a person. */
  waitsSince: number | null
  /** When calls were over that ran beside each other, and how long the longest took. */
  beside: { at: number; ms: number }
}

export function runHistory(
  task: Task | null,
  trace: readonly TraceEntry[],
  { id, requestedBy }: Pick<Run, 'id' | 'requestedBy'>,
): RunHistory {
  const reading: Reading = {
    steps: [],
    plans: [],
    items: [],
    cause: { kind: 'request', by: requestedBy },
    isDecided: true,
    failedAt: null,
    waitsSince: null,
    beside: { at: 0, ms: 0 },
  }
  for (const entry of trace) read(reading, entry)
  const known = new Map(knownCalls(task).map((call) => [call.step, call]))
  for (const call of reading.steps.flatMap(({ calls }) => calls)) {
    const { input = null, result = null, unknown = false } = known.get(call.step) ?? {}
    Object.assign(call, { input: input && cut(input), result: result && cut(result), unknown })
  }
  const again = trace.flatMap(({ at, what }) =>
    what.kind === 'created' && what.parentRunId === id && what.from
      ? [{ at, runId: what.runId, ...what.from }]
      : [],
  )
  return { steps: reading.steps, plans: reading.plans, again }
}

interface Known {
  step: number
  input: string
  result?: string
  unknown?: boolean | undefined
}

function knownCalls(task: Task | null): Known[] {
  if (task === null) return []
  return present([task.intent, ...('queue' in task ? task.queue : []), ...task.observations])
}

const cut = (text: string) =>
  (text.length <= textMost ? text : `${text.slice(0, textMost)}…`).toWellFormed()

function read(reading: Reading, { at, what }: TraceEntry) {
  if (what.kind === 'model_call') readModelCall(reading, at, what)
  if (what.kind === 'heard') reading.cause = { kind: what.as, by: what.by ?? null }
  if (what.kind === 'planned' || what.kind === 'replanned') readPlan(reading, at, what)
  const step = reading.steps.at(-1)
  if (step !== undefined) readInto(step, reading, at, what)
}

/** Adds an entry of the trace to the step that it belongs to. */
function readInto(step: RunStep, reading: Reading, at: number, what: TraceEvent) {
  switch (what.kind) {
    case 'replanned':
      if (what.change?.by === undefined) step.what = 'replanned'
      break
    case 'planned':
      if (step.what === null) step.what = 'planned'
      break
    case 'thought':
    case 'evaluated':
      Object.assign(step, { what: what.decision, item: reading.items[what.index] ?? null })
      break
    case 'round':
    case 'task_done':
      step.what = what.kind
      break
    case 'said':
      step.said.push(what.messageId)
      break
    case 'acting':
    case 'acted':
    case 'approval':
      readCall(reading, step, at, what)
      break
    case 'plan_answered': {
      const wait = step.waits.at(-1)
      if (wait !== undefined) wait.for = 'approval'
      break
    }
    case 'asked':
    case 'status':
    case 'heard':
      readWait(reading, step, at, what)
      break
    case 'model_call':
    case 'decided':
    case 'created':
    case 'strategy':
    case 'set_aside':
      break
    default:
      assertNever(what)
  }
}

type EventOf<K extends TraceEvent['kind']> = Extract<TraceEvent, { kind: K }>

/** A failed attempt and the one after it are one step. */
function readModelCall(reading: Reading, at: number, call: EventOf<'model_call'>) {
  const { ms, ok, promptTokens, completionTokens, cost = 0, requests = 1, model = null } = call
  const failed = requests - (ok ? 1 : 0)
  if (reading.isDecided) {
    const { cause } = reading
    const none = {
      what: null,
      item: null,
      ms: 0,
      tokens: 0,
      cost: 0,
      retries: 0,
      problem: null,
      calls: [],
      waits: [],
      said: [],
    }
    reading.steps.push({ ...none, at: at - ms, cause, model })
    Object.assign(reading, { cause: null, failedAt: null })
  }
  const step = reading.steps.at(-1)
  if (step === undefined) return
  const waited = reading.failedAt === null ? 0 : at - ms - reading.failedAt
  if (waited > 0) step.waits.push({ for: 'model', ms: waited, reason: null })
  step.ms += ms
  step.tokens += promptTokens + completionTokens
  step.cost += cost
  step.retries += failed
  if (failed > 0) step.problem = problemOf(call) ?? step.problem ?? 'unknown'
  step.model = model
  Object.assign(reading, { isDecided: ok, failedAt: ok ? null : at })
}

/** Kind of failure that the trace names; null where it names none. */
function problemOf({ problem }: EventOf<'model_call'>): RunStep['problem'] {
  if (problem === null) return null
  const [what, kind] = problem.split(': ')
  return what === 'bad_reply' ? 'reply_unusable' : (FailureKind.safeParse(kind).data ?? 'unknown')
}

function readPlan(reading: Reading, at: number, what: EventOf<'planned' | 'replanned'>) {
  const { items } = what
  const before = new Set(reading.items.map(normalised))
  reading.items = items
  if (what.kind === 'planned') {
    const added =
      reading.plans.length === 0 ? [] : items.filter((item) => !before.has(normalised(item)))
    reading.plans.push({ at, items, added, dropped: [], by: null, because: null })
  } else if (what.change !== null) {
    const { added, dropped, because, by = null } = what.change
    const words = because && { author: because.author, text: cut(because.text) }
    reading.plans.push({ at, items, added, dropped, by, because: words })
  }
}

function readCall(
  reading: Reading,
  step: RunStep,
  at: number,
  what: EventOf<'acting' | 'acted' | 'approval'>,
) {
  switch (what.kind) {
    case 'acting':
      callOf(reading, step, what)
      break
    case 'acted': {
      const { beside } = reading
      Object.assign(callOf(reading, step, what), { ok: what.ok, ms: what.ms })
      const longest = beside.at === at ? beside.ms : 0
      step.ms += Math.max(0, what.ms - longest)
      reading.beside = { at, ms: Math.max(longest, what.ms) }
      break
    }
    case 'approval': {
      const { granted, by = null, edited } = what
      callOf(reading, step, what).approval = { granted, by, isEdited: edited !== undefined }
      const wait = step.waits.at(-1)
      if (wait !== undefined) wait.for = 'approval'
      reading.cause = null
      break
    }
    default:
      assertNever(what)
  }
}

/** The call of this number; a new one where none was told of yet. */
function callOf(
  { steps }: Reading,
  to: RunStep,
  { step, tool }: { step: number; tool: string },
): RunStep['calls'][number] {
  const known = steps.flatMap(({ calls }) => calls).findLast((call) => call.step === step)
  if (known !== undefined) return known
  const call = {
    step,
    tool,
    input: null,
    result: null,
    ok: null,
    unknown: false,
    ms: null,
    approval: null,
  }
  to.calls.push(call)
  return call
}

function readWait(
  reading: Reading,
  { waits }: RunStep,
  at: number,
  what: EventOf<'asked' | 'status' | 'heard'>,
) {
  const begins = (why: z.infer<typeof Wait>['for'], reason: string | null = null) => {
    waits.push({ for: why, ms: null, reason })
    reading.waitsSince = at
  }
  if (what.kind === 'asked') begins('answer')
  if (what.kind === 'status' && what.status === 'paused')
    begins(what.reason === 'model_unavailable' ? 'model' : 'continue', what.reason)
  const last = waits.at(-1)
  const ends = what.kind === 'heard' && (what.as === 'answer' || what.as === 'continue')
  if (ends && last?.ms === null && reading.waitsSince !== null) last.ms = at - reading.waitsSince
}
