import type { Observation, Task } from '../domain/task.ts'
import type { Tool, ToolResult } from '../ports/tool.ts'

const description =
  'Shows the result of an earlier step again where it is folded. The input is its number.'

/**
 * A tool over the task itself: prompts fold what is long past, and the task keeps the originals. It is there from the beginning, so
 * that the list of tools never changes (C140).
 */
export function recallOf({ observations, strategy }: Task): Tool | null {
  if (strategy === 'coding') return null
  return {
    name: 'recall',
    effect: 'none',
    description,
    run: async (input) => recalled(observations, input),
  }
}

function recalled(observations: readonly Observation[], input: string): ToolResult {
  const step = /^\s*(?:step\s*)?#?(\d{1,6})\s*$/i.exec(input)?.[1]
  const found = observations.find((one) => one.step === Number(step))
  if (found !== undefined) return { ok: found.ok, text: found.result }
  return {
    ok: false,
    text: `there is no such step; the steps are ${observations.map((one) => one.step).join(', ')}`,
  }
}
