import { z } from 'zod'
import type { DiscordDeps } from './deps.ts'
import { idAt, idBefore, isAfter, limits, timeOf } from './limits.ts'

/**
 * Up to where everything of a channel is stored. `alive` is when this was last true of the whole workspace, `begun` its first
 * instant in this store (C440): stores of versions that kept none count as begun long ago.
 */
const Noted = z.object({
  version: z.literal(1),
  begun: z.number().default(0),
  alive: z.number(),
  channels: z.record(z.string(), z.string()),
})

/** `first`: there were no notes at all. `changed`: since it was written. */
interface Entry {
  noted: z.infer<typeof Noted>
  first: boolean
  changed: boolean
}

type Deps = Pick<DiscordDeps, 'clock' | 'log' | 'notes'>

const key = 'marks'
/** A workspace in which nothing is said is noted this often, so that what is new in it after a pause can be told. */
const aliveEveryMs = 60_000

/**
 * The last message of each channel that is durably taken in; Discord has no acknowledgement, so this stands for it (rule
 * 1). Notes are written a moment later: what was read twice because of that is known to the inbox.
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
    /** Where a channel stands; a channel without a note stands where the workspace did. */
    of: async (workspace: string, channelId: string): Promise<string> =>
      standing((await load(workspace)).noted, channelId),
    /** Holds a channel before a message that arrives live: it is after the first instant, whatever the two clocks say. */
    async hold(workspace: string, channelId: string, id: string): Promise<void> {
      const entry = await load(workspace)
      if (entry.noted.channels[channelId] !== undefined) return
      if (isAfter(id, standing(entry.noted, channelId))) return
      entry.noted.channels[channelId] = idBefore(id)
      entry.changed = true
    },
    /** `first`: there were no notes at all; said once. */
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
    /** Writes what has changed. Never throws: it is tried again. */
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

/** Of channels that have long been silent and are not new themselves, nothing is kept. */
function forgetOld(channels: Record<string, string>, oldest: number): void {
  for (const [id, mark] of Object.entries(channels))
    if (timeOf(mark) < oldest && timeOf(id) < oldest) delete channels[id]
}

/** The notes of each workspace, read once. */
function createEntries({ clock, notes }: Pick<Deps, 'clock' | 'notes'>) {
  const loaded = new Map<string, Promise<Entry>>()
  const entries = new Map<string, Entry>()

  async function read(workspace: string): Promise<Entry> {
    const text = await notes.get(workspace, key)
    const known = text === null ? undefined : Noted.safeParse(JSON.parse(text)).data
    const first = known === undefined
    // That Clew has been here is worth a note even where nothing has been said yet.
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
      // A store that is away is asked again next time.
      reading.catch(() => loaded.delete(workspace))
      return await reading
    },
  }
}
