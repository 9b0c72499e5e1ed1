import { z } from 'zod'
import type { Author } from '../domain/message.ts'
import type { Run } from '../domain/run.ts'
import { tidyCall } from './calls.ts'
import { defineContract } from './contract.ts'
import { isBlank, isRecord } from './forgiving.ts'
import type {
  FactNote,
  Installation,
  MessageForModel,
  Missing,
  Place,
  TeamWords,
  ToolCard,
} from './input.ts'

/**
 * A run of the conversation. `did`: its calls that took effect, in short, where no report tells of
 * them.
 */
export type RecentRun = Pick<Run, 'id' | 'type' | 'title' | 'status'> & { did?: readonly string[] }

/** Input of a Decision (R92). `recentMessages` are oldest first and do not hold `message`. */
export interface DecisionInput {
  message: string
  /** The one model of the list that may answer (C760); absent: any. */
  model?: string
  author: Author
  recentMessages: readonly MessageForModel[]
  /** Messages of people after `message`, which are decided on next. */
  later?: readonly MessageForModel[]
  /** Parts that are missing of what was overheard. */
  missing?: Missing
  recentRuns: readonly RecentRun[]
  runTypes: readonly { type: string; description: string }[]
  facts?: readonly FactNote[]
  locale: string
  timeZone: string
  team?: TeamWords
  /** Tools that the work can use. */
  tools?: readonly ToolCard[]
  /**
   * Calls with which a task may begin, in the order in which its rounds offer them (C578); absent:
   * it begins with none.
   */
  calls?: readonly ToolCard[]
  installation?: Installation
  place?: Place
  /** Why the previous reply to the same request was refused; absent when it was not. */
  refusal?: string
  /**
   * ISO 8601 with offset, in `timeZone`: the thread's one clock, which stamps what was said (C444).
   */
  now: string
  /** Clock of who wrote the message, where it differs. */
  own?: { timeZone: string; now: string }
}

/**
 * Its fields are explained by the rules alone: the rounds of `free` carry this schema, too (C581).
 */
const RunRequest = z.object({
  type: z.string(),
  title: z.string().nullable(),
  conversation_id: z.string().nullable(),
  input: z.string(),
})
export type RunRequest = z.infer<typeof RunRequest>

/** Input of a Decision about words that nobody said to Clew (C76). */
export interface OverheardInput extends DecisionInput {
  /** The task that works or waits here, and what it asks; null where there is none. */
  waiting: {
    title: string
    question: string | null
    choices?: readonly string[]
    /** Steps of its plan, with their marks. */
    plan?: readonly string[]
  } | null
}

const answerAndWork = {
  reply: z.object({ content: z.string() }).nullable(),
  run: RunRequest.nullable(),
  runs: z.array(RunRequest).nullable(),
  confidence: z.number(),
  reason: z.string(),
}

const Decided = z.object({ decision: z.enum(['reply', 'run', 'reply_and_run']), ...answerAndWork })
const PlannedCall = z.object({ tool: z.string(), input: z.string() })
const Deciding = Decided.extend({
  calls: z.array(PlannedCall).nullable(),
  report: z.string().nullable(),
})

/**
 * R91 to R98, C56: what was said to Clew. It cannot be ignored, whatever a model would rather do
 * (C76).
 */
export const decision = defineContract({
  reply: Deciding,
  rules: (reply, input: DecisionInput) => whatIsWrong(begun(reply, input)),
  final: ({ decision: kind, reply }) =>
    (kind === 'reply' || kind === 'reply_and_run') && isRecord(reply) ? reply.content : null,
  tidy: (value) => tidyCalls(tidyRequests(value)),
  fill: begun,
})

/**
 * C578: calls without a run are those of a task whose goal is what was said: endpoints that cannot
 * be made to call one function let a model call a tool at once.
 */
function begun(reply: z.infer<typeof Deciding>, { calls: offered, message }: DecisionInput) {
  const calls = offered === undefined || reply.decision === 'reply' ? [] : (reply.calls ?? [])
  if (calls.length === 0) return { ...reply, calls: null, report: null }
  if (runsOf(reply).length > 0) return { ...reply, calls }
  const input = JSON.stringify({ goal: message })
  return { ...reply, calls, run: { type: 'agent_task', title: null, conversation_id: null, input } }
}

/**
 * C76: decision on what people said in the thread, maybe to each other. While a task works or
 * waits, whatever is meant for Clew joins it.
 */
export const overheard = defineContract({
  reply: z.object({
    decision: z.enum(['ignore', 'join', 'reply', 'run', 'reply_and_run']),
    ...answerAndWork,
  }),
  rules({ decision: kind, ...reply }, { waiting }: OverheardInput) {
    if (kind === 'join' && waiting === null) return 'there is no task to join'
    const isOfTask = waiting !== null && kind !== 'reply'
    if (kind === 'ignore' || kind === 'join' || isOfTask) return outOfRange(reply)
    return whatIsWrong({ decision: kind, ...reply })
  },
  tidy: tidyRequests,
})

function whatIsWrong({
  decision: kind,
  reply,
  confidence,
  ...requests
}: z.infer<typeof Decided>): string | null {
  const runs = runsOf(requests)
  if (outOfRange({ confidence }) !== null) return outOfRange({ confidence })
  if (kind !== 'run' && isBlank(reply?.content ?? null)) return `${kind} needs reply.content`
  if (kind === 'reply' && runs.length > 0) return 'reply must not carry a run'
  if (kind !== 'reply' && runs.length === 0) return `${kind} needs a run`
  return runs.length > 3 ? 'at most 3 runs' : null
}

const outOfRange = ({ confidence }: { confidence: number }): string | null =>
  confidence >= 0 && confidence <= 1 ? null : 'confidence must be from 0 to 1'

/**
 * A run's input given as an object is taken as its text; which conversation it belongs to is never
 * the model's to say (C52).
 */
function tidyRequests(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { run = null, runs = null, ...rest } = value
  return { ...rest, run: tidyRun(run), runs: Array.isArray(runs) ? tidyRuns(runs) : runs }
}

const PlannedCalls = z.array(PlannedCall)

/** Calls that cannot be read are none: the run begins without them. */
function tidyCalls(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { calls, report, ...rest } = value
  const read = PlannedCalls.safeParse(Array.isArray(calls) ? calls.map(tidyCall) : [])
  return { ...rest, calls: read.data ?? null, report: typeof report === 'string' ? report : null }
}

/** R118. */
export const chat = defineContract({
  reply: z.object({ content: z.string() }),
  rules: ({ content }, _input: DecisionInput) => (isBlank(content) ? 'content is empty' : null),
  final: ({ content }) => content,
})

/** The runs of a decision, whichever of the two forms it used. */
export const runsOf = ({
  run,
  runs,
}: {
  run: RunRequest | null
  runs: RunRequest[] | null
}): RunRequest[] => runs ?? (run === null ? [] : [run])

const tidyRuns = (runs: unknown[]): unknown => (runs.length === 0 ? null : runs.map(tidyRun))

function tidyRun(value: unknown): unknown {
  if (!isRecord(value)) return value
  const run: Record<string, unknown> = { title: null, ...value, conversation_id: null }
  if (typeof run.input === 'object' && run.input !== null) run.input = JSON.stringify(run.input)
  return run
}
