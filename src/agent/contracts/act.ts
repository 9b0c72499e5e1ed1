import { z } from 'zod'
import type { TrackedPlan } from '../domain/tracked-plan.ts'
import { callsProblem, tidyCall } from './calls.ts'
import { defineContract } from './contract.ts'
import { isRecord } from './forgiving.ts'
import type { LoopInput } from './input.ts'

/** Input of a request for a free step. */
export interface ActInput extends LoopInput {
  plan: TrackedPlan | null
  /** A person has just said "continue": the request opens with how far it is (R85). */
  resumed: boolean
  /** After repeated failures only a final text or a question is accepted (R17). */
  mustStop: boolean
  /** The report beside the last calls was not shown (C579). */
  unshown?: boolean
}

/** More at once is no plan but a flood. */
const callsMost = 16

/**
 * Reply of a free agent in one turn: words, calls, or both. Words without a call are the final
 * answer (R73, C39).
 */
export const act = defineContract({
  reply: z.object({
    text: z.string().nullable(),
    calls: z.array(z.object({ tool: z.string(), input: z.string() })),
  }),
  rules(reply, input: ActInput) {
    if (reply.calls.length === 0) return null
    if (input.open != null) return 'your question is open: answer in words, without a call'
    if (reply.calls.length > callsMost) return `at most ${callsMost} calls at once`
    if (input.mustStop && reply.calls[0]?.tool !== 'ask_user')
      return 'after these failures only a final text or ask_user is accepted'
    return callsProblem(reply.calls, input)
  },
  tidy(value) {
    if (!isRecord(value)) return value
    const { text = null, calls, ...rest } = value
    const list = Array.isArray(calls) ? calls.map(tidyCall) : (calls ?? [])
    return { ...rest, text, calls: list }
  },
})
