/** Signals all processes of a group; one that is gone is no failure. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-group, signal)
  } catch {
    // It is gone.
  }
}
