import type { Clock } from '../../agent/ports/clock.ts'

/**
 * Returns the result of `work`, or `null` after `ms` milliseconds. An acknowledgement must not wait
 * for a platform's answer (P4).
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

/** Longest wait in total, since a person waits for the result (C70). */
const waitMostMs = 9_000

/**
 * C158: retries while the rate limit ends soon enough. A refusal carries a longer delay and is
 * returned.
 */
export async function patiently<
  A extends { kind: 'ok' | 'unknown' | 'refused' } | { kind: 'later'; afterMs: number },
>(clock: Pick<Clock, 'now' | 'sleep'>, signal: AbortSignal, ask: () => Promise<A>): Promise<A> {
  const until = clock.now() + waitMostMs
  for (;;) {
    const answer = await ask()
    if (answer.kind !== 'later' || signal.aborted || clock.now() + answer.afterMs > until)
      return answer
    await clock.sleep(answer.afterMs, signal)
  }
}
