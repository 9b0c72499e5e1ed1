import type { Author } from '../../agent/domain/message.ts'
import type { Owned } from '../../agent/domain/privacy.ts'
import { questionFor } from '../../agent/domain/question.ts'
import { hasEnded, Run } from '../../agent/domain/run.ts'
import { Schedule, scheduleFor } from '../../agent/domain/schedule.ts'
import { Todo, todoFor } from '../../agent/domain/todo.ts'
import { encode, readFields, readOne } from './codec.ts'
import { allOfRun, keysOf } from './keys.ts'
import { combine, fields, hash, list, look, lookThrough } from './look.ts'
import type { Search } from './privacy-search.ts'
import { listsOf } from './privacy-work.ts'
import { AskedQuestion } from './states.ts'

/** Rows that one round trip reads. */
const batch = 50

/** Part of a row that names its old owner, and the same part with the new owner. */
interface Owning {
  what: keyof Owned
  key: string
  name: string
  was: string
  now: string
}

/**
 * Hands over what one person owns to another. Each part changes only if it is still what was read,
 * so that it changes whole or not at all. Idempotent.
 */
export async function handOver(search: Search, to: Author): Promise<Owned> {
  const moved = { task: 0, schedule: 0, approval: 0, todo: 0, own: 0 }
  const { own, found } = await rowsOf(search, to)
  // Questions go last: the right to approve belongs to the task's owner.
  const all = [...found, ...(await runsOf(search, to)), ...(await questionsOf(search, to))]
  for (const { what, key, name, was, now } of all)
    moved[what] += Number(await search.client.run('amend', [key], ['hash', name, was, now]))
  return { ...moved, own }
}

/**
 * To-dos and schedules of channels and of the team. Those of the person's own list are only
 * counted: nobody else could ever see them.
 */
async function rowsOf({ client, workspace, person }: Search, to: Author) {
  const stored = await listsOf(client, workspace)
  let own = 0
  const found: Owning[] = []
  for (const [{ scope, kind, key }, { '~last': _, ...rows }] of stored) {
    if (scope === `user:${person}`) own += Object.keys(rows).length
    if (scope.startsWith('user:')) continue
    for (const [name, was] of Object.entries(rows)) {
      const now = rowFor(kind, was, person, to)
      if (now !== null) found.push({ what: kind, key, name, was, now })
    }
  }
  return { own, found }
}

function rowFor(kind: 'todo' | 'schedule', was: string, person: string, to: Author) {
  if (kind === 'todo') {
    const todo = readOne(Todo, was)
    const now = todo && todoFor(todo, person, to)
    return now && encode(now)
  }
  const schedule = readOne(Schedule, was)
  const now = schedule?.createdBy?.id === person ? scheduleFor(schedule, to) : null
  return now && encode(now)
}

/** Tasks that have not ended, and runs of the person's schedules. */
async function runsOf({ client, workspace, person }: Search, to: Author): Promise<Owning[]> {
  const ids = await client.redis.zrange(keysOf(workspace).runs, '0', '-1')
  const found: Owning[] = []
  const rowOf = (id: string) => allOfRun(workspace, id)[0] ?? ''
  for await (const [id, row] of lookThrough(client.redis, ids, batch, (id) => hash(rowOf(id)))) {
    const run = Run.safeParse(readFields(Run, row)).data
    if (run === undefined || hasEnded(run.status)) continue
    const part = (name: 'requestedBy' | 'schedule', now: unknown): Owning => ({
      what: 'task',
      key: rowOf(id),
      name,
      was: row[name] ?? '',
      now: encode(now),
    })
    if (run.requestedBy?.id === person) found.push(part('requestedBy', to))
    if (run.schedule?.createdBy?.id === person)
      found.push(part('schedule', { ...run.schedule, createdBy: to }))
  }
  return found
}

/** Open questions that are addressed to the person. */
async function questionsOf({ client, workspace, person }: Search, to: Author): Promise<Owning[]> {
  const keys = keysOf(workspace)
  const threads = await client.redis.zrange(keys.conversations, '0', '-1')
  const found: Owning[] = []
  const open = (id: string) => combine(list(keys.conversation(id).questions, 0, -1))
  for await (const [, [ids]] of lookThrough(client.redis, threads, batch, open)) {
    const rows = await look(client.redis, fields(keys.questions, ids))
    for (const [at, was] of rows.entries()) {
      const asked = was === null ? null : readOne(AskedQuestion, was)
      const question = asked && questionFor(asked.question, person, to)
      if (was === null || question === null) continue
      const now = encode({ ...asked, question })
      found.push({ what: 'approval', key: keys.questions, name: ids[at] ?? '', was, now })
    }
  }
  return found
}
