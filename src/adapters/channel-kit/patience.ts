import type { Clock } from '../../agent/ports/clock.ts'

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
