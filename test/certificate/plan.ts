import { createRandom } from '../soak/plan.ts'

/** Slack waits so long for an acknowledgement, and the model takes so long to answer. */
export const [ackMs, modelMs] = [3_000, 150]

export interface Size {
  /** All messages; the last one of each thread is said when the kills are over and nothing happens any more. */
  messages: number
  threads: number
  channels: number
  /** Time in which all but the last messages are said. */
  overMs: number
  /** So many kills; infinity: until the platform has nothing left to deliver. */
  kills: number
  /** The platform's minute: of its pauses between tries, its rate limits and the three that its API is away. */
  minuteMs: number
  /** Nothing happens any more when nothing was posted for so long: longer than any lock of a peer holds. */
  quietMs: number
}

export const whole: Size = {
  messages: 500,
  threads: 60,
  channels: 12,
  overMs: 60_000,
  kills: Number.POSITIVE_INFINITY,
  minuteMs: 3_000,
  quietMs: 35_000,
}

export interface Saying {
  number: number
  /** Since the beginning, in milliseconds. */
  at: number
  thread: number
}

/** All that is random of a run, from one seed. */
export function planOf(seed: number, size: Size) {
  const random = createRandom(seed)
  const { messages, threads, overMs } = size
  const talk = Array.from({ length: messages - threads }, (_, index) =>
    index < threads ? index : Math.floor(random() * threads),
  )
  const instants = talk.map(() => random() * overMs).sort((a, b) => a - b)
  const sayings = shuffle(talk, random).map(
    (thread, index): Saying => ({ number: index + 1, at: instants[index] ?? 0, thread }),
  )
  const closings = Array.from(
    { length: threads },
    (_, thread): Saying => ({ number: sayings.length + thread + 1, at: thread * 100, thread }),
  )
  const [uptimes, faults, repeats] = [1, 2, 3].map((part) => createRandom(seed * 10 + part))
  return {
    sayings,
    closings,
    /** How long a process lives after it listens: a second on average. */
    uptime: () => 200 + 1_600 * (uptimes?.() ?? 0),
    fault: () => faultAt(faults?.() ?? 1),
    /** One event of ten comes once more. */
    repeatMs: () => ((repeats?.() ?? 1) < 0.1 ? 500 + 4_000 * (repeats?.() ?? 0) : null),
  }
}

/** Of 100 calls of the API, 3 are sent away, 2 are done and their answers cut, and 2 are lost or answered with an error. */
function faultAt(drawn: number) {
  if (drawn < 0.03) return '429'
  if (drawn < 0.05) return 'cut_after'
  if (drawn < 0.06) return 'lost_before'
  return drawn < 0.07 ? '500_after' : null
}

function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
