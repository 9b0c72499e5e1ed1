import type { Observation, Task } from '../domain/task.ts'
import { turnsKept } from '../model/exchanges.ts'
import type { Tool, ToolResult } from '../ports/tool.ts'

const description =
  'Shows what an earlier call of this task resulted in, when it no longer stands above in full. The input is the number of its step, such as 4.'

/** What the smallest window of a model that can work on tasks shows in full. */
const charactersInFull = 20_000

/**
 * A tool over the task itself: prompts fold what is long past, and the task keeps the originals. Null while prompts show all
 * of it; from then on it stays, so that the list of tools changes once.
 */
export function recallOf({ observations, conclusions, strategy }: Task): Tool | null {
  const characters = observations.reduce((sum, { result }) => sum + result.length, 0)
  const isFolded = conclusions.length > 0 || observations.length > turnsKept || characters > charactersInFull
  if (strategy === 'coding' || observations.length === 0 || !isFolded) return null
  return { name: 'recall', effect: 'none', description, run: async (input) => recalled(observations, input) }
}

function recalled(observations: readonly Observation[], input: string): ToolResult {
  const step = /^\s*(?:step\s*)?#?(\d{1,6})\s*$/i.exec(input)?.[1]
  const found = observations.find((one) => one.step === Number(step))
  if (found !== undefined) return { ok: found.ok, text: found.result }
  return { ok: false, text: `there is no such step; the steps are ${observations.map((one) => one.step).join(', ')}` }
}
