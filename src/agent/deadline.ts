import type { Clock } from './ports/clock.ts'

/** Work that was told to stop has this long to answer; then it is left to itself. */
const stopWithinMs = 1_000

/**
 * Gives work its time: its signal aborts when `signal` does, and after `ms`. It is a signal of its own: one that follows others
 * (`AbortSignal.any`) is kept by Node, with all that its listeners know, for as long as one of those lives.
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
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  const deadline = async () => {
    await clock.sleep(ms, done.signal)
    if (!done.signal.aborted) stop.abort()
    await clock.sleep(stopWithinMs, done.signal)
    return null
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work(stop.signal), deadline()])
  } finally {
    signal.removeEventListener('abort', onAbort)
    done.abort()
  }
}
