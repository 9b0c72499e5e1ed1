import { z } from 'zod'
import type { Discord } from './context.ts'
import { idAt, isAfter, limits, timeOf } from './limits.ts'

/** Up to where everything of a channel is stored. `alive` is when this was last true of the whole workspace. */
const Noted = z.object({ version: z.literal(1), alive: z.number(), channels: z.record(z.string(), z.string()) })
type Noted = z.infer<typeof Noted>

const key = 'marks'
/** A workspace in which nothing is said is noted this often, so that what is new in it after a pause can be told. */
const aliveEveryMs = 60_000

/**
 * The last message of each channel that is durably taken in; Discord has no acknowledgement, so this stands for it (rule
 * 1). Notes are written a moment later: what was read twice because of that is known to the inbox.
 */
export function createCursors({ deps }: Discord) {
  const { clock, log, store } = deps
  const loaded = new Map<string, Promise<{ noted: Noted; first: boolean }>>()
  const live = new Map<string, Noted>()
  const dirty = new Set<string>()

  async function read(workspace: string): Promise<{ noted: Noted; first: boolean }> {
    const text = await store.notes.get(workspace, key)
    const known = text === null ? undefined : Noted.safeParse(JSON.parse(text)).data
    const noted = known ?? { version: 1 as const, alive: clock.now(), channels: {} }
    live.set(workspace, noted)
    // That Clew has been here is worth a note even where nothing has been said yet.
    if (known === undefined) dirty.add(workspace)
    return { noted, first: known === undefined }
  }

  function load(workspace: string) {
    const known = loaded.get(workspace)
    if (known !== undefined) return known
    const reading = read(workspace)
    loaded.set(workspace, reading)
    // A store that is away is asked again next time.
    reading.catch(() => loaded.delete(workspace))
    return reading
  }

  async function write(workspace: string, noted: Noted): Promise<void> {
    const oldest = clock.now() - limits.noteForMs
    for (const [id, mark] of Object.entries(noted.channels)) {
      if (timeOf(mark) < oldest && timeOf(id) < oldest) delete noted.channels[id]
    }
    await store.notes.put(workspace, key, JSON.stringify(noted), null)
  }

  return {
    /** Where a channel stands; a channel without a note stands where the workspace did. */
    async of(workspace: string, channelId: string): Promise<string> {
      const { noted } = await load(workspace)
      return noted.channels[channelId] ?? idAt(noted.alive - aliveEveryMs)
    },
    /** `first`: there were no notes at all; said once. */
    async all(workspace: string): Promise<{ channels: Readonly<Record<string, string>>; first: boolean }> {
      const known = await load(workspace)
      const { first } = known
      known.first = false
      return { channels: known.noted.channels, first }
    },
    async advance(workspace: string, channelId: string, id: string): Promise<void> {
      const { noted } = await load(workspace)
      const before = noted.channels[channelId]
      if (before !== undefined && !isAfter(id, before)) return
      noted.channels[channelId] = id
      dirty.add(workspace)
    },
    /** Writes what has changed; everything when `whole`. Never throws: it is tried again. */
    async flush(connected: boolean): Promise<void> {
      const now = clock.now()
      for (const [workspace, noted] of live) {
        if (!dirty.has(workspace) && (!connected || now - noted.alive < aliveEveryMs)) continue
        if (connected) noted.alive = now
        dirty.delete(workspace)
        try {
          await write(workspace, noted)
        } catch (error) {
          dirty.add(workspace)
          log.debug({ err: error, workspace }, 'the place up to which messages are stored could not be noted')
        }
      }
    },
  }
}
export type Cursors = ReturnType<typeof createCursors>
