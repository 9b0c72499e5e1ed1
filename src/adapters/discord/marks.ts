import { z } from 'zod'
import type { Discord } from './context.ts'
import { idAt, isAfter, limits, timeOf } from './limits.ts'

/** Up to where everything of a channel is stored. `alive` is when this was last true of the whole workspace. */
const Marks = z.object({ version: z.literal(1), alive: z.number(), channels: z.record(z.string(), z.string()) })
type Marks = z.infer<typeof Marks>

const key = 'marks'
/** A workspace in which nothing is said is noted this often, so that what is new in it after a pause can be told. */
const aliveEveryMs = 60_000

/**
 * The last message of each channel that is durably taken in; Discord has no acknowledgement, so this stands for it (rule
 * 1). Notes are written a moment later: what was read twice because of that is known to the inbox.
 */
export function createMarks({ deps }: Discord) {
  const { clock, log, store } = deps
  const loaded = new Map<string, Promise<{ marks: Marks; first: boolean }>>()
  const live = new Map<string, Marks>()
  const dirty = new Set<string>()

  async function read(workspace: string): Promise<{ marks: Marks; first: boolean }> {
    const text = await store.shelf.get(workspace, key)
    const known = text === null ? undefined : Marks.safeParse(JSON.parse(text)).data
    const marks = known ?? { version: 1 as const, alive: clock.now(), channels: {} }
    live.set(workspace, marks)
    // That Clew has been here is worth a note even where nothing has been said yet.
    if (known === undefined) dirty.add(workspace)
    return { marks, first: known === undefined }
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

  async function write(workspace: string, marks: Marks): Promise<void> {
    const oldest = clock.now() - limits.noteForMs
    for (const [id, mark] of Object.entries(marks.channels)) {
      if (timeOf(mark) < oldest && timeOf(id) < oldest) delete marks.channels[id]
    }
    await store.shelf.put(workspace, key, JSON.stringify(marks), null)
  }

  return {
    /** Where a channel stands; a channel without a note stands where the workspace did. */
    async of(workspace: string, channelId: string): Promise<string> {
      const { marks } = await load(workspace)
      return marks.channels[channelId] ?? idAt(marks.alive - aliveEveryMs)
    },
    /** `first`: there were no notes at all; said once. */
    async all(workspace: string): Promise<{ channels: Readonly<Record<string, string>>; first: boolean }> {
      const known = await load(workspace)
      const { first } = known
      known.first = false
      return { channels: known.marks.channels, first }
    },
    async advance(workspace: string, channelId: string, id: string): Promise<void> {
      const { marks } = await load(workspace)
      const before = marks.channels[channelId]
      if (before !== undefined && !isAfter(id, before)) return
      marks.channels[channelId] = id
      dirty.add(workspace)
    },
    /** Writes what has changed; everything when `whole`. Never throws: it is tried again. */
    async flush(connected: boolean): Promise<void> {
      const now = clock.now()
      for (const [workspace, marks] of live) {
        if (!dirty.has(workspace) && (!connected || now - marks.alive < aliveEveryMs)) continue
        if (connected) marks.alive = now
        dirty.delete(workspace)
        try {
          await write(workspace, marks)
        } catch (error) {
          dirty.add(workspace)
          log.debug({ err: error, workspace }, 'the place up to which messages are stored could not be noted')
        }
      }
    },
  }
}
export type NotedMarks = ReturnType<typeof createMarks>
