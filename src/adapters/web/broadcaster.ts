import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { compareEventIds, type EventLog, isEventId, type LoggedEvent } from './events.ts'
import { limits } from './limits.ts'

/** Notice to a tab. `reset`: it missed something for good, and has to fetch everything again. */
export type TabNotice =
  | { kind: 'event'; event: LoggedEvent }
  | { kind: 'ready' | 'reset'; id: string }
  | { kind: 'away' | 'back' }
  /** Draft in a thread, as safe HTML; null ends it. It is sent once, to the tabs that are open. */
  | { kind: 'draft'; workspace: string; conversationId: string; html: string | null }
  /**
   * Change in a conversation of any platform, after which tabs fetch it again. `gone` names what
   * waits no more.
   */
  | { kind: 'news'; workspace: string; conversationId: string; gone: readonly string[] }

interface Tab {
  sink: (told: TabNotice | null) => void
  /** Id up to which the tab has everything; null if it wants only new events. */
  cursor: string | null
  /** True once the tab has caught up and gets events from the common reader. */
  live: boolean
  /** True if the common reader had an event while the tab was catching up. */
  missed: boolean
}

export type Broadcaster = ReturnType<typeof createBroadcaster>

interface BroadcasterDeps {
  events: EventLog
  clock: Clock
  log: Log
}

/** Sends the event log to any number of open tabs, with one blocking read for all of them. */
export function createBroadcaster(deps: BroadcasterDeps) {
  const stopping = new AbortController()
  const tabs = new Set<Tab>()
  const tell = (told: TabNotice) => {
    for (const tab of tabs) hand(tab, told)
  }
  const reader = createReader(deps, stopping.signal, tell)
  let reading: Promise<void> | null = null
  async function watch() {
    try {
      await deps.events.watch?.(tabs.size > 0)
    } catch (error) {
      deps.log.debug({ err: error }, 'that a page is open or not could not be stored')
    }
  }
  const stopWatching = deps.clock.every(limits.watchMs, async () => {
    if (tabs.size > 0) await watch()
  })

  async function join(tab: Tab) {
    const isHere = () => tabs.has(tab)
    while (isHere() && !tab.live) {
      try {
        // What was not shown before is fetched after `ready`.
        await deps.events.watch?.(true)
        await catchUp(tab, {
          events: deps.events,
          now: await reader.position(),
          isHere,
          signal: stopping.signal,
        })
      } catch {
        tab.sink({ kind: 'away' })
        await deps.clock.sleep(1_000, stopping.signal)
      }
    }
  }

  return {
    /** Sends a notice to every open tab that is in no log. */
    tell,
    /** True if any tab is open here. */
    isHeard: () => tabs.size > 0,
    /**
     * Sends the events behind `after` (none if it is null), then each new one, and null at the end.
     * Returns a function that unsubscribes.
     */
    subscribe(after: string | null, sink: Tab['sink']): () => void {
      const tab: Tab = { sink, cursor: after, live: false, missed: false }
      tabs.add(tab)
      reading ??= reader.run()
      void join(tab)
      return () => {
        tabs.delete(tab)
        if (tabs.size === 0) void watch()
      }
    },
    /** Says that a page is served here, so that nothing is shown to nobody (C557). */
    announce: watch,
    /** Stops the common reader and tells every tab that the stream ends. */
    async stop(): Promise<void> {
      stopping.abort()
      stopWatching()
      for (const tab of tabs) tab.sink(null)
      tabs.clear()
      await watch()
      await reading
    },
  }
}

function hand(tab: Tab, told: TabNotice) {
  if (told.kind === 'event' && !tab.live) tab.missed = true
  else if (told.kind !== 'event' || compareEventIds(told.event.id, tab.cursor ?? '') > 0)
    tab.sink(told)
}

/**
 * Sends a new tab everything behind its cursor, once each, until it has caught up with the common
 * reader. A retry resumes where the last one failed.
 */
async function catchUp(
  tab: Tab,
  options: { events: EventLog; now: string; isHere: () => boolean; signal: AbortSignal },
) {
  const { events, now, isHere, signal } = options
  const after = tab.cursor
  const isKnown =
    after !== null && isEventId(after) && compareEventIds(after, await events.position()) <= 0
  let cursor = isKnown ? after : now
  tab.sink({ kind: after === null || isKnown ? 'ready' : 'reset', id: cursor })
  for (let behind = isKnown; (behind || tab.missed) && isHere(); ) {
    tab.missed = false
    const page = await events.read({ after: cursor, limit: limits.eventBatch, waitMs: 0, signal })
    if (page.lost) tab.sink({ kind: 'reset', id: cursor })
    for (const event of page.events) tab.sink({ kind: 'event', event })
    behind = page.events.length > 0
    cursor = page.events.at(-1)?.id ?? cursor
    tab.cursor = cursor
  }
  tab.cursor = cursor
  tab.live = true
}

/**
 * Reads the log for all tabs, from its end at the first request. Sends each event, and notices when
 * the store fails or returns.
 */
function createReader(
  { events, clock, log }: BroadcasterDeps,
  signal: AbortSignal,
  tell: (told: TabNotice) => void,
) {
  let position: Promise<string> | null = null
  let away = false

  function standing(): Promise<string> {
    position ??= events.position().catch((error: unknown) => {
      position = null
      throw error
    })
    return position
  }

  async function readOnce() {
    // After a failure the first read only checks that the store is back.
    const waitMs = away ? 0 : limits.eventWaitMs
    const page = await events.read({
      after: await standing(),
      limit: limits.eventBatch,
      waitMs,
      signal,
    })
    if (page.lost) tell({ kind: 'reset', id: await standing() })
    const last = page.events.at(-1)
    if (last !== undefined) position = Promise.resolve(last.id)
    for (const event of page.events) tell({ kind: 'event', event })
    if (away) tell({ kind: 'back' })
    away = false
  }

  async function run() {
    while (!signal.aborted) {
      try {
        await readOnce()
      } catch (error) {
        if (!away) log.warn({ err: error }, 'event log unreadable; retrying')
        away = true
        tell({ kind: 'away' })
        await clock.sleep(1_000, signal)
      }
    }
  }

  return { position: standing, run }
}
