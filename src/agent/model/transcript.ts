import type { LoopInput } from '../contracts/input.ts'
import { cut } from '../domain/cut.ts'
import { memoized } from '../domain/memoized.ts'
import type { Clarification, Conclusion, Observation } from '../domain/task.ts'
import { asked, fence, nameIn, observationLimit, shownResult } from './fence.ts'

/** Length of each folded result that is kept if its conclusion has no text, in characters. */
const excerptLimit = 300

/** Something that has happened, as a prompt tells it. */
export interface Entry<P = string> {
  step: number
  part: P
}

/**
 * Lists a task's events, oldest first, one entry each.
 *
 * The same history gives the same text, and more history only adds to its end. When a plan item is
 * closed, its observations are folded into its conclusion. So a provider's prompt cache holds from
 * one request to the next, and prompts stay bounded.
 *
 * @param open number of newest conclusions whose observations stay in full. The replan after a
 * subtask judges what just happened, so it sees one more than the next thought (R28).
 * @param stride length in characters at which observations of closed items are folded, all at once.
 * In between, each request extends the one before (C140).
 */
export function transcriptOf(input: LoopInput, open: 0 | 1, stride = 0): string[] {
  const { conclusions, folded, upTo } = foldedIn(input, open, stride)
  // At the same step: first what a tool answered, then what the thought made of it, then what
  // people said meanwhile.
  const entries: Entry[] = [
    ...input.observations.filter(({ step }) => step > upTo).map(observationEntry),
    ...conclusions.map((conclusion, index) => {
      const since = conclusions[index - 1]?.step ?? -1
      const isFolded = index < folded.length
      return conclusionEntry(
        conclusion,
        isFolded ? between(input.observations, since, conclusion.step) : [],
      )
    }),
  ]
  return inOrder(input, entries)
}

/**
 * The conclusions of a task in order, those of them whose observations are folded, and up to which
 * step that is.
 */
export function foldedIn(input: LoopInput, open: 0 | 1, stride: number) {
  const conclusions = input.conclusions.toSorted((a, b) => a.step - b.step)
  const closed = conclusions.slice(0, conclusions.length - open)
  const folded = closed.slice(0, foldedOf(input, closed, stride))
  return { conclusions, folded, upTo: folded.at(-1)?.step ?? -1 }
}

/** Returns how many of the closed items, or rounds, are folded. */
export function foldedOf(
  { observations }: Pick<LoopInput, 'observations'>,
  closed: readonly Pick<Conclusion, 'step'>[],
  stride: number,
): number {
  let folded = 0
  for (const [at, { step }] of closed.entries()) {
    const made = between(observations, closed[folded - 1]?.step ?? -1, step)
    if (made.reduce((sum, { result }) => sum + result.length, 0) >= stride) folded = at + 1
  }
  return folded
}

/**
 * Entries in order, with what people were told and said; the sort keeps the order of the list where
 * steps are equal.
 */
export const inOrder = <P = string>(
  input: LoopInput,
  entries: readonly Entry<P | string>[],
): (P | string)[] =>
  [...entries, ...saidEntries(input), ...input.clarifications.map(clarificationEntry)]
    .toSorted((a, b) => a.step - b.step)
    .map(({ part }) => part)

function between(observations: readonly Observation[], after: number, upTo: number): Observation[] {
  return observations.filter(({ step }) => step > after && step <= upTo)
}

/**
 * An observation never changes, so its entry is made once and not again for every request that
 * shows it.
 */
const observationEntry = memoized(({ step, tool, input, ok, result }: Observation): Entry => {
  const fields = {
    tool,
    input: cut(input, observationLimit),
    result: shownResult(result, step),
  }
  return {
    step,
    part: `[step ${step}] A tool call ${ok ? 'succeeded' : 'failed'}.\n${fence('tool', fields)}`,
  }
}, new WeakMap())

/**
 * Words that people were told beside the work, so that it is neither lost nor said again (C502).
 */
const saidEntries = ({ said = [] }: LoopInput): Entry[] =>
  said.map(({ step, text }) => ({
    step,
    part: `[step ${step}] You told people:\n${fence('plan', { text })}`,
  }))

function clarificationEntry(said: Clarification): Entry {
  const { step, question, choices, text, author } = said
  const fields = { author: nameIn(author.name), ...asked(question, choices), text }
  const what = question === null ? 'A person said something.' : 'A person answered your question.'
  return { step, part: `[step ${step}] ${what}\n${fence('person', fields)}` }
}

function conclusionEntry(
  { step, item, text, ok }: Conclusion,
  folded: readonly Observation[],
): Entry {
  const said = text?.trim() ?? ''
  const calls = folded.map((one) => `${one.step} ${one.tool} ${one.ok ? 'succeeded' : 'failed'}`)
  const excerpts = folded.map((one) => `[step ${one.step}] ${cut(one.result, excerptLimit)}`)
  const fields = {
    item,
    conclusion: said || null,
    'folded steps': calls.join(', ') || null,
    excerpts: said ? null : excerpts,
  }
  const closed = `A plan item was closed${ok ? '' : ' without success'}.`
  return { step, part: `[step ${step}] ${closed}\n${fence('plan', fields)}` }
}
