import { z } from 'zod'
import type { DiscordDeps } from './deps.ts'
import { idAt, idBefore, isAfter, limits, timeOf } from './limits.ts'

/**
 * Cursor of each channel, up to which everything is stored. `alive`: last time when the whole
 * workspace was complete. `begun`: start of the workspace in this store (C440); stores of older
 * versions have none and count as started long ago.
 */
const Noted = z.object({
  version: z.literal(1),
  begun: z.number().default(0),
  alive: z.number(),
  channels: z.record(z.string(), z.string()),
})

/** `first`: the store had no note. `changed`: not written yet. */
interface Entry {
  noted: z.infer<typeof Noted>
  first: boolean
  changed: boolean
}

type Deps = Pick<DiscordDeps, 'clock' | 'log' | 'notes'>

const key = 'marks'
/**
 * Interval at which a silent workspace is noted, so that new messages after a pause are recognized.
 */
const aliveEveryMs = 60_000

/**
 * Cursors of the last durably stored message of each channel. They stand in for the acknowledgement
 * that Discord lacks (rule 1). Notes are written with a delay; messages read twice because of that
 * are deduped by the inbox.
 */
export function createCursors({ clock, log, notes }: Deps) {
  const { entries, load } = createEntries({ clock, notes })

  async function write(workspace: string, entry: Entry): Promise<void> {
    entry.changed = false
    try {
      forgetOld(entry.noted.channels, clock.now() - limits.noteForMs)
      await notes.put(workspace, key, JSON.stringify(entry.noted), null)
    } catch (error) {
      entry.changed = true
      log.debug(
        { err: error, workspace },
        'the place up to which messages are stored could not be noted',
      )
    }
  }

  const standing = ({ channels, begun, alive }: Entry['noted'], channelId: string): string =>
    channels[channelId] ?? idAt(Math.max(begun, alive - aliveEveryMs))

  return {
    /** Returns a channel's cursor. A channel without a note uses the workspace's time. */
    of: async (workspace: string, channelId: string): Promise<string> =>
      standing((await load(workspace)).noted, channelId),
    /**
     * Sets a channel's cursor before a live message, so that clock differences cannot place it
     * before Clew's start.
     */
    async hold(workspace: string, channelId: string, id: string): Promise<void> {
      const entry = await load(workspace)
      if (entry.noted.channels[channelId] !== undefined) return
      if (isAfter(id, standing(entry.noted, channelId))) return
      entry.noted.channels[channelId] = idBefore(id)
      entry.changed = true
    },
    /** Returns all cursors. `first`: the store had no note; reported once. */
    async all(
      workspace: string,
    ): Promise<{ channels: Readonly<Record<string, string>>; first: boolean }> {
      const entry = await load(workspace)
      const { first, noted } = entry
      entry.first = false
      return { channels: noted.channels, first }
    },
    async advance(workspace: string, channelId: string, id: string): Promise<void> {
      const entry = await load(workspace)
      const before = entry.noted.channels[channelId]
      if (before !== undefined && !isAfter(id, before)) return
      entry.noted.channels[channelId] = id
      entry.changed = true
    },
    /** Writes changed notes. Never throws; a failed write is retried. */
    async flush(connected: boolean): Promise<void> {
      const now = clock.now()
      for (const [workspace, entry] of entries) {
        const isDue = connected && now - entry.noted.alive >= aliveEveryMs
        if (!entry.changed && !isDue) continue
        if (connected) entry.noted.alive = now
        await write(workspace, entry)
      }
    },
  }
}
export type Cursors = ReturnType<typeof createCursors>

/** Drops cursors of channels that are old and have been silent for long. */
function forgetOld(channels: Record<string, string>, oldest: number): void {
  for (const [id, mark] of Object.entries(channels))
    if (timeOf(mark) < oldest && timeOf(id) < oldest) delete channels[id]
}

/** Loads the notes of each workspace once. */
function createEntries({ clock, notes }: Pick<Deps, 'clock' | 'notes'>) {
  const loaded = new Map<string, Promise<Entry>>()
  const entries = new Map<string, Entry>()

  async function read(workspace: string): Promise<Entry> {
    const text = await notes.get(workspace, key)
    const known = text === null ? undefined : Noted.safeParse(JSON.parse(text)).data
    const first = known === undefined
    // The start is stored even if there are no messages yet.
    const now = clock.now()
    const entry = {
      noted: known ?? { version: 1 as const, begun: now, alive: now, channels: {} },
      first,
      changed: first,
    }
    entries.set(workspace, entry)
    return entry
  }

  return {
    entries,
    async load(workspace: string): Promise<Entry> {
      const reading = loaded.get(workspace) ?? read(workspace)
      loaded.set(workspace, reading)
      // If the store is down, the next call tries again.
      reading.catch(() => loaded.delete(workspace))
      return await reading
    },
  }
}
