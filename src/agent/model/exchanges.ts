import type { LoopInput } from '../contracts/input.ts'
import { cut } from '../domain/cut.ts'
import type { Observation, SentMessage } from '../domain/task.ts'
import { fence, observationLimit, shownResult } from './fence.ts'
import { type Entry, foldedIn, foldedOf, inOrder } from './transcript.ts'

/** Calls that were decided together, and the result of every one of them (C15). */
export interface Exchange {
  /** Text beside the calls; null if there was none. */
  said: string | null
  calls: readonly { id: string; tool: string; input: string; result: string }[]
  /** The message that made them, as it came. */
  sent?: SentMessage | undefined
}

/**
 * Lists rounds, oldest first: their calls with results (R52), and the summary that people read at
 * their end. The newest `openRounds` that have ended and the one in progress are in full; of older
 * ones only the summary remains.
 *
 * @param stride length in characters at which results of ended rounds are folded, all at once
 * (C140).
 */
export function roundsOf(input: LoopInput, openRounds: 0 | 1, stride = 0): (string | Exchange)[] {
  const { conclusions, upTo } = foldedIn(input, openRounds, stride)
  return inOrder<Exchange>(input, [
    ...conclusions.map(({ step, text, analysis }) => {
      const told = fence('plan', { summary: text ?? '', analysis })
      const part = `[step ${step}] A round ended. People were told the summary:\n${told}`
      return { step, part }
    }),
    ...exchangesOf(input.observations.filter(({ step }) => step > upTo)),
  ])
}

/**
 * True if the results of the round or item that ends now are still in full when the next one
 * begins.
 */
export function resultsStay({ conclusions, observations }: LoopInput, stride: number): boolean {
  const last = Math.max(-1, ...observations.map(({ step }) => step))
  const steps = conclusions.map(({ step }) => step).sort((a, b) => a - b)
  const closed = [...steps, last].map((step) => ({ step }))
  return foldedOf({ observations }, closed, stride) < closed.length
}

/**
 * Turns that stay in full however many there are, and how many are folded at once, so that a cache
 * holds in between.
 */
const turnsKept = 30
const foldedAtOnce = 10

/** Lists the turns of a free loop, oldest first; of old ones only the calls remain. */
export function turnsOf(input: LoopInput): (string | Exchange)[] {
  const turns = [...new Set(input.observations.map(({ turn }) => turn))]
  const excess = Math.max(0, turns.length - turnsKept)
  const gone = new Set(turns.slice(0, Math.floor(excess / foldedAtOnce) * foldedAtOnce))
  const old = input.observations.filter(({ turn }) => gone.has(turn))
  const lines = old.map(
    (one) =>
      `[step ${one.step}] ${one.tool} ${one.ok ? 'succeeded' : 'failed'}: ${cut(one.input, 200)}`,
  )
  const part = `Earlier calls, in short; recall shows their results:\n${fence('tool', { calls: lines })}`
  return inOrder<Exchange>(input, [
    ...old.slice(-1).map(({ step }) => ({ step, part })),
    ...exchangesOf(input.observations.filter(({ turn }) => !gone.has(turn))),
  ])
}

/**
 * Each stands where its reply was made: words that came meanwhile, which it did not know, follow it
 * (C541).
 */
function exchangesOf(observations: readonly Observation[]): Entry<Exchange>[] {
  const turns = Map.groupBy(observations, (one) => one.turn ?? one.step)
  return [...turns].map(([turn, calls]) => ({
    step: turn,
    part: {
      said: calls[0]?.said ?? null,
      sent: calls[0]?.sent,
      calls: calls.map((one) => ({
        id: idOf(one.step),
        tool: one.tool,
        input: cut(one.input, observationLimit),
        result: resultText(one),
      })),
    },
  }))
}

/** Nine letters and digits, the only ids that Mistral takes. */
const idOf = (step: number) => `call${String(step).padStart(5, '0')}`

/** Results are data, no matter who wrote them (S4). */
function resultText({ ok, result, step }: Observation): string {
  const problem = result.startsWith('skipped: ') ? 'not made' : 'failed'
  const outcome = ok ? 'ok' : problem
  return `[step ${step}] ${outcome}\n${fence('tool', { result: shownResult(result, step) })}`
}

/** For endpoints that know no calls: the same as text. */
export function exchangeText(part: string | Exchange): string {
  if (typeof part === 'string') return part
  const said = part.said === null ? [] : [`You said:\n${fence('plan', { text: part.said })}`]
  const calls = part.calls.map(
    ({ tool, input, result }) => `You called ${tool}:\n${fence('plan', { input })}\n${result}`,
  )
  return [...said, ...calls].join('\n\n')
}
