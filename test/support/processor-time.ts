import { readFileSync } from 'node:fs'

/** Of this thread, in milliseconds: other programs of a busy machine do not count. */
const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * How long a call keeps this thread from everything else, in milliseconds of its processor. A call that took longer than
 * `most` is tried again up to seven times, and the best counts: the first may have had to load and compile, and what others do
 * to a processor's caches and its other half makes it slower for a while.
 */
export async function timeOf(call: () => unknown, most: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 8 && best > most; tries++) {
    const before = used()
    await call()
    best = Math.min(best, used() - before)
  }
  return best
}

/** For how long this thread could have run and other programs had the processors, in milliseconds; 0 where the system does not say. */
function kept(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1_000_000
  } catch {
    return 0
  }
}

/** @returns for how many milliseconds since then this thread could have run and other programs had the processors. */
export function waitedFor(): () => number {
  const before = kept()
  return () => kept() - before
}

/** @returns how many milliseconds have passed since, by the clock, without those that other programs took. */
export function stopwatch(): () => number {
  const began = performance.now()
  const waited = waitedFor()
  return () => performance.now() - began - waited()
}

/**
 * A platform's deadline: what is late because other programs had the processors is not late. Whoever sleeps, computes or waits for
 * an answer too long is.
 *
 * @returns what calls it off.
 */
export function deadline(ms: number, missed: () => void, passed = stopwatch()): () => void {
  let timer = setTimeout(look, ms)
  function look() {
    const left = ms - passed()
    if (left <= 0) missed()
    else timer = setTimeout(look, Math.max(1, left))
  }
  return () => clearTimeout(timer)
}
