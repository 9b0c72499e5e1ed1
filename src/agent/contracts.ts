import { z } from 'zod'
import { act } from './contracts/act.ts'
import { plan_tool_call, summary, think } from './contracts/batch.ts'
import type { Contract } from './contracts/contract.ts'
import { conversation_summary } from './contracts/conversation-summary.ts'
import { chat, decision, overheard } from './contracts/decision.ts'
import { follow_up } from './contracts/follow-up.ts'
import { fillEmpty, isRecord, thoughtless } from './contracts/forgiving.ts'
import type { Surroundings } from './contracts/input.ts'
import { evaluate, mission, mission_report } from './contracts/mission.ts'
import { plan, replan, thought } from './contracts/step.ts'
import { isWrittenCall } from './contracts/written-calls.ts'
import { cleanTexts } from './domain/clean-text.ts'
import { fitted } from './domain/fit.ts'
import { memoized } from './domain/memoized.ts'

/*
 * What a model is asked and what it may answer, one contract a request (R35). The schemas use only
 * what strict function calling takes: no optional keys, no records, no lengths. The rules that a
 * schema cannot say are checked by `readReply`, which turns every violation into one sentence that
 * goes back to the model.
 */

const made = {
  decision,
  overheard,
  chat,
  conversation_summary,
  follow_up,
  plan,
  thought,
  replan,
  plan_tool_call,
  think,
  summary,
  act,
  mission,
  evaluate,
  mission_report,
}
export type ContractName = keyof typeof made
export type ContractInputs = { [N in ContractName]: Parameters<(typeof made)[N]['rules']>[1] }
export type ContractReplies = { [N in ContractName]: z.infer<(typeof made)[N]['reply']> }

const contracts: { [N in ContractName]: Contract<(typeof made)[N]['reply'], ContractInputs[N]> } =
  made

export const contractNames = Object.keys(made) as ContractName[]

/** Contracts of incoming messages, asked of the deciding model within its timeout. */
export const deciding: readonly ContractName[] = ['decision', 'overheard', 'chat']

/** The input of all of these contracts at once, as far as a strategy has to say it. */
export type TaskView<C extends ContractName> = Omit<Every<C>, keyof Surroundings>
type Every<C extends ContractName> = (
  C extends C
    ? (input: ContractInputs[C]) => void
    : never
) extends (input: infer I) => void
  ? I
  : never

/** The schema of a contract's reply, for the function that the model is made to call. */
export function replySchema(contract: ContractName): z.ZodObject {
  return contracts[contract].reply
}

/**
 * The text for people in a reply that is still being written, where its contract has one and its
 * outcome is known (C150).
 */
export const finalText = (
  contract: ContractName,
  partial: Readonly<Record<string, unknown>>,
): unknown => contracts[contract].final?.(partial) ?? null

export type Reading<T> = { ok: true; reply: T } | { ok: false; problem: string }

/**
 * Checks a model's value against its contract: the shape first, then the rules between fields. Its
 * texts are made clean (P17).
 *
 * @returns the typed reply, or one sentence that says what was wrong, for the trace and for the
 *   next request.
 */
export function readReply<N extends ContractName>(
  contract: N,
  input: ContractInputs[N],
  value: unknown,
): Reading<ContractReplies[N]> {
  const said = fitted(thoughtless(cleanTexts(value)), jsonSchemaOf(contract))
  const { reply: schema, rules, tidy, fill } = contracts[contract]
  const parsed = schema.safeParse(fillEmpty(schema, tidy?.(said) ?? said))
  if (!parsed.success)
    return { ok: false, problem: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
  const reply = parsed.data as ContractReplies[N]
  const tools = 'tools' in input ? (input.tools ?? []).map(({ name }) => name) : []
  const problem = writesCall(reply, tools) ? written : rules(reply, input)
  if (problem !== null) return { ok: false, problem }
  return { ok: true, reply: (fill?.(reply, input) ?? reply) as ContractReplies[N] }
}

const jsonSchemaOf = memoized((contract: ContractName) => z.toJSONSchema(replySchema(contract)))

const written =
  'a call is written as words, and nothing was called; make it a real call, or say in plain words what there is to say'
/** Fields whose text people read. */
const forPeople = ['content', 'response', 'question', 'user_summary', 'report', 'summary', 'text']

/** C350: words beside calls that are made are no report. */
function writesCall(reply: unknown, tools: readonly string[]): boolean {
  if (!isRecord(reply) || (Array.isArray(reply.calls) && reply.calls.length > 0)) return false
  return Object.entries(reply).some(
    ([key, held]) =>
      (key === 'reply' && writesCall(held, tools)) ||
      (typeof held === 'string' && forPeople.includes(key) && isWrittenCall(held, tools)),
  )
}
