import { imageNote } from '../../agent/domain/attached-image.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import { Fact, MemoryEvent, Proposal } from '../../agent/domain/fact.ts'
import { imagesIn, withoutPerson } from '../../agent/domain/privacy.ts'
import { hasEnded, Run } from '../../agent/domain/run.ts'
import { Schedule, withoutGrant } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import { encode, readFields, readGood, readOne } from './codec.ts'
import { keysFrom } from './connection.ts'
import { type AlarmKind, alarmMember, allOfRun, keysOf, noteKey } from './keys.ts'
import { combine, hash, list, lookEach, lookThrough } from './look.ts'
import {
  amend,
  type Edit,
  erase,
  type PersonalTrace,
  partsOf,
  type ReadPart,
  type Search,
} from './privacy-search.ts'

/** Runs that one round trip reads. */
const batch = 50

type FoundRun = ReturnType<typeof readRun>[number]

/** Every run that a person requested or took part in. */
export async function readRuns(search: Search): Promise<FoundRun[]> {
  const { client, workspace } = search
  const ids = await client.redis.zrange(keysOf(workspace).runs, '0', '-1')
  const all: FoundRun[] = []
  for await (const [id, rows] of lookThrough(client.redis, ids, batch, (id) =>
    rowsOf(workspace, id),
  ))
    all.push(...readRun(search, id, rows))
  return all
}

function rowsOf(workspace: string, id: string) {
  const [row = '', ...lists] = allOfRun(workspace, id)
  return combine(hash(row), combine(...lists.map((key) => list(key, 0, -1))))
}
type Rows = ReturnType<ReturnType<typeof rowsOf>['take']>

/** The run if the person has a part in it; else empty. */
function readRun({ workspace, person }: Search, id: string, [row, texts]: Rows) {
  const [key = '', ...lists] = allOfRun(workspace, id)
  const run = readFields(Run, row)
  const edits = [
    ...withoutIn(person, 'hash', key, partsOf(row)),
    ...lists.flatMap((of, at) => withoutIn(person, 'list', of, partsOf(texts[at] ?? []))),
  ]
  const isTheirs = run.requestedBy?.id === person
  if (person !== '' && !isTheirs && edits.length === 0) return []
  // Images that the person attached to the run.
  const images = [...Object.values(row), ...texts.flat()].flatMap((text) =>
    text.includes('"image/') ? imagesIn(jsonIn(text), isTheirs ? null : person) : [],
  )
  return [{ id, run: Run.safeParse(run).data ?? null, isTheirs, edits, images }]
}

/**
 * Deletes the person's own ended runs; in others' runs, only the person's name and words. Work that
 * goes on, or is needed by work that does, stays.
 */
export function runsOf({ workspace }: Search, runs: readonly FoundRun[]): PersonalTrace[] {
  return runs.flatMap(({ id, run, isTheirs, edits, images }): PersonalTrace[] => {
    const gone = images.map((image) => erase(noteKey(workspace, imageNote(image))))
    const goesOn = run !== null && !hasEnded(run.status)
    const {
      createdAt: at = null,
      conversationId = null,
      title = '',
      input = {},
      result = null,
    } = run ?? {}
    const part = { kind: 'answer', at, conversationId, text: '', stays: 'work' } as const
    if (!isTheirs) return goesOn ? [{ kept: part, edits: [] }] : [{ edits: [...gone, ...edits] }]
    const kept = { kind: 'task', at, conversationId, text: title, input, result } as const
    if (goesOn) return [{ kept: { ...kept, stays: 'work' }, edits: [] }]
    return [{ kept, edits: [...gone, { kind: 'run', id, conversationId }] }]
  })
}

/** Edits that remove a person from the parts that name them. */
function withoutIn(
  person: string,
  kind: 'hash' | 'list',
  key: string,
  all: readonly ReadPart[],
): Edit[] {
  const sign = JSON.stringify(person)
  const parts = all.flatMap(({ name, was }) => {
    if (person === '' || name?.startsWith('~') || !was.includes(sign)) return []
    const is = jsonIn(was)
    const now = is === undefined ? was : encode(withoutPerson(is, person))
    return now === was ? [] : [{ name, was, now }]
  })
  return amend(kind, key, parts)
}

/** Sources by which a person's facts are recognised: their messages and their runs. */
interface Sources {
  messages: ReadonlySet<string>
  runs: ReadonlySet<string>
}

/**
 * Facts about the person, facts that they wrote or that come from their words, with the facts'
 * history. A fact of others to which they only agreed loses their name.
 */
export async function keptFacts(
  { client, workspace, person }: Search,
  sources: Sources,
): Promise<PersonalTrace[]> {
  const keys = keysOf(workspace)
  const own = `user:${person}`
  const owners = [...new Set([...(await client.redis.zrange(keys.memories, '0', '-1')), own])]
  const stored = await lookEach(client.redis, owners, (owner) => {
    const { rows, history } = keys.memory(owner)
    return combine(hash(rows), list(history, 0, -1))
  })
  return stored.flatMap(([owner, [row, events]]) => {
    const places = keys.memory(owner)
    const all = factsIn(row)
    if (owner !== own) {
      const theirs = all.filter(theirsBy(person, sources, readGood(MemoryEvent, events)))
      return [...keptOf(theirs), { edits: factEdits(person, places, { all, theirs, events }) }]
    }
    const isThere = Object.keys(row).length + events.length > 0
    const whole = [
      ...amend('zset', keys.memories, [{ name: own }]),
      ...[places.rows, places.history, keys.needs(own)].map(erase),
    ]
    return [...keptOf(all), { edits: isThere ? whole : [] }]
  })
}

type ReadFact = ReturnType<typeof factsIn>[number]

/** Reports each fact once: a proposal and the fact that it became are the same. */
const keptOf = (theirs: readonly ReadFact[]): PersonalTrace[] =>
  [...new Map(theirs.map(({ is }) => [is.id, is])).values()].map((is) => {
    const at = 'createdAt' in is ? is.createdAt : is.proposedAt
    return { kept: { kind: 'fact', at, conversationId: null, text: is.text }, edits: [] }
  })

/** Deletes the person's facts and their history; the other facts lose the person's name. */
function factEdits(
  person: string,
  { rows, history }: { rows: string; history: string },
  {
    all,
    theirs,
    events,
  }: { all: readonly ReadFact[]; theirs: readonly ReadFact[]; events: readonly string[] },
): Edit[] {
  const ids = new Set(theirs.map(({ is }) => is.id))
  const isAbout = ({ was }: ReadPart) =>
    readGood(MemoryEvent, [was]).some((one) => ids.has(one.id) || ids.has(one.factId ?? 0))
  const { true: past = [], false: others = [] } = Object.groupBy(
    partsOf(events),
    (one) => `${isAbout(one)}`,
  )
  const [gone, left] = [
    all.filter(({ is }) => ids.has(is.id)),
    all.filter(({ is }) => !ids.has(is.id)),
  ]
  return [
    ...amend('hash', rows, gone),
    ...amend('list', history, past),
    ...withoutIn(person, 'hash', rows, left),
    ...withoutIn(person, 'list', history, others),
  ]
}

const factsIn = (stored: Record<string, string>) =>
  Object.entries(stored).flatMap(([name, was]) => {
    const proposal = name.startsWith('p') ? readOne(Proposal, was) : null
    const is = name.startsWith('f') ? readOne(Fact, was) : proposal
    return is === null ? [] : [{ name, was, is }]
  })

const theirsBy =
  (person: string, { messages, runs }: Sources, events: readonly MemoryEvent[]) =>
  ({ is }: { is: Fact | Proposal }) => {
    const { source } = is
    if (source.kind === 'message' && messages.has(source.messageId)) return true
    if (source.kind === 'run' && runs.has(source.runId)) return true
    const wasAgreed = events.some(
      (one) => one.what === 'accepted' && (one.id === is.id || one.factId === is.id),
    )
    return 'acceptedBy' in is && is.acceptedBy?.id === person && !wasAgreed
  }

/**
 * Deletes the person's own lists. Rows that they made in lists of a channel or of the team stay,
 * without the author.
 */
export async function keptRows({ client, workspace, person }: Search): Promise<PersonalTrace[]> {
  const keys = keysOf(workspace)
  const own = `user:${person}`
  const stored = await listsOf(client, workspace)
  return stored.flatMap(([{ scope, kind, key }, { '~last': _, ...row }]) => {
    const numbers = Object.keys(row).map(Number)
    const read = Object.entries(row).flatMap(([name, was]) =>
      readRow(kind, was, person).map((is) => ({ name, was, ...is })),
    )
    if (scope !== own)
      return read.flatMap(({ name, was, isTheirs, kept, unnamed }): PersonalTrace[] => {
        const edits = amend('hash', key, [{ name, was, now: encode(unnamed) }])
        return isTheirs ? [{ kept: { ...kept, stays: 'name' }, edits }] : []
      })
    const members = numbers.map((id) => ({ name: alarmMember(kind, scope, id) }))
    const slots = kind === 'todo' ? [] : numbers.map((id) => erase(keys.slots(scope, id)))
    const alarms = [keys.alarms, keys.pastAlarms].flatMap((key) => amend('zset', key, members))
    const edits = numbers.length === 0 ? [] : [...alarms, ...slots, erase(key)]
    return [...read.map(({ kept }): PersonalTrace => ({ kept, edits: [] })), { edits }]
  })
}

/** Rows of every list, also of those of channels without a thread (`/todo add`). */
export async function listsOf({ redis }: Search['client'], workspace: string) {
  const places = (['todo', 'schedule'] as const).map(async (kind) => {
    const beginning = keysOf(workspace).rows(kind, '')
    const keys = await keysFrom(redis, beginning)
    return keys.map((key) => ({ kind, scope: key.slice(beginning.length), key }))
  })
  return await lookEach(redis, (await Promise.all(places)).flat(), ({ key }) => hash(key))
}

/**
 * Report of a to-do or schedule, true if it names the person, and the row without them. Empty if it
 * cannot be read.
 */
function readRow(kind: AlarmKind, was: string, person: string) {
  const keptAs = (at: number, text: string) => ({ kind, at, conversationId: null, text })
  if (kind === 'todo')
    return readGood(Todo, [was]).map(({ by, owner, ...row }) => {
      const [isBy, isOwner] = [by?.id === person, owner?.id === person]
      const unnamed = {
        ...row,
        by: isBy ? undefined : by,
        owner: isOwner ? undefined : (owner ?? undefined),
      }
      return { isTheirs: isBy || isOwner, unnamed, kept: keptAs(row.createdAt, row.text) }
    })
  return readGood(Schedule, [was]).map((row) => {
    const [isBy, isGrantor] = [row.createdBy?.id === person, row.grantedBy?.id === person]
    // A permission ends when the name of its giver is erased (S48).
    const kept = isGrantor ? withoutGrant(row) : row
    const unnamed = isBy ? { ...kept, createdBy: null } : kept
    return { isTheirs: isBy || isGrantor, unnamed, kept: keptAs(row.createdAt, row.title) }
  })
}
