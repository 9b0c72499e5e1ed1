import { z } from 'zod'
import type { TrackedPlan } from '../domain/tracked-plan.ts'
import { callsProblem, inputText } from './calls.ts'
import { isBlank, isRecord } from './forgiving.ts'
import type { LoopInput } from './input.ts'

/** What a free step is told. */
export interface ActInput extends LoopInput {
  plan: TrackedPlan | null
  /** A person has just said "continue": the request opens with how far it is (R85). */
  resumed: boolean
  /** After repeated failures only a final text or a question is accepted (R17). */
  mustStop: boolean
}

/** One turn of a free agent: words, calls, or both. Words without a call are the final answer (R73, C39). */
const actReply = z.object({
  text: z.string().nullable(),
  calls: z.array(z.object({ tool: z.string(), input: z.string() })),
})

/** More at once is no plan but a flood. */
const callsMost = 16

function actRules(reply: z.infer<typeof actReply>, input: ActInput): string | null {
  if (reply.calls.length === 0) return isBlank(reply.text) ? 'the reply has neither words nor a call' : null
  if (reply.calls.length > callsMost) return `at most ${callsMost} calls at once`
  if (input.mustStop && reply.calls[0]?.tool !== 'ask_user')
    return 'after these failures only a final text or ask_user is accepted'
  return callsProblem(reply.calls, input)
}

function tidyAct(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { text = null, calls, ...rest } = value
  const list = Array.isArray(calls) ? calls.map(tidyCall) : (calls ?? [])
  return { ...rest, text, calls: list }
}

function tidyCall(call: unknown): unknown {
  if (!isRecord(call)) return call
  return { ...call, input: inputText('input' in call ? call.input : call.arguments) }
}

export const actContracts = { act: { reply: actReply, rules: actRules, tidy: tidyAct } }
export interface ActInputs {
  act: ActInput
}
