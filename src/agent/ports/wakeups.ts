/** Item to be woken. The row with this id decides what there is to do. */
export interface Item {
  /** `schedules` is all of a workspace's: their alarms are worked off together. */
  kind: 'conversation' | 'run' | 'outbox' | 'schedules'
  workspace: string
  id: string
}

/**
 * State of the queue. `noWorker`: no process has consumed runs for some seconds, so that nothing
 * moves on.
 */
export interface QueueHealth {
  ok: boolean
  detail: string
  noWorker?: true
}

/**
 * Wakes workers on any machine. Only a hint: whatever it loses, the sweep over the rows finds (rule
 * 2).
 *
 * Contract: `wake` may deliver once, twice or never; a handler that is busy makes the item wait or
 * go elsewhere.
 */
export interface Wakeups {
  wake(item: Item, delayMs?: number): Promise<void>
  start(handler: (item: Item) => Promise<void>): Promise<void>
  health(): Promise<QueueHealth>
  stop(): Promise<void>
}
