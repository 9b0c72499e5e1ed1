/** Signals all processes of a group. A group that is gone is not an error. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-group, signal)
  } catch {
    // It is gone.
  }
}
