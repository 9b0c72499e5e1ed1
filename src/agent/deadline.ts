import type { Clock } from './ports/clock.ts'

/** Work that was told to stop has this long to answer; then it is left to itself. */
const stopWithinMs = 1_000

/**
 * Gives work its time: its signal aborts when `signal` does, and after `ms`.
 *
 * @returns what the work answers, also when it answers to the abort; null when it does not stop.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const done = new AbortController()
  const late = new AbortController()
  const deadline = async () => {
    await clock.sleep(ms, done.signal)
    if (!done.signal.aborted) late.abort()
    await clock.sleep(stopWithinMs, done.signal)
    return null
  }
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), deadline()])
  } finally {
    done.abort()
  }
}
