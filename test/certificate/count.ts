/** A message that somebody wrote to the system. */
export interface Said {
  number: number
  /** Channel and first message of its thread. */
  place: string
  /** In milliseconds, by the platform's clock. */
  at: number
  /** True if the system acknowledged an event of it; on Discord: if an open connection took it. */
  taken: boolean
}

/** A message of the system, as people see it at the end. */
export interface Shown {
  place: string
  at: number
  text: string
}

export interface Count {
  said: number
  /** Taken, and answered nowhere. */
  lost: number
  /** Never taken, and answered nowhere. */
  missed: number
  /** Answered by more than one message of its thread. */
  doubled: number
  /** Answered in another thread than its own. */
  misplaced: number
  /** Messages of the system that answer nothing, such as a report of a failure. */
  besides: number
  /** From a message to the first answer to it, in milliseconds: the median and the longest. */
  waitMs: { median: number; longest: number }
}

/** Mark of a message, which its answer repeats. */
export const markOf = (number: number): string => `ref-${String(number).padStart(4, '0')}`

/** Numbers of all marks in a text, each once. */
export const numbersIn = (text: string): number[] => [
  ...new Set(Array.from(text.matchAll(/ref-(\d{4})/g), ([, digits]) => Number(digits))),
]

/** Compares what was said with what is seen at the end, and knows nothing else of a system. */
export function count(said: readonly Said[], shown: readonly Shown[]): Count {
  const places = new Map<number, Shown[]>()
  for (const one of shown)
    for (const number of numbersIn(one.text))
      places.set(number, [...(places.get(number) ?? []), one])
  const answers = said.map((one) => {
    const at = places.get(one.number) ?? []
    return { ...one, at, own: at.filter(({ place }) => place === one.place).length }
  })
  const waits = said
    .flatMap(({ number, at }) => {
      const times = places.get(number)?.map((one) => one.at) ?? []
      return times.length === 0 ? [] : [Math.min(...times) - at]
    })
    .sort((a, b) => a - b)
  const unanswered = answers.filter(({ at }) => at.length === 0)
  return {
    said: said.length,
    lost: unanswered.filter(({ taken }) => taken).length,
    missed: unanswered.filter(({ taken }) => !taken).length,
    doubled: answers.filter(({ own }) => own > 1).length,
    misplaced: answers.filter(({ at, own }) => at.length > own).length,
    besides: shown.filter(({ text }) => numbersIn(text).length === 0).length,
    waitMs: { median: waits[Math.floor(waits.length / 2)] ?? 0, longest: waits.at(-1) ?? 0 },
  }
}
