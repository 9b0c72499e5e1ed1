import { platformOf } from '../../src/agent/domain/conversation.ts'
import type { Clock } from '../../src/agent/ports/clock.ts'
import type { Item, Wakeups } from '../../src/agent/ports/wakeups.ts'

export interface WakeupsBus {
  /** One process that takes part. */
  open(role?: { worker: boolean; platforms: readonly string[] }): Wakeups
  /** Wake-ups that are handled just now. */
  readonly handling: number
  /** From now on every wake-up is lost, as if the queue's keys were gone. */
  lose(): void
}

/** Wake-ups in memory, for as many processes as take part; they pass the contract of the real queue. */
export function createWakeupsBus(clock: Pick<Clock, 'sleep'>): WakeupsBus {
  const listeners: { hears(item: Item): boolean; handle(item: Item): Promise<void> }[] = []
  const stopped = new AbortController()
  let unheard: Item[] = []
  let handling = 0
  let isLost = false

  function deliver(item: Item): void {
    const listener = listeners.find((one) => one.hears(item))
    if (listener === undefined) return void unheard.push(item)
    handling += 1
    // What fails was only a hint.
    listener.handle(item).then(
      () => {
        handling -= 1
      },
      () => {
        handling -= 1
      },
    )
  }

  return {
    get handling() {
      return handling
    },
    lose() {
      isLost = true
      unheard = []
    },
    open(role = { worker: true, platforms: ['web'] }) {
      let own: (typeof listeners)[number] | null = null
      return {
        async wake(item, delayMs = 0) {
          if (isLost) return
          if (delayMs <= 0) return deliver(item)
          void clock.sleep(delayMs, stopped.signal).then(() => deliver(item))
        },
        async start(handler) {
          own = {
            hears: ({ kind, workspace }) =>
              kind === 'outbox' ? role.platforms.includes(platformOf(workspace)) : role.worker,
            handle: handler,
          }
          listeners.push(own)
          const waiting = unheard
          unheard = []
          for (const item of waiting) deliver(item)
        },
        async health() {
          return { ok: true, detail: `${unheard.length} waiting` }
        },
        async stop() {
          if (own !== null) listeners.splice(listeners.indexOf(own), 1)
          own = null
        },
      }
    },
  }
}
