import type { Clock } from '../../agent/ports/clock.ts'

/** Somebody waits for the answer that depends on it: longer pauses are not made (C70). */
const waitMostMs = 9_000

/** C158: asks again for as long as a rate limit ends soon; what is forbidden is not asked again. */
export async function patiently<A extends { kind: string }>(
  clock: Pick<Clock, 'now' | 'sleep'>,
  signal: AbortSignal,
  ask: () => Promise<A>,
): Promise<A> {
  const until = clock.now() + waitMostMs
  for (;;) {
    const answer = await ask()
    const afterMs = answer.kind === 'later' && 'afterMs' in answer ? Number(answer.afterMs) : Number.POSITIVE_INFINITY
    const isForbidden = 'token' in answer && answer.token !== undefined
    if (isForbidden || signal.aborted || clock.now() + afterMs > until) return answer
    await clock.sleep(afterMs, signal)
  }
}
