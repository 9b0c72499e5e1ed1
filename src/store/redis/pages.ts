import { Address } from '../../agent/domain/conversation.ts'
import type { Sees, ThreadLine } from '../../agent/ports/store.ts'
import { readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf } from './keys.ts'
import { field, lookAll, nothing, scores, timed } from './look.ts'
import { linesOf } from './states.ts'

/** Where a thread stands in the list of its workspace, by when something last happened there. */
export interface Listed {
  workspace: string
  name: string
  at: number
}

type Before = { at: number; id: string } | null

/** Places behind one, newest first; `shown`: only these of them; `isLast`: there are no others behind them. */
type Source = (before: Before) => Promise<{ places: readonly Listed[]; shown?: readonly Listed[]; isLast: boolean }>

/** So many places are looked at in one go. */
const batch = 200

/** All threads of several workspaces, or those that are pinned, by when they were. */
export const newestOf =
  (redis: Connection, workspaces: readonly string[], set: 'conversations' | 'pinned' = 'conversations'): Source =>
  async (before) => {
    const newest = (workspace: string) => newestIn(redis, { workspace, key: keysOf(workspace)[set] }, before)
    const found = await Promise.all(workspaces.map(newest))
    const places = found.flat().sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
    return { places: places.slice(0, batch), isLast: places.length <= batch }
  }

/** Behind a place; those of one instant stand in the order of their ids. */
async function newestIn(
  redis: Connection,
  { workspace, key }: { workspace: string; key: string },
  before: Before,
): Promise<Listed[]> {
  const [same, older] = await lookAll(
    redis,
    before === null
      ? nothing<{ name: string; at: number }[]>([])
      : timed(key, 'ZREVRANGEBYSCORE', before.at, before.at),
    timed(key, 'ZREVRANGEBYSCORE', before === null ? '+inf' : `(${before.at}`, '-inf', 'LIMIT', 0, batch + 1),
  )
  return [...same.filter(({ name }) => name < (before?.id ?? '')), ...older].map((one) => ({ ...one, workspace }))
}

/** The threads at those places that can be read, each with its newest message; they are read `size` at a time, as they are asked for. */
export async function* walk(redis: Connection, source: Source, first: Before, size: number) {
  for (let before = first; ; ) {
    const { places, shown = places, isLast } = await source(before)
    for (let at = 0; at < shown.length; at += size + 1) yield* await linesAt(redis, shown.slice(at, at + size + 1))
    const last = places.at(-1)
    if (isLast || last === undefined) return
    before = { at: last.at, id: last.name }
  }
}

async function linesAt(redis: Connection, places: readonly Listed[]): Promise<{ place: Listed; line: ThreadLine }[]> {
  const groups = [...Map.groupBy(places, ({ workspace }) => workspace)]
  const read = groups.map(([workspace, own]) => {
    const ids = own.map(({ name }) => name)
    return linesOf(redis, workspace, ids)
  })
  const lines = new Map((await Promise.all(read)).flat().map((line) => [line.conversation.id, line]))
  return places.flatMap((place) => {
    const line = lines.get(place.name)
    return line === undefined ? [] : [{ place, line }]
  })
}

/** Those that the one who asks may see, by where they are; one whose place cannot be read nobody sees (S26). */
export const seenIn = (redis: Connection, source: Source, sees: Sees | undefined): Source =>
  sees === undefined
    ? source
    : async (before) => {
        const { places, shown = places, isLast } = await source(before)
        const seen = new Set<Listed>()
        for (const [workspace, own] of Map.groupBy(shown, (one) => one.workspace)) {
          const rows = own.map(({ name }) => field(keysOf(workspace).conversation(name).row, 'address'))
          const found = await lookAll(redis, ...rows)
          const may = found.map((row) => readOne(Address, row)).map((one) => one !== null && sees(one))
          for (const [at, isSeen] of (await Promise.all(may)).entries()) {
            const place = own[at]
            if (isSeen && place !== undefined) seen.add(place)
          }
        }
        return { places, shown: shown.filter((place) => seen.has(place)), isLast }
      }

/** So many pinned threads of a workspace are shown. */
const pinnedMost = 100

/** The list as people keep it (C204): what is pinned first, on the first page and beside its limit; nothing that is archived. */
export async function pageOf(
  redis: Connection,
  workspaces: readonly string[],
  before: Before,
  { limit, sees }: { limit: number; sees?: Sees | undefined },
) {
  const [pinned, { lines, next }] = await Promise.all([
    before === null ? pinnedIn(redis, workspaces, sees) : [],
    unpinnedOf(redis, workspaces, before, { limit, sees }),
  ])
  return { lines: [...pinned, ...lines], next }
}

async function unpinnedOf(...[redis, workspaces, before, { limit, sees }]: Parameters<typeof pageOf>) {
  const lines: ThreadLine[] = []
  let last: Listed | null = null
  const source = seenIn(redis, kept(redis, newestOf(redis, workspaces)), sees)
  for await (const { place, line } of walk(redis, source, before, limit)) {
    if (lines.length === limit) return { lines, next: last && { at: last.at, id: last.name } }
    lines.push(line)
    last = place
  }
  return { lines, next: null }
}

async function pinnedIn(redis: Connection, workspaces: readonly string[], sees: Sees | undefined) {
  const found = await Promise.all(
    workspaces.map(async (workspace) => {
      const own: { place: Listed; line: ThreadLine }[] = []
      const source = seenIn(redis, newestOf(redis, [workspace], 'pinned'), sees)
      for await (const one of walk(redis, source, null, pinnedMost)) if (own.push(one) === pinnedMost) break
      return own
    }),
  )
  const newest = found.flat().sort((a, b) => b.place.at - a.place.at)
  return newest.map(({ line }) => line)
}

/** Without those that are pinned, and those in which nothing happened since they were archived. */
const kept =
  (redis: Connection, source: Source): Source =>
  async (before) => {
    const { places, isLast } = await source(before)
    const out = new Set<Listed>()
    for (const [workspace, own] of Map.groupBy(places, (one) => one.workspace)) {
      const keys = keysOf(workspace)
      const ids = own.map(({ name }) => name)
      const [pinned, archived] = await lookAll(redis, scores(keys.pinned, ids), scores(keys.archived, ids))
      for (const [at, place] of own.entries())
        if (pinned[at] != null || (archived[at] ?? -1) >= place.at) out.add(place)
    }
    return { places, shown: places.filter((place) => !out.has(place)), isLast }
  }
