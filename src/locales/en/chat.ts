/** What every chat platform says: its buttons, and how far a task is. */
export const chat = {
  stop: 'Stop',
  continue: 'Continue',
  retry: 'Retry',
  status: {
    queued: 'Waiting to start',
    running: 'Working',
    awaiting_clarification: 'Waiting for an answer',
    paused: 'Paused',
    succeeded: 'Done',
    failed: 'Failed',
    canceled: 'Stopped',
  },
  added: (items: readonly string[]) => `New: ${items.join('; ')}`,
  dropped: (items: readonly string[]) => `Dropped: ${items.join('; ')}`,
}
