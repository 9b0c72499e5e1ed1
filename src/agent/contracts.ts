import { z } from 'zod'
import { type ActInputs, actContracts } from './contracts/act.ts'
import { type BatchInputs, batchContracts } from './contracts/batch.ts'
import { type SummaryInputs, summaryContracts } from './contracts/conversation-summary.ts'
import { type DecisionInputs, decisionContracts } from './contracts/decision.ts'
import { type FollowUpInputs, followUpContracts } from './contracts/follow-up.ts'
import { fillEmpty, withoutThinking } from './contracts/forgiving.ts'
import type { Surroundings } from './contracts/input.ts'
import { type MissionInputs, missionContracts } from './contracts/mission.ts'
import { type StepInputs, stepContracts } from './contracts/step.ts'
import { cleanTexts } from './domain/clean-text.ts'

/*
 * What a model is asked and what it may answer, one contract a request (R35). The schemas use only what strict
 * function calling takes: no optional keys, no records, no lengths. The rules that a schema cannot say are checked by
 * `readReply`, which turns every violation into one sentence that goes back to the model.
 */

export interface ContractInputs
  extends ActInputs,
    BatchInputs,
    DecisionInputs,
    FollowUpInputs,
    MissionInputs,
    StepInputs,
    SummaryInputs {}
export type ContractName = keyof ContractInputs

const made = {
  ...decisionContracts,
  ...stepContracts,
  ...batchContracts,
  ...actContracts,
  ...missionContracts,
  ...followUpContracts,
  ...summaryContracts,
}
export type ContractReplies = { [N in ContractName]: z.infer<(typeof made)[N]['reply']> }

interface Contract<N extends ContractName> {
  reply: z.ZodObject
  /** What is wrong with a reply of the right shape, in a sentence for the model; null: nothing. */
  rules(reply: ContractReplies[N], input: ContractInputs[N]): string | null
  /** Ways of writing the same that only this contract knows (C11). */
  tidy?(value: unknown): unknown
}

const contracts: { [N in ContractName]: Contract<N> } = made

export const contractNames = Object.keys(made) as ContractName[]

/** The input of all of these contracts at once, as far as a strategy has to say it. */
export type TaskView<C extends ContractName> = Omit<Every<C>, keyof Surroundings>
type Every<C extends ContractName> = (C extends C ? (input: ContractInputs[C]) => void : never) extends (
  input: infer I,
) => void
  ? I
  : never

/** The schema of a contract's reply, for the function that the model is made to call. */
export function replySchema(contract: ContractName): z.ZodObject {
  return contracts[contract].reply
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
  const { reply: schema, rules, tidy } = contracts[contract]
  const parsed = schema.safeParse(fillEmpty(schema, tidy?.(said) ?? said))
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
  const reply = parsed.data as ContractReplies[N]
  const problem = rules(reply, input)
  return problem === null ? { ok: true, reply } : { ok: false, problem }
}
