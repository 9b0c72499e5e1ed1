import { z } from 'zod'
import type { Author } from '../domain/message.ts'
import type { RunStatus } from '../domain/run.ts'
import { isBlank, isRecord } from './forgiving.ts'
import type { FactNote, TeamWords } from './input.ts'

/** What a decision is made from (R92). `recentMessages` are oldest first and do not hold `message`. */
export interface DecisionInput {
  message: string
  author: Author
  recentMessages: readonly { role: 'user' | 'assistant'; author: string | null; text: string }[]
  recentRuns: readonly { id: string; type: string; title: string; status: RunStatus }[]
  runTypes: readonly { type: string; description: string }[]
  facts?: readonly FactNote[]
  locale: string
  timeZone: string
  team?: TeamWords
  /** ISO 8601 with offset, in `timeZone`. */
  now: string
}

const RunRequest = z.object({
  type: z.string().describe('One of the run types that are offered.'),
  title: z.string().nullable().describe('A short name for people, in their language.'),
  conversation_id: z.string().nullable().describe('Null.'),
  input: z.string().describe('A JSON object as text, as the run type describes.'),
})
export type RunRequest = z.infer<typeof RunRequest>

/** R91 to R98, C56. */
const decisionReply = z.object({
  decision: z.enum(['reply', 'run', 'reply_and_run']),
  reply: z.object({ content: z.string() }).nullable(),
  run: RunRequest.nullable(),
  runs: z.array(RunRequest).nullable().describe('Only for 2 or 3 runs that follow one another; else null.'),
  confidence: z.number().describe('From 0 to 1.'),
  reason: z.string().describe('One short sentence for the operator.'),
})
type Decision = z.infer<typeof decisionReply>

/** R118. */
const chatReply = z.object({ content: z.string() })

function decisionRules(reply: Decision): string | null {
  const runs = runsOf(reply)
  if (!(reply.confidence >= 0 && reply.confidence <= 1)) return 'confidence must be from 0 to 1'
  if (reply.decision !== 'run' && isBlank(reply.reply?.content ?? null)) return `${reply.decision} needs reply.content`
  if (reply.decision === 'reply' && runs.length > 0) return 'reply must not carry a run'
  if (reply.decision !== 'reply' && runs.length === 0) return `${reply.decision} needs a run`
  if (runs.length > 3) return 'at most 3 runs'
  return null
}

const chatRules = ({ content }: z.infer<typeof chatReply>): string | null =>
  isBlank(content) ? 'content is empty' : null

/** The runs of a decision, whichever of the two forms it used. */
export const runsOf = ({ run, runs }: Decision): RunRequest[] => runs ?? (run === null ? [] : [run])

/** A run's input given as an object is taken as its text; which conversation it belongs to is never the model's to say (C52). */
function tidyDecision(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { run = null, runs = null, ...rest } = value
  return { ...rest, run: tidyRun(run), runs: Array.isArray(runs) ? tidyRuns(runs) : runs }
}

const tidyRuns = (runs: unknown[]): unknown => (runs.length === 0 ? null : runs.map(tidyRun))

function tidyRun(value: unknown): unknown {
  if (!isRecord(value)) return value
  const run: Record<string, unknown> = { title: null, ...value, conversation_id: null }
  if (typeof run.input === 'object' && run.input !== null) run.input = JSON.stringify(run.input)
  return run
}

export const decisionContracts = {
  decision: { reply: decisionReply, rules: decisionRules, tidy: tidyDecision },
  chat: { reply: chatReply, rules: chatRules },
}
export type DecisionInputs = Record<keyof typeof decisionContracts, DecisionInput>
