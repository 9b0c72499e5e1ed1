import { z } from 'zod'
import { type ActInput, actReply, actRules, tidyAct } from './contracts/act.ts'
import {
  planCallReply,
  planCallRules,
  type RoundInput,
  summaryReply,
  thinkReply,
  thinkRules,
  tidyPlanCall,
} from './contracts/batch.ts'
import { type FollowUpInput, followUpReply, followUpRules } from './contracts/follow-up.ts'
import {
  evaluateReply,
  evaluateRules,
  type MissionInput,
  missionReply,
  missionReportReply,
  missionReportRules,
  missionRules,
} from './contracts/mission.ts'
import type { Author } from './domain/message.ts'
import type { RunStatus } from './domain/run.ts'
import { normalised, sameItem } from './domain/same-item.ts'
import type { Clarification, Conclusion, Observation, PlanItem } from './domain/task.ts'

/*
 * What a model is asked and what it may answer, one contract a request (R35). The schemas use only what strict
 * function calling takes: no optional keys, no records, no lengths. The rules that a schema cannot say are checked by
 * `readReply`, which turns every violation into one sentence that goes back to the model.
 */

/** A tool as the model sees it. */
export interface ToolCard {
  name: string
  description: string
  /** Of a tool that others run: their description is data, and their schema says how the input is written (S4). */
  origin?: ToolOrigin
}

/** Whose a tool is that others run, and the JSON schema of its input, which is then one JSON object as text. */
export interface ToolOrigin {
  readonly server: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Something that people agreed to have remembered and that holds here (F30). */
export interface FactNote {
  name: string
  key: string | null
  text: string
}

/** What the team says about Clew's work for it: words of its own, and which skills can be read. */
export interface TeamWords {
  readonly instructions: string | null
  readonly skills: readonly { readonly name: string; readonly description: string }[]
}

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

/** What the driver adds to a strategy's view of its task. */
export interface Surroundings {
  tools: readonly ToolCard[]
  /** The same for as long as one worker has the task, so that prompts keep their beginning. */
  facts?: readonly FactNote[]
  team?: TeamWords
  locale: string
  timeZone: string
  now: string
}

/** What all contracts of a task know (R26 to R28, F3). */
export interface TaskInput extends Surroundings {
  goal: string
  unattended: boolean
  /** Why the previous reply to the same request was refused; null when it was not. */
  refusal: string | null
}

export interface LoopInput extends TaskInput {
  planItems: readonly PlanItem[]
  currentPlanIndex: number
  observations: readonly Observation[]
  clarifications: readonly Clarification[]
  conclusions: readonly Conclusion[]
  stepCount: number
  maxSteps: number
  successfulSteps: number
  failedSteps: number
}

export interface ThoughtInput extends LoopInput {
  /** The goal itself when the plan is empty (C6). */
  currentItem: string
  /** After repeated failures only `ask_user` or `done` is accepted (R17). */
  mustStop: boolean
}

export interface ReplanInput extends LoopInput {
  /** What people said since the last plan or replan. */
  newClarifications: readonly Clarification[]
  /** The open items, in order. */
  remainingPlan: readonly string[]
}

/** What a summary is made from (F31), oldest first. */
export interface SummaryInput {
  messages: readonly { role: 'user' | 'assistant'; author: string | null; text: string }[]
  locale: string
  timeZone: string
  now: string
  refusal: string | null
}

const RunRequest = z.object({
  type: z.string().describe('One of the run types that are offered.'),
  title: z.string().nullable().describe('A short name for people, in their language.'),
  conversation_id: z.string().nullable().describe('Null.'),
  input: z.string().describe('A JSON object as text, as the run type describes.'),
})
export type RunRequest = z.infer<typeof RunRequest>

const replies = {
  /** R91 to R98, C56. */
  decision: z.object({
    decision: z.enum(['reply', 'run', 'reply_and_run']),
    reply: z.object({ content: z.string() }).nullable(),
    run: RunRequest.nullable(),
    runs: z.array(RunRequest).nullable().describe('Only for 2 or 3 runs that follow one another; else null.'),
    confidence: z.number().describe('From 0 to 1.'),
    reason: z.string().describe('One short sentence for the operator.'),
  }),
  /** R118. */
  chat: z.object({ content: z.string() }),
  /** F31. */
  conversation_summary: z.object({ summary: z.string(), open_points: z.array(z.string()) }),
  /** R29: nothing else, above all no answer. */
  plan: z.strictObject({ status: z.literal('planned'), plan: z.array(z.string()) }),
  /** R30 to R33. */
  thought: z.object({
    status: z.enum(['continue', 'ask_user', 'done']),
    current_step: z.string(),
    next_action: z.object({ tool: z.string(), input: z.string() }).nullable(),
    question: z.string().nullable(),
    choices: z.array(z.string()).nullable().describe('With a question: up to 5 short answers; else null.'),
    response: z.string().nullable(),
  }),
  /** R34. */
  replan: z.object({
    status: z.enum(['replanned', 'done']),
    plan: z.array(z.string()),
    response: z.string().nullable(),
  }),
  follow_up: followUpReply,
  plan_tool_call: planCallReply,
  think: thinkReply,
  summary: summaryReply,
  act: actReply,
  mission: missionReply,
  evaluate: evaluateReply,
  mission_report: missionReportReply,
}

export interface ContractInputs {
  decision: DecisionInput
  chat: DecisionInput
  conversation_summary: SummaryInput
  plan: TaskInput
  thought: ThoughtInput
  replan: ReplanInput
  follow_up: FollowUpInput
  plan_tool_call: RoundInput
  think: RoundInput
  summary: RoundInput
  act: ActInput
  mission: MissionInput
  evaluate: MissionInput
  mission_report: MissionInput
}

/** The input of all of these contracts at once, as far as a strategy has to say it. */
export type TaskView<C extends ContractName> = Omit<Every<C>, keyof Surroundings>
type Every<C extends ContractName> = (C extends C ? (input: ContractInputs[C]) => void : never) extends (
  input: infer I,
) => void
  ? I
  : never
export type ContractName = keyof ContractInputs
export type ContractReplies = { [N in ContractName]: z.infer<(typeof replies)[N]> }

export const contractNames = Object.keys(replies) as ContractName[]

/** The schema of a contract's reply, for the function that the model is made to call. */
export function replySchema(contract: ContractName): z.ZodObject {
  return replies[contract]
}

export type Reading<T> = { ok: true; reply: T } | { ok: false; problem: string }

/**
 * Checks a model's value against its contract: the shape first, then the rules between fields.
 *
 * @returns the typed reply, or one sentence that says what was wrong, for the trace and for the next request.
 */
export function readReply<N extends ContractName>(
  contract: N,
  input: ContractInputs[N],
  value: unknown,
): Reading<ContractReplies[N]> {
  const tidied = tidy[contract]?.(withoutThinking(value)) ?? withoutThinking(value)
  const parsed = replies[contract].safeParse(fillEmpty(replies[contract], tidied))
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
  const reply = parsed.data as ContractReplies[N]
  const problem = rules[contract](reply, input)
  return problem === null ? { ok: true, reply } : { ok: false, problem }
}

/** Ways of writing the same that only one contract knows (C11). */
const tidy: Partial<Record<ContractName, (value: unknown) => unknown>> = {
  plan_tool_call: tidyPlanCall,
  act: tidyAct,
}

/** What a model thought aloud before a text of its reply is nobody's to read (R42, F3). */
function withoutThinking(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^\s*<think>[\s\S]*?<\/think>\s*/i, '')
  if (Array.isArray(value)) return value.map(withoutThinking)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutThinking(held)]))
}

/**
 * Reads the ways in which models say "nothing" as what they mean: a missing key that may be null is null, and so is a
 * next action of blanks; a key that the contract does not know and that holds nothing is no key. A run's input given as
 * an object is taken as its text.
 */
function fillEmpty(schema: z.ZodObject, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const filled: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).filter(([key, held]) => key in schema.shape || !saysNothing(held)),
  )
  if ('next_action' in schema.shape && saysNothing(filled.next_action)) filled.next_action = null
  for (const [key, field] of Object.entries(schema.shape)) {
    if (filled[key] === undefined && z.safeParse(field as z.ZodType, null).success) filled[key] = null
  }
  for (const key of ['run', 'runs'] as const) {
    if (key in schema.shape) filled[key] = runInputsAsText(filled[key])
  }
  return filled
}

function runInputsAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(runInputsAsText)
  if (typeof value !== 'object' || value === null) return value
  // Which conversation a run belongs to is never the model's to say (C52).
  const run: Record<string, unknown> = { title: null, ...value, conversation_id: null }
  if (typeof run.input === 'object' && run.input !== null) run.input = JSON.stringify(run.input)
  return run
}

/** Null, blank text, or a list or object of such. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return blank(value)
  if (typeof value === 'object' && value !== null) return Object.values(value).every(saysNothing)
  return value === null || value === undefined
}

const blank = (text: string | null) => text === null || text.trim() === ''

type Rules = { [N in ContractName]: (reply: ContractReplies[N], input: ContractInputs[N]) => string | null }

const rules: Rules = {
  decision(reply) {
    const runs = runsOf(reply)
    if (!(reply.confidence >= 0 && reply.confidence <= 1)) return 'confidence must be from 0 to 1'
    if (reply.decision !== 'run' && blank(reply.reply?.content ?? null)) return `${reply.decision} needs reply.content`
    if (reply.decision === 'reply' && runs.length > 0) return 'reply must not carry a run'
    if (reply.decision !== 'reply' && runs.length === 0) return `${reply.decision} needs a run`
    if (runs.length > 3) return 'at most 3 runs'
    return null
  },
  conversation_summary: summaryProblem,
  chat: (reply) => (blank(reply.content) ? 'content is empty' : null),
  plan: (reply) => (reply.plan.some(blank) ? 'a plan item is blank' : null),
  thought(reply, input) {
    switch (reply.status) {
      case 'continue':
        return continueProblem(reply, input)
      case 'ask_user':
        if (blank(reply.current_step) || blank(reply.question)) return 'ask_user needs current_step and question'
        if (reply.next_action !== null || !blank(reply.response))
          return 'ask_user must not carry next_action or response'
        return null
      case 'done':
        if (reply.next_action !== null || !blank(reply.question)) return 'done must not carry next_action or question'
        return null
    }
  },
  replan(reply) {
    if (reply.status === 'done') return blank(reply.response) ? 'done needs a response' : null
    if (reply.plan.length === 0) return 'replanned needs a plan that is not empty'
    return reply.plan.some(blank) ? 'a plan item is blank' : null
  },
  follow_up: followUpRules,
  plan_tool_call: planCallRules,
  think: thinkRules,
  summary: (reply) => (blank(reply.content) ? 'content is empty' : null),
  act: actRules,
  mission: missionRules,
  evaluate: evaluateRules,
  mission_report: missionReportRules,
}

function continueProblem(reply: ContractReplies['thought'], input: ThoughtInput): string | null {
  if (input.mustStop) return 'after these failures only ask_user or done is accepted'
  if (input.planItems.length === 0) return 'the plan is empty: only ask_user or done is accepted'
  if (blank(reply.current_step)) return 'continue needs current_step'
  if (reply.next_action === null || blank(reply.next_action.input))
    return 'continue needs next_action.tool and next_action.input'
  if (!blank(reply.question) || !blank(reply.response)) return 'continue must not carry question or response'
  const tool = reply.next_action.tool
  if (!input.tools.some((card) => card.name === tool))
    return `there is no tool "${tool}"; the tools are ${input.tools.map((card) => card.name).join(', ')}`
  const elsewhere = input.planItems.findIndex((item) => sameItem(item.text, reply.current_step))
  if (elsewhere !== -1 && elsewhere !== input.currentPlanIndex && !sameItem(input.currentItem, reply.current_step))
    return `the current step is "${input.currentItem}"; steps are worked in order`
  return null
}

/** The runs of a decision, whichever of the two forms it used. */
export function runsOf(reply: ContractReplies['decision']): RunRequest[] {
  return reply.runs ?? (reply.run === null ? [] : [reply.run])
}

/** A message of at least so many letters would be recognised as it was said. */
const recognisable = 40
const longestSummary = 3_000

/** F31: a summary says what was said in other words. */
function summaryProblem(
  { summary, open_points }: ContractReplies['conversation_summary'],
  { messages }: SummaryInput,
): string | null {
  if (blank(summary)) return 'summary is empty'
  const whole = [summary, ...open_points].join('\n')
  if (whole.length > longestSummary) return `at most ${longestSummary} characters in all`
  const said = normalised(whole)
  const raw = messages.some(({ text }) => normalised(text).length >= recognisable && said.includes(normalised(text)))
  return raw ? 'a message is repeated as it was said; say it in other words' : null
}
