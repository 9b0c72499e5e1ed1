import type { Clock } from '../../agent/ports/clock.ts'

/** What `work` comes to, or null when it takes longer than `ms`: an acknowledgement must not wait for what a platform answers (P4). */
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

/** Somebody waits for the answer that depends on it: longer pauses are not made (C70). */
const waitMostMs = 9_000

/** C158: asks again for as long as a rate limit ends soon; what is forbidden comes with a longer time. */
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
