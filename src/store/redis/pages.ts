import { Address } from '../../agent/domain/conversation.ts'
import type { Sees, ThreadLine } from '../../agent/ports/store.ts'
import { readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf } from './keys.ts'
import { behind, field, look, lookAll, lookEach, scores } from './look.ts'
import { linesOf } from './states.ts'

/** Position of a thread in its workspace's list, by its last change. */
export interface Listed {
  workspace: string
  name: string
  at: number
}

/** A thread and its position. */
export interface Walked {
  place: Listed
  line: ThreadLine
}

type Before = { at: number; id: string } | null

/**
 * Positions behind one, newest first, and more than `batch` of them if there are as many. `shown`:
 * the subset to be shown; `isLast`: there are none behind them.
 */
export type Source = (
  before: Before,
) => Promise<{ places: readonly Listed[]; shown?: readonly Listed[]; isLast: boolean }>

/** Positions that one round trip reads. */
const batch = 200

/** Orders newest first, and by id within the same instant. */
const byNewest = (a: Listed, b: Listed) => b.at - a.at || (a.name < b.name ? 1 : -1)

/** All threads of a workspace, or only the pinned ones by time of pinning. */
export const newestIn =
  (
    redis: Connection,
    workspace: string,
    set: 'conversations' | 'pinned' = 'conversations',
  ): Source =>
  async (before) => {
    const place = before && { at: before.at, name: before.id }
    const found = await look(
      redis,
      behind(keysOf(workspace)[set], place, { newestFirst: true, limit: batch + 1 }),
    )
    const places = found.map((one) => ({ ...one, workspace })).sort(byNewest)
    return { places, isLast: places.length <= batch }
  }

/** Positions that are known already. */
export function listed(all: readonly Listed[]): Source {
  const sorted = all.toSorted(byNewest)
  return async (before) => {
    const from = before === null ? 0 : sorted.findIndex((one) => isBehind(one, before))
    const places = from < 0 ? [] : sorted.slice(from, from + batch + 1)
    return { places, isLast: places.length <= batch }
  }
}

const isBehind = ({ at, name }: Listed, before: NonNullable<Before>) =>
  at < before.at || (at === before.at && name < before.id)

/** Positions of several workspaces together. */
export const together =
  (sources: readonly Source[]): Source =>
  async (before) => {
    const found = await Promise.all(sources.map((source) => source(before)))
    const places = found.flatMap((one) => one.places).sort(byNewest)
    return { places: places.slice(0, batch), isLast: places.length <= batch }
  }

/** All threads of several workspaces. */
const newestOf = (redis: Connection, workspaces: readonly string[]) =>
  together(workspaces.map((workspace) => newestIn(redis, workspace)))

/** Positions of an instant or later. */
export const since =
  (source: Source, from: number): Source =>
  async (before) => {
    const { places, isLast } = await source(before)
    const kept = places.filter(({ at }) => at >= from)
    return { places: kept, isLast: isLast || kept.length < places.length }
  }

/**
 * Source that ends after about `most` positions. `end` answers where the rest begins, or null if
 * the source had no more. It lies between two instants and names no thread, since the thread there
 * may be hidden from who asks (S26).
 */
export function bounded(source: Source, most: number): { source: Source; end: () => Before } {
  let left = most
  let end: Before = null
  return {
    end: () => end,
    async source(before) {
      const { places, isLast } = await source(before)
      left -= places.length
      const last = places.at(-1)
      if (isLast || left > 0 || last === undefined) return { places, isLast }
      const whole = places.filter(({ at }) => at > last.at)
      end = whole.length === 0 ? { at: last.at, id: last.name } : { at: last.at + 1, id: '' }
      return { places: whole.length === 0 ? places : whole, isLast: true }
    },
  }
}

/**
 * Yields the readable threads at those positions, each with its newest message. Reads `size` at a
 * time, on demand.
 */
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

/** Filters a source. The filter is asked per workspace which positions to show. */
export const only =
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

/**
 * Filters a source to the threads that the asking person may see, by their places. Threads without
 * a readable place are hidden from everybody (S26).
 */
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

/** Filters out pinned threads, and archived ones without a change since. */
const kept = (redis: Connection, source: Source) =>
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

/**
 * The first `limit` threads of a walk. `next` is the position of the last one if there are more.
 */
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

/** Most pinned threads of a workspace that are shown. */
const pinnedMost = 100

/**
 * The list as people arrange it (C204). Pinned threads come first, on the first page and besides
 * its limit; archived ones are hidden.
 */
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
    const source = seenIn(redis, newestIn(redis, workspace, 'pinned'), sees)
    return firstOf(walk(redis, source, null, pinnedMost), pinnedMost)
  })
  const all = (await Promise.all(pinned)).flatMap(({ found }) => found)
  return all.sort((a, b) => b.place.at - a.place.at)
}
