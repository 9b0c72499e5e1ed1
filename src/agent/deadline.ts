import type { Clock } from './ports/clock.ts'

/** Work that was told to stop has this long to answer; then it is left to itself. */
const stopWithinMs = 1_000

/**
 * A stop that comes with `signal` too, until it is let go. Node keeps a signal that follows others
 * (`AbortSignal.any`), with all that its listeners know, for as long as one of those lives.
 */
export function stopWith(signal: AbortSignal): { stop: AbortController; letGo(): void } {
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return { stop, letGo: () => signal.removeEventListener('abort', onAbort) }
}

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
  const { stop, letGo } = stopWith(signal)
  const deadline = async () => {
    await clock.sleep(ms, done.signal)
    if (!done.signal.aborted) stop.abort()
    await clock.sleep(stopWithinMs, done.signal)
    return null
  }
  try {
    return await Promise.race([work(stop.signal), deadline()])
  } finally {
    letGo()
    // Without a reason Node makes an error with its stack, of every call.
    done.abort(null)
  }
}

/**
 * Returns the result of `work`, or `null` after `ms` milliseconds; the work goes on. An
 * acknowledgement must not wait for a platform's answer (P4).
 */
export async function inTime<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: Promise<T>,
): Promise<T | null> {
  const late = new AbortController()
  try {
    return await Promise.race([work, clock.sleep(ms, late.signal).then(() => null)])
  } finally {
    late.abort()
  }
}
