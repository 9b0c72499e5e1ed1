import { imageNote } from '../../agent/domain/attached-image.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { Fact, MemoryEvent, Proposal } from '../../agent/domain/fact.ts'
import { imagesIn, withoutPerson } from '../../agent/domain/privacy.ts'
import { hasEnded, Run } from '../../agent/domain/run.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import { encode, readFields, readGood, readOne } from './codec.ts'
import { keysFrom } from './connection.ts'
import { type AlarmKind, alarmMember, allOfRun, keysOf, noteKey } from './keys.ts'
import { combine, hash, list, lookAll } from './look.ts'
import type { Edit, Found, Search } from './privacy-search.ts'

/** Runs that are read in one go. */
const batch = 50

interface FoundRun {
  id: string
  run: Run | null
  isTheirs: boolean
  edits: readonly Edit[]
  /** What was attached for it by them. */
  images: readonly string[]
}

/** Every run that a person asked for, or of which they are a part. */
export async function readRuns(search: Search): Promise<FoundRun[]> {
  const { client, workspace, person } = search
  const ids = await client.redis.zrange(keysOf(workspace).runs, '0', '-1')
  const all: FoundRun[] = []
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    const keys = some.map((id) => allOfRun(workspace, id))
    const rows = await lookAll(
      client.redis,
      ...keys.map(([row = '', ...lists]) => combine(hash(row), combine(...lists.map((key) => list(key, 0, -1))))),
    )
    for (const [index, [row, texts]] of rows.entries())
      all.push(...readRun(person, some[index] ?? '', { keys: keys[index] ?? [], row, texts }))
  }
  return all
}

interface RunRows {
  keys: readonly string[]
  row: Record<string, string>
  texts: readonly (readonly string[])[]
}

/** None where they have no part in it. */
function readRun(person: string, id: string, { keys: [key = '', ...lists], row, texts }: RunRows): FoundRun[] {
  const run = readFields(Run, row)
  const own = Object.entries(row).map(([name, was]) => ({ name, was }))
  const edits = [
    ...withoutIn(person, { kind: 'hash', key }, own),
    ...lists.flatMap((of, at) =>
      withoutIn(
        person,
        { kind: 'list', key: of },
        (texts[at] ?? []).map((was) => ({ was })),
      ),
    ),
  ]
  const isTheirs = run.requestedBy?.id === person
  if (person !== '' && !isTheirs && edits.length === 0) return []
  const images = [...Object.values(row), ...texts.flat()].flatMap((text) =>
    text.includes('"image/') ? imagesIn(jsonIn(text), isTheirs ? null : person) : [],
  )
  return [{ id, run: Run.safeParse(run).data ?? null, isTheirs, edits, images }]
}

/** Their own that have ended go; of others only their name and words. What still goes on, or is needed by that, stays. */
export function runsOf({ workspace }: Search, runs: readonly FoundRun[]): Found[] {
  return runs.flatMap(({ id, run, isTheirs, edits, images }): Found[] => {
    const gone = images.map((image) => all(noteKey(workspace, imageNote(image))))
    const goesOn = run !== null && !hasEnded(run.status)
    const { createdAt: at = null, conversationId = null, title = '', input = {}, result = null } = run ?? {}
    const part = { kind: 'answer', at, conversationId, text: '', stays: 'work' } as const
    if (!isTheirs) return goesOn ? [{ kept: part, edits: [] }] : [{ edits: [...gone, ...edits] }]
    const kept = { kind: 'task', at, conversationId, text: title, input, result } as const
    if (goesOn) return [{ kept: { ...kept, stays: 'work' }, edits: [] }]
    return [{ kept, edits: [...gone, { kind: 'run', id, conversationId }] }]
  })
}

/** The parts in which a person is named, without them. */
function withoutIn(
  person: string,
  row: { kind: 'hash' | 'list'; key: string },
  all: readonly { name?: string; was: string }[],
): Edit[] {
  const sign = JSON.stringify(person)
  const parts = all.flatMap(({ was, ...rest }) => {
    if (person === '' || rest.name?.startsWith('~') || !was.includes(sign)) return []
    const is = jsonIn(was)
    const now = is === undefined ? was : encode(withoutPerson(is, person))
    return now === was ? [] : [{ ...rest, was, now }]
  })
  return parts.length === 0 ? [] : [{ ...row, parts }]
}

/** By what their facts are known: the messages and the runs that were theirs. */
interface Sources {
  messages: ReadonlySet<string>
  runs: ReadonlySet<string>
}

/**
 * What is remembered for them, what they wrote down, and what comes from their words, with what happened to it. A fact of others to
 * which they only agreed loses their name.
 */
export async function keptFacts(search: Search, sources: Sources): Promise<Found[]> {
  const { client, workspace, person } = search
  const keys = keysOf(workspace)
  const own = `user:${person}`
  const owners = [...new Set([...(await client.redis.zrange(keys.memories, '0', '-1')), own])]
  const places = owners.map((owner) => keys.memory(owner))
  const stored = await lookAll(
    client.redis,
    ...places.map(({ rows, history }) => combine(hash(rows), list(history, 0, -1))),
  )
  return owners.flatMap((owner, at) => {
    const { rows, history } = keys.memory(owner)
    const [row, events] = stored[at] ?? [{}, []]
    const read = factsIn(row)
    const theirs = owner === own ? read : read.filter(theirsBy(person, sources, readGood(MemoryEvent, events)))
    const ids = new Set(theirs.map(({ is }) => is.id))
    const whole: Edit[] = [
      { kind: 'zset', key: keys.memories, parts: [{ name: own }] },
      ...[rows, history, keys.needs(own)].map(all),
    ]
    const isThere = Object.keys(row).length + events.length > 0
    const edits = owner === own ? (isThere ? whole : []) : factEdits(person, { rows, history, read, events, ids })
    return [...keptOf(theirs), { edits }]
  })
}

type ReadFact = ReturnType<typeof factsIn>[number]

/** A proposal and the fact that it became are one. */
const keptOf = (theirs: readonly ReadFact[]): Found[] =>
  [...new Map(theirs.map(({ is }) => [is.id, is])).values()].map((is) => {
    const at = 'createdAt' in is ? is.createdAt : is.proposedAt
    return { kept: { kind: 'fact', at, conversationId: null, text: is.text }, edits: [] }
  })

interface Facts {
  rows: string
  history: string
  read: readonly ReadFact[]
  events: readonly string[]
  /** Which go. */
  ids: ReadonlySet<number>
}

function factEdits(person: string, { rows, history, read, events, ids }: Facts): Edit[] {
  const isAbout = (text: string) =>
    readGood(MemoryEvent, [text]).some((one) => ids.has(one.id) || ids.has(one.factId ?? 0))
  const parts = read.map(({ name, was, is }) => ({ name, was, goes: ids.has(is.id) }))
  const lines = events.map((was) => ({ was, goes: isAbout(was) }))
  const [gone, past] = [parts.filter(({ goes }) => goes), lines.filter(({ goes }) => goes)]
  return [
    ...(gone.length === 0 ? [] : [{ kind: 'hash' as const, key: rows, parts: gone }]),
    ...(past.length === 0 ? [] : [{ kind: 'list' as const, key: history, parts: past }]),
    ...withoutIn(
      person,
      { kind: 'hash', key: rows },
      parts.filter(({ goes }) => !goes),
    ),
    ...withoutIn(
      person,
      { kind: 'list', key: history },
      lines.filter(({ goes }) => !goes),
    ),
  ]
}

const all = (key: string): Edit => ({ kind: 'all', key })

const factsIn = (stored: Record<string, string>) =>
  Object.entries(stored).flatMap(([name, was]) => {
    const is = name.startsWith('f') ? readOne(Fact, was) : name.startsWith('p') ? readOne(Proposal, was) : null
    return is === null ? [] : [{ name, was, is }]
  })

const theirsBy =
  (person: string, { messages, runs }: Sources, events: readonly MemoryEvent[]) =>
  ({ is }: { is: Fact | Proposal }): boolean => {
    const { source } = is
    if (source.kind === 'message' && messages.has(source.messageId)) return true
    if (source.kind === 'run' && runs.has(source.runId)) return true
    const wasAgreed = events.some((one) => one.what === 'accepted' && (one.id === is.id || one.factId === is.id))
    return 'acceptedBy' in is && is.acceptedBy?.id === person && !wasAgreed
  }

/** Their own lists go; in those of a channel or of the team what they made stays, and loses its author. */
export async function keptRows({ client, workspace, person }: Search): Promise<Found[]> {
  const keys = keysOf(workspace)
  const own = `user:${person}`
  const places = (
    await Promise.all((['todo', 'schedule'] as const).map((kind) => placesOf(client, workspace, kind)))
  ).flat()
  const stored = await lookAll(client.redis, ...places.map(({ scope, kind }) => hash(keys.rows(kind, scope))))
  return places.flatMap(({ scope, kind }, at) => {
    const rows = Object.entries(stored[at] ?? {}).filter(([name]) => name !== '~last')
    const key = keys.rows(kind, scope)
    if (scope !== own) return rows.flatMap((row) => unnamed(person, kind, key, row))
    const members = rows.map(([id]) => ({ name: alarmMember(kind, scope, Number(id)) }))
    const slots = kind === 'todo' ? [] : rows.map(([id]) => all(keys.slots(scope, Number(id))))
    const alarms = [keys.alarms, keys.pastAlarms].map((key): Edit => ({ kind: 'zset', key, parts: members }))
    const edits = [...alarms, ...slots, all(key)]
    return rows.length === 0 ? [] : [...rows.flatMap(([, was]) => keptRow(kind, was)), { edits }]
  })
}

/** Every list of a kind: of channels also those in which there is no thread (`/todo add`). */
async function placesOf({ redis }: Search['client'], workspace: string, kind: AlarmKind) {
  const beginning = keysOf(workspace).rows(kind, '')
  return (await keysFrom(redis, beginning)).map((key) => ({ kind, scope: key.slice(beginning.length) }))
}

const keptRow = (kind: AlarmKind, was: string): Found[] => {
  const row = kind === 'todo' ? readOne(Todo, was) : readOne(Schedule, was)
  if (row === null) return []
  return [
    { kept: { kind, at: row.createdAt, conversationId: null, text: 'text' in row ? row.text : row.title }, edits: [] },
  ]
}

function unnamed(person: string, kind: AlarmKind, key: string, [name, was]: [string, string]): Found[] {
  const now =
    kind === 'todo' ? todoWithout(readOne(Todo, was), person) : scheduleWithout(readOne(Schedule, was), person)
  if (now === null) return []
  const [{ kept } = {}] = keptRow(kind, was)
  if (kept === undefined) return []
  return [
    { kept: { ...kept, stays: 'name' }, edits: [{ kind: 'hash', key, parts: [{ name, was, now: encode(now) }] }] },
  ]
}

function todoWithout(todo: Todo | null, person: string): Todo | null {
  if (todo?.by?.id !== person) return null
  const { by: _, ...rest } = todo
  return rest
}

const scheduleWithout = (schedule: Schedule | null, person: string): Schedule | null =>
  schedule?.createdBy?.id === person ? { ...schedule, createdBy: null } : null
