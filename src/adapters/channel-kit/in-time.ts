import type { Clock } from '../../agent/ports/clock.ts'

/** What `work` comes to, or null when it takes longer than `ms`: an acknowledgement must not wait for what a platform answers (P4). */
export async function inTime<T>(clock: Pick<Clock, 'sleep'>, ms: number, work: Promise<T>): Promise<T | null> {
  const late = new AbortController()
  try {
    return await Promise.race([work, clock.sleep(ms, late.signal).then(() => null)])
  } finally {
    late.abort()
  }
}
