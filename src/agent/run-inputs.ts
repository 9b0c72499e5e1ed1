import { z } from 'zod'
import { cleanTexts, jsonIn } from './domain/clean-text.ts'
import { batchSizeNames } from './strategies/batch-sizes.ts'

/**
 * A kind of work that a Decision may start. The operator allows some of them (R98,
 * `AGENT_ALLOWED_RUN_TYPES`).
 */
export interface RunType {
  type: string
  /** For the Decision: what it is for and what its input holds. */
  description: string
  input: z.ZodType<Record<string, unknown>>
}

/**
 * `strategy` is how it is worked on, `size` how big a batch is (R59); both are the settings' where
 * they are left out.
 */
export const AgentTaskInput = z.object({
  goal: z.string().trim().min(1),
  strategy: z.string().optional().catch(undefined),
  size: z.enum(batchSizeNames).optional().catch(undefined),
})

export const CodingInput = z.object({ goal: z.string().trim().min(1) })

/**
 * Result of a task and its strategy, as input of a follow-up (R121). No Decision may start this
 * type.
 */
export const FollowUpInput = z.object({
  result: z.string(),
  strategy: z.string().optional().catch(undefined),
})

/**
 * Number of runs in a group, and the end of the wait for them, in milliseconds since the epoch
 * (C123).
 */
export const GatherInput = z.object({ size: z.int(), until: z.number() })

/**
 * A run's input as the Decision gave it: JSON text of an object that fits the type.
 *
 * @returns the input, or a sentence that says what is wrong with it.
 */
export function readRunInput(
  type: RunType,
  text: string,
): { ok: true; input: Record<string, unknown> } | { ok: false; problem: string } {
  const value = jsonIn(text)
  if (value === undefined) return { ok: false, problem: 'the input is not JSON' }
  const parsed = type.input.safeParse(cleanTexts(value))
  return parsed.success
    ? { ok: true, input: parsed.data }
    : { ok: false, problem: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
}

/** For a Decision that may choose how a task is worked on. */
export function strategyChoice(
  outside: readonly { name: string; description: string }[] = [],
): string {
  const more = outside.map(
    ({ name, description }) => ` Another "strategy" is "${name}": ${description}`,
  )
  return [ownChoice, ...more].join('')
}

const ownChoice =
  'It may also hold "strategy": "free" (the usual one), "batch" only where every call is known now and none needs what another finds, or "step" where a person should see each result before the next, and whenever people ask for care; and for "batch" "size": "simple", "medium" or "complex". Say in "reason" why.'
