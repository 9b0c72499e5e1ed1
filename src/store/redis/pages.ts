import { Address } from '../../agent/domain/conversation.ts'
import type { Sees, ThreadLine } from '../../agent/ports/store.ts'
import { readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf } from './keys.ts'
import { behind, field, look, lookAll, lookEach, scores } from './look.ts'
import { linesOf } from './states.ts'

/** Where a thread stands in the list of its workspace, by when something last happened there. */
export interface Listed {
  workspace: string
  name: string
  at: number
}

/** A thread, and where it was found. */
export interface Walked {
  place: Listed
  line: ThreadLine
}

type Before = { at: number; id: string } | null

/** Places behind one, newest first; `shown`: only these of them; `isLast`: there are no others behind them. */
type Source = (
  before: Before,
) => Promise<{ places: readonly Listed[]; shown?: readonly Listed[]; isLast: boolean }>

/** So many places are looked at in one go. */
const batch = 200

/** The newest first; those of one instant in the order of their ids. */
export const byNewest = (a: Listed, b: Listed): number => b.at - a.at || (a.name < b.name ? 1 : -1)

/** All threads of several workspaces, or those that are pinned, by when they were. */
export const newestOf =
  (
    redis: Connection,
    workspaces: readonly string[],
    set: 'conversations' | 'pinned' = 'conversations',
  ): Source =>
  async (before) => {
    const place = before && { at: before.at, name: before.id }
    const newest = async (workspace: string): Promise<Listed[]> => {
      const found = await look(
        redis,
        behind(keysOf(workspace)[set], place, { newestFirst: true, limit: batch + 1 }),
      )
      return found.map((one) => ({ ...one, workspace }))
    }
    const places = (await Promise.all(workspaces.map(newest))).flat().sort(byNewest)
    return { places: places.slice(0, batch), isLast: places.length <= batch }
  }

/** The threads at those places that can be read, each with its newest message; they are read `size` at a time, as they are asked for. */
export async function* walk(
  redis: Connection,
  source: Source,
  first: Before,
  size: number,
): AsyncGenerator<Walked> {
  for (let before = first; ; ) {
    const { places, shown = places, isLast } = await source(before)
    for (let at = 0; at < shown.length; at += size + 1)
      yield* await linesAt(redis, shown.slice(at, at + size + 1))
    const last = places.at(-1)
    if (isLast || last === undefined) return
    before = { at: last.at, id: last.name }
  }
}

async function linesAt(redis: Connection, places: readonly Listed[]): Promise<Walked[]> {
  const groups = [...Map.groupBy(places, ({ workspace }) => workspace)]
  const names = (own: readonly Listed[]) => own.map(({ name }) => name)
  const read = groups.map(([workspace, own]) => linesOf(redis, workspace, names(own)))
  const lines = new Map(
    (await Promise.all(read)).flat().map((line) => [line.conversation.id, line]),
  )
  return places.flatMap((place) => {
    const line = lines.get(place.name)
    return line === undefined ? [] : [{ place, line }]
  })
}

/** Those of a source that are to be shown; it is told of each workspace by itself which they are. */
const only =
  (
    source: Source,
    areShown: (workspace: string, places: readonly Listed[]) => Promise<readonly boolean[]>,
  ): Source =>
  async (before) => {
    const { places, shown = places, isLast } = await source(before)
    const left = new Set<Listed>()
    for (const [workspace, own] of Map.groupBy(shown, (one) => one.workspace)) {
      const answers = await areShown(workspace, own)
      for (const [at, place] of own.entries()) if (answers[at]) left.add(place)
    }
    return { places, shown: shown.filter((place) => left.has(place)), isLast }
  }

/** Those that the one who asks may see, by where they are; one whose place cannot be read nobody sees (S26). */
export const seenIn = (redis: Connection, source: Source, sees: Sees | undefined): Source =>
  sees === undefined
    ? source
    : only(source, async (workspace, places) => {
        const { conversation } = keysOf(workspace)
        const rows = await lookEach(redis, places, ({ name }) =>
          field(conversation(name).row, 'address'),
        )
        const addresses = rows.map(([, row]) => readOne(Address, row))
        return await Promise.all(addresses.map((address) => address !== null && sees(address)))
      })

/** Without those that are pinned, and those in which nothing happened since they were archived. */
const kept = (redis: Connection, source: Source): Source =>
  only(source, async (workspace, places) => {
    const keys = keysOf(workspace)
    const ids = places.map(({ name }) => name)
    const [pinned, archived] = await lookAll(
      redis,
      scores(keys.pinned, ids),
      scores(keys.archived, ids),
    )
    return places.map((place, at) => pinned[at] == null && (archived[at] ?? -1) < place.at)
  })

/** So many of those that a walk comes by; `next`: the place of the last, where there are others behind it. */
export async function firstOf(walked: AsyncIterable<Walked>, limit: number) {
  const found: Walked[] = []
  for await (const one of walked) {
    const last = found.at(-1)?.place
    if (found.length === limit)
      return { found, next: last === undefined ? null : { at: last.at, id: last.name } }
    found.push(one)
  }
  return { found, next: null }
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
  const source = seenIn(redis, kept(redis, newestOf(redis, workspaces)), sees)
  const [pinned, { found, next }] = await Promise.all([
    before === null ? pinnedIn(redis, workspaces, sees) : [],
    firstOf(walk(redis, source, before, limit), limit),
  ])
  return { lines: [...pinned, ...found].map(({ line }) => line), next }
}

async function pinnedIn(
  redis: Connection,
  workspaces: readonly string[],
  sees: Sees | undefined,
): Promise<Walked[]> {
  const pinned = workspaces.map((workspace) => {
    const source = seenIn(redis, newestOf(redis, [workspace], 'pinned'), sees)
    return firstOf(walk(redis, source, null, pinnedMost), pinnedMost)
  })
  const all = (await Promise.all(pinned)).flatMap(({ found }) => found)
  return all.sort((a, b) => b.place.at - a.place.at)
}
