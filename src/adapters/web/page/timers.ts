const soonMs = 60
/** So often at most, and not for more than a part of the time where it takes long. */
const everyMs = 200
const restShare = 3
const restMost = 800

/** Runs `work` soon, once for any number of calls; a call while it runs makes it run once more. */
export function debounced(work: () => Promise<void>): () => void {
  let state: 'idle' | 'waiting' | 'running' | 'again' = 'idle'
  let free = 0
  const run = async (): Promise<void> => {
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
  const schedule = (): void => {
    if (state === 'running') state = 'again'
    if (state !== 'idle') return
    state = 'waiting'
    setTimeout(() => void run(), Math.max(soonMs, free - Date.now()))
  }
  return schedule
}

/** Tries `work` again later, after a longer pause each time until it succeeds. */
export function createRetry(
  work: () => void,
  pauses: readonly number[] = [500, 1_000, 2_000],
): { later(): void; cancel(): void; succeeded(): void } {
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
