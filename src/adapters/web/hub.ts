import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { compareEventIds, type EventLog, isEventId, type LoggedEvent } from './events.ts'
import { limits } from './limits.ts'

/** What a tab is told. `reset`: something was missed for good, fetch everything anew. */
export type HubItem =
  | { kind: 'event'; event: LoggedEvent }
  | { kind: 'ready'; id: string }
  | { kind: 'reset'; id: string }
  | { kind: 'away' }
  | { kind: 'back' }

type Sink = (item: HubItem) => void
interface Tab {
  sink: Sink
  live: boolean
  /** What arrived while the tab was still catching up. */
  backlog: LoggedEvent[]
  /** The last event that it has caught up with; the common reader may still come by it. */
  reached: string
}

export interface Hub {
  /** Sends what came after `after` (nothing older when it is null), then what comes. Returns how to stop it. */
  subscribe(after: string | null, sink: Sink): () => void
  /** Ends the common reader; tabs hear nothing more. */
  stop(): Promise<void>
}

/** Spreads the event log over any number of open tabs with one blocking read for all of them. */
export function createHub({ events, clock, log }: { events: EventLog; clock: Clock; log: Log }): Hub {
  const stopping = new AbortController()
  const tabs = new Set<Tab>()
  let reading: Promise<void> | null = null
  let position: Promise<string> | null = null
  let away = false

  const tell = (item: HubItem): void => {
    for (const tab of tabs) tab.sink(item)
  }

  function hand(tab: Tab, event: LoggedEvent): void {
    if (!tab.live) tab.backlog.push(event)
    else if (compareEventIds(event.id, tab.reached) > 0) tab.sink({ kind: 'event', event })
  }

  /** Where the common reader stands; asked for once, by whoever comes first. */
  function standing(): Promise<string> {
    position ??= events.position().catch((error: unknown) => {
      position = null
      throw error
    })
    return position
  }

  async function readOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const after = await standing()
        const { events: fresh } = await events.read({
          after,
          limit: limits.eventBatch,
          // After a failure the first read is only to see whether the store is back.
          waitMs: away ? 0 : limits.eventWaitMs,
          signal: stopping.signal,
        })
        const last = fresh.at(-1)
        if (last !== undefined) position = Promise.resolve(last.id)
        for (const event of fresh) for (const tab of tabs) hand(tab, event)
        if (away) tell({ kind: 'back' })
        away = false
      } catch (error) {
        if (!away) log.warn({ err: error }, 'the event log cannot be read')
        away = true
        tell({ kind: 'away' })
        await clock.sleep(1_000, stopping.signal)
      }
    }
  }

  /**
   * Brings a new tab up to the common reader: everything after `after`, then what arrived meanwhile, once each.
   * `reached` hears of every step, so that a second try goes on where the first one was cut.
   */
  async function catchUp(tab: Tab, after: string | null, reached: (id: string) => void): Promise<void> {
    const now = await standing()
    const known = after !== null && isEventId(after) && compareEventIds(after, await events.position()) <= 0
    let cursor = known ? after : now
    tab.sink({ kind: after === null || known ? 'ready' : 'reset', id: cursor })
    let behind = known
    while (behind && tabs.has(tab)) {
      const page = await events.read({ after: cursor, limit: limits.eventBatch, waitMs: 0, signal: stopping.signal })
      if (page.lost) tab.sink({ kind: 'reset', id: cursor })
      for (const event of page.events) tab.sink({ kind: 'event', event })
      behind = page.events.length > 0
      cursor = page.events.at(-1)?.id ?? cursor
      reached(cursor)
    }
    for (const event of tab.backlog) if (compareEventIds(event.id, cursor) > 0) tab.sink({ kind: 'event', event })
    tab.backlog = []
    tab.reached = cursor
    tab.live = true
  }

  async function join(tab: Tab, after: string | null): Promise<void> {
    let from = after
    while (tabs.has(tab) && !tab.live && !stopping.signal.aborted) {
      try {
        await catchUp(tab, from, (id) => {
          from = id
        })
      } catch {
        tab.sink({ kind: 'away' })
        await clock.sleep(1_000, stopping.signal)
      }
    }
  }

  return {
    subscribe(after, sink) {
      const tab: Tab = { sink, live: false, backlog: [], reached: '0-0' }
      tabs.add(tab)
      reading ??= readOn()
      void join(tab, after)
      return () => tabs.delete(tab)
    },
    async stop() {
      stopping.abort()
      tabs.clear()
      await reading
    },
  }
}
