import { recallCard } from '../contracts/calls.ts'
import { readOn, recallMost, uncut } from '../domain/cut.ts'
import type { Observation, Task } from '../domain/task.ts'
import type { Tool, ToolResult } from '../ports/tool.ts'

/**
 * A tool over the task itself: prompts fold what is long past, and the task keeps the originals. It
 * is there from the beginning, so that the list of tools never changes (C140).
 */
export function recallOf({ observations, strategy }: Task): Tool | null {
  if (strategy === 'coding') return null
  return {
    ...recallCard,
    effect: 'none',
    run: async (input) => recalled(observations, input),
  }
}

function recalled(observations: readonly Observation[], input: string): ToolResult {
  const { name, from } = readOn(input)
  const [, step] = /^(?:step)? ?#?(\d{1,6}),?$/i.exec(name) ?? []
  const found = observations.find((one) => one.step === Number(step))
  if (found !== undefined) return page(found, from ?? 0)
  return {
    ok: false,
    text: `there is no such step; the steps are ${observations.map((one) => one.step).join(', ')}`,
  }
}

/** A part of a result; the notes around it say which, and what follows (C493). */
function page({ step, ok, result }: Observation, from: number): ToolResult {
  const { kept, whole } = uncut(result)
  if (from >= kept.length && from > 0)
    return { ok: false, text: `${kept.length} of ${whole} characters of step ${step} were kept` }
  const shown = kept.slice(from).slice(0, recallMost)
  const end = from + shown.length
  const left = whole - end
  const next =
    end < kept.length
      ? `recall "${step} from ${end}" reads on`
      : 'they were not kept: narrow the call itself to see them'
  const head = from === 0 ? '' : `Characters ${from} to ${end} of ${whole}:\n`
  return {
    ok,
    text: `${head}${shown}${left > 0 ? `\n[${left} of ${whole} characters follow; ${next}]` : ''}`,
  }
}
