/** Time for which others wait for what can still be taken back, in ms: an answer, a decision. */
export const heldMs = 8_000

const soonMs = 60
/**
 * Least pause between two runs, in ms. After slow work the pause is a multiple of its time, up to
 * `restMost`.
 */
const everyMs = 200
const restShare = 3
const restMost = 800

/**
 * Debounces `work`: runs it soon, once for any number of calls. A call while it runs makes it run
 * once more.
 */
export function debounced(work: () => Promise<void>): () => void {
  let state: 'idle' | 'waiting' | 'running' | 'again' = 'idle'
  let free = 0
  const run = async () => {
    state = 'running'
    const began = Date.now()
    await work()
    free = Math.max(
      began + everyMs,
      Date.now() + Math.min(restMost, restShare * (Date.now() - began)),
    )
    const again = state as typeof state | 'again'
    state = 'idle'
    if (again === 'again') schedule()
  }
  const schedule = () => {
    if (state === 'running') state = 'again'
    if (state !== 'idle') return
    state = 'waiting'
    setTimeout(() => void run(), Math.max(soonMs, free - Date.now()))
  }
  return schedule
}

/** Retries `work` later, after a longer pause each time until it succeeds. */
export function createRetry(work: () => void, pauses: readonly number[] = [500, 1_000, 2_000]) {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    later() {
      timer = setTimeout(work, pauses[Math.min(failures, pauses.length - 1)])
      failures += 1
    },
    cancel: () => clearTimeout(timer),
    succeeded() {
      failures = 0
    },
  }
}
