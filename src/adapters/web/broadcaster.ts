import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { compareEventIds, type EventLog, isEventId, type LoggedEvent } from './events.ts'
import { limits } from './limits.ts'

/** What a tab is told. `reset`: something was missed for good, fetch everything again. */
export type Told =
  | { kind: 'event'; event: LoggedEvent }
  | { kind: 'ready' | 'reset'; id: string }
  | { kind: 'away' | 'back' }
  /** What is being written in a thread, as safe HTML; null: nothing any more. It is told once, and to those who are here. */
  | { kind: 'draft'; workspace: string; conversationId: string; html: string | null }
  /** Something in a conversation, of whichever platform, is not as it was: what shows it is to be fetched again. `gone` waits no more. */
  | { kind: 'news'; workspace: string; conversationId: string; gone: readonly string[] }

interface Tab {
  sink: (told: Told | null) => void
  /** Up to where it knows everything; null: it wants nothing older than now. */
  cursor: string | null
  /** It has caught up: the common reader hands it what comes. */
  live: boolean
  /** The common reader came by with something before that. */
  missed: boolean
}

export type Broadcaster = ReturnType<typeof createBroadcaster>

interface BroadcasterDeps {
  events: EventLog
  clock: Clock
  log: Log
}

/** Spreads the event log over any number of open tabs with one blocking read for all of them. */
export function createBroadcaster(deps: BroadcasterDeps) {
  const stopping = new AbortController()
  const tabs = new Set<Tab>()
  const tell = (told: Told): void => {
    for (const tab of tabs) hand(tab, told)
  }
  const reader = createReader(deps, stopping.signal, tell)
  let reading: Promise<void> | null = null

  async function join(tab: Tab): Promise<void> {
    const isHere = (): boolean => tabs.has(tab)
    while (isHere() && !tab.live) {
      try {
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
    /** Tells every open tab something that is in no log. */
    tell,
    /** Whether any tab is open here. */
    isHeard: () => tabs.size > 0,
    /** Tells what came after `after` (nothing older when it is null), then what comes; null is the end. Returns how to stop it. */
    subscribe(after: string | null, sink: Tab['sink']): () => void {
      const tab: Tab = { sink, cursor: after, live: false, missed: false }
      tabs.add(tab)
      reading ??= reader.run()
      void join(tab)
      return () => tabs.delete(tab)
    },
    /** Ends the common reader and says to every tab that this is the end. */
    async stop(): Promise<void> {
      stopping.abort()
      for (const tab of tabs) tab.sink(null)
      tabs.clear()
      await reading
    },
  }
}

function hand(tab: Tab, told: Told): void {
  if (told.kind === 'event' && !tab.live) tab.missed = true
  else if (told.kind !== 'event' || compareEventIds(told.event.id, tab.cursor ?? '') > 0)
    tab.sink(told)
}

/** Brings a new tab up to the common reader: everything after its cursor, once each. A second try goes on where the first one was cut. */
async function catchUp(
  tab: Tab,
  options: { events: EventLog; now: string; isHere: () => boolean; signal: AbortSignal },
): Promise<void> {
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

/** Reads the log for everybody, from where it stood when the first one asked, and tells what comes and whether the store is away. */
function createReader(
  { events, clock, log }: BroadcasterDeps,
  signal: AbortSignal,
  tell: (told: Told) => void,
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

  async function readOnce(): Promise<void> {
    // After a failure the first read is only to see whether the store is back.
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

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await readOnce()
      } catch (error) {
        if (!away) log.warn({ err: error }, 'the event log cannot be read')
        away = true
        tell({ kind: 'away' })
        await clock.sleep(1_000, signal)
      }
    }
  }

  return { position: standing, run }
}
