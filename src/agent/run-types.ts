import { z } from 'zod'
import { cleanTexts } from './domain/clean-text.ts'
import { strategyNames } from './domain/task.ts'
import { batchSizeNames } from './strategies/batch-sizes.ts'

/** A kind of work that a Decision may start. The operator allows some of them (R98, `AGENT_ALLOWED_RUN_TYPES`). */
export interface RunType {
  type: string
  /** For the Decision: what it is for and what its input holds. */
  description: string
  input: z.ZodType<Record<string, unknown>>
  /** Shows a plan in the thread and takes in new messages (C42, C50). */
  foreground: boolean
}

/** `strategy` is how it is worked on, `size` how big a batch is (R59); both are the settings' where they are left out. */
export const AgentTaskInput = z.object({
  goal: z.string().trim().min(1),
  strategy: z.enum(strategyNames).optional().catch(undefined),
  size: z.enum(batchSizeNames).optional().catch(undefined),
})

export const CodingInput = z.object({ goal: z.string().trim().min(1) })

/** Up to 30 days; longer waits are schedules. */
export const SleepInput = z.object({
  seconds: z
    .number()
    .positive()
    .max(30 * 24 * 60 * 60),
})

/** F31: how many of the newest messages are read. Which conversation it is, is never the model's to say (C52). */
export const SummarizeInput = z.object({
  max_messages: z
    .number()
    .int()
    .default(20)
    .transform((count) => Math.min(50, Math.max(10, count))),
})

/** Which of the operator's folders, by its name; blank: the only one. */
export const IndexRepoInput = z.object({ repo: z.string().trim().max(1_000).catch('') })

export const FetchWebInput = z.object({ url: z.string().trim().min(1).max(2_048) })

/** What a task came to, and how it was worked on (R121). No Decision may start this type. */
export const FollowUpInput = z.object({
  result: z.string(),
  strategy: z.enum(strategyNames).optional().catch(undefined),
})

const runTypeTable: readonly RunType[] = [
  {
    type: 'agent_task',
    description:
      'Work in several steps with tools, shown in the thread with a plan. Input: {"goal": string}, the whole request with all its details.',
    input: AgentTaskInput,
    foreground: true,
  },
  {
    type: 'coding',
    description:
      'Change code: a coding agent works on the team\'s repository in several steps, and every step is judged and shown in the thread. For building, mending, testing and restructuring software. Input: {"goal": string}, the whole request with all its details.',
    input: CodingInput,
    foreground: true,
  },
  {
    type: 'summarize_conversation',
    description:
      'Sum up what was said in this conversation. Input: {"max_messages": number}, how many of the newest messages to read, 10 to 50, 20 when nobody says.',
    input: SummarizeInput,
    foreground: false,
  },
  {
    type: 'fetch_web',
    description: 'Get one public web page and show its readable text. Input: {"url": string}.',
    input: FetchWebInput,
    foreground: false,
  },
  {
    type: 'index_repo',
    description:
      'Read one of the team\'s folders or repositories anew, so that its text can be searched. Input: {"repo": string}, its name as the person said it; blank when they named none.',
    input: IndexRepoInput,
    foreground: false,
  },
  {
    type: 'sleep',
    description: 'Wait, then say that the time is up. Input: {"seconds": number}.',
    input: SleepInput,
    foreground: false,
  },
]

export function runTypeOf(type: string): RunType | null {
  return runTypeTable.find((one) => one.type === type) ?? null
}

/**
 * A run's input as the Decision gave it: JSON text of an object that fits the type.
 *
 * @returns the input, or a sentence that says what is wrong with it.
 */
export function readRunInput(
  type: RunType,
  text: string,
): { ok: true; input: Record<string, unknown> } | { ok: false; problem: string } {
  let value: unknown
  try {
    value = cleanTexts(JSON.parse(text))
  } catch {
    return { ok: false, problem: 'the input is not JSON' }
  }
  const parsed = type.input.safeParse(value)
  return parsed.success
    ? { ok: true, input: parsed.data }
    : { ok: false, problem: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
}

/** For a Decision that may choose how a task is worked on. */
export const strategyChoice =
  'It may also hold "strategy": "step" (careful: one move at a time, for work where every result changes what comes next), "batch" (quick: several calls planned at once, for work whose calls are known beforehand) or "free" (open-ended exploration); and for "batch" "size": "simple", "medium" or "complex". Say in "reason" why.'
