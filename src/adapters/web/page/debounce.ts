/** Runs `work` soon, once for any number of calls; a call while it runs makes it run once more. */
export function debounced(work: () => Promise<void>): () => void {
  let state: 'idle' | 'waiting' | 'running' | 'again' = 'idle'
  const run = async (): Promise<void> => {
    state = 'running'
    await work()
    const again = state as typeof state | 'again'
    state = 'idle'
    if (again === 'again') schedule()
  }
  const schedule = (): void => {
    if (state === 'running') state = 'again'
    if (state !== 'idle') return
    state = 'waiting'
    setTimeout(() => void run(), 60)
  }
  return schedule
}
