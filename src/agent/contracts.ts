import { z } from 'zod'
import { type ActInput, actReply, actRules, tidyAct } from './contracts/act.ts'
import {
  planCallReply,
  planCallRules,
  type RoundInput,
  summaryReply,
  summaryRules,
  thinkReply,
  thinkRules,
  tidyPlanCall,
} from './contracts/batch.ts'
import {
  conversationSummaryReply,
  conversationSummaryRules,
  type SummaryInput,
} from './contracts/conversation-summary.ts'
import {
  chatReply,
  chatRules,
  type DecisionInput,
  decisionReply,
  decisionRules,
  tidyDecision,
} from './contracts/decision.ts'
import { type FollowUpInput, followUpReply, followUpRules } from './contracts/follow-up.ts'
import { fillEmpty, withoutThinking } from './contracts/forgiving.ts'
import type { Surroundings, TaskInput } from './contracts/input.ts'
import {
  evaluateReply,
  evaluateRules,
  type MissionInput,
  missionReply,
  missionReportReply,
  missionReportRules,
  missionRules,
} from './contracts/mission.ts'
import {
  planReply,
  planRules,
  type ReplanInput,
  replanReply,
  replanRules,
  type ThoughtInput,
  thoughtReply,
  thoughtRules,
  tidyThought,
} from './contracts/step.ts'
import { cleanTexts } from './domain/clean-text.ts'

/*
 * What a model is asked and what it may answer, one contract a request (R35). The schemas use only what strict
 * function calling takes: no optional keys, no records, no lengths. The rules that a schema cannot say are checked by
 * `readReply`, which turns every violation into one sentence that goes back to the model.
 */

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
export type ContractName = keyof ContractInputs

const replies = {
  decision: decisionReply,
  chat: chatReply,
  conversation_summary: conversationSummaryReply,
  plan: planReply,
  thought: thoughtReply,
  replan: replanReply,
  follow_up: followUpReply,
  plan_tool_call: planCallReply,
  think: thinkReply,
  summary: summaryReply,
  act: actReply,
  mission: missionReply,
  evaluate: evaluateReply,
  mission_report: missionReportReply,
}
export type ContractReplies = { [N in ContractName]: z.infer<(typeof replies)[N]> }

export const contractNames = Object.keys(replies) as ContractName[]

type Rules = { [N in ContractName]: (reply: ContractReplies[N], input: ContractInputs[N]) => string | null }

const rules: Rules = {
  decision: decisionRules,
  chat: chatRules,
  conversation_summary: conversationSummaryRules,
  plan: planRules,
  thought: thoughtRules,
  replan: replanRules,
  follow_up: followUpRules,
  plan_tool_call: planCallRules,
  think: thinkRules,
  summary: summaryRules,
  act: actRules,
  mission: missionRules,
  evaluate: evaluateRules,
  mission_report: missionReportRules,
}

/** Ways of writing the same that only one contract knows (C11). */
const tidy: Partial<Record<ContractName, (value: unknown) => unknown>> = {
  decision: tidyDecision,
  thought: tidyThought,
  plan_tool_call: tidyPlanCall,
  act: tidyAct,
}

/** The input of all of these contracts at once, as far as a strategy has to say it. */
export type TaskView<C extends ContractName> = Omit<Every<C>, keyof Surroundings>
type Every<C extends ContractName> = (C extends C ? (input: ContractInputs[C]) => void : never) extends (
  input: infer I,
) => void
  ? I
  : never

/** The schema of a contract's reply, for the function that the model is made to call. */
export function replySchema(contract: ContractName): z.ZodObject {
  return replies[contract]
}

export type Reading<T> = { ok: true; reply: T } | { ok: false; problem: string }

/**
 * Checks a model's value against its contract: the shape first, then the rules between fields. Its texts are made clean
 * (P17).
 *
 * @returns the typed reply, or one sentence that says what was wrong, for the trace and for the next request.
 */
export function readReply<N extends ContractName>(
  contract: N,
  input: ContractInputs[N],
  value: unknown,
): Reading<ContractReplies[N]> {
  const said = withoutThinking(cleanTexts(value))
  const tidied = tidy[contract]?.(said) ?? said
  const parsed = replies[contract].safeParse(fillEmpty(replies[contract], tidied))
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
  const reply = parsed.data as ContractReplies[N]
  const problem = rules[contract](reply, input)
  return problem === null ? { ok: true, reply } : { ok: false, problem }
}
