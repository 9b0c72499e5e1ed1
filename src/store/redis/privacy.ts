import type { Author } from '../../agent/domain/message.ts'
import type { Kept } from '../../agent/domain/privacy.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Privacy } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { keptFigures } from './figures.ts'
import { handOver } from './handover.ts'
import { reindex } from './indexed-words.ts'
import { allOfRun, keysOf, pageEvents } from './keys.ts'
import { amend, type Edit, type PersonalTrace, type Search } from './privacy-search.ts'
import { readThreads } from './privacy-threads.ts'
import { keptFacts, keptRows, readRuns, runsOf } from './privacy-work.ts'

/** Most parts of one row that one script changes. */
const partsAtOnce = 300
/**
 * Rounds of finding and erasing. A second round finds what arrived meanwhile; more would only race
 * with people who go on writing.
 */
const looks = 3

/**
 * Finds, reports and erases a person's traces. One walk serves both, so that the report lists
 * exactly what is erased. Nothing is locked: each part changes only if it is still what was read,
 * and work in progress keeps what it needs.
 */
export function createPrivacy(client: Client, clock: Pick<Clock, 'now'>): Privacy {
  const find = async (search: Search) => [
    ...(await rowsWith(search)),
    ...(await keptFigures(search, clock.now())),
  ]
  return {
    people: (workspace) => peopleOf({ client, workspace, person: '' }),
    kept: async (workspace, person) => keptIn(await find({ client, workspace, person })),
    handOver: (workspace, person, to) => handOver({ client, workspace, person }, to),
    async erase(workspace, person) {
      const search = { client, workspace, person }
      const found = await find(search)
      let left = found
      for (let look = 0; look < looks; look++) {
        const edits = left.flatMap((one) => one.edits)
        if (edits.length === 0) break
        for (const edit of edits) await apply(search, edit)
        left = await find(search)
      }
      // Drops all page events, which may quote the person; pages then fetch again.
      await client.redis.xtrim(pageEvents, 'MAXLEN', 0)
      return keptIn(found)
    },
  }
}

const keptIn = (found: readonly PersonalTrace[]): Kept[] =>
  found.flatMap(({ kept }) => kept ?? []).sort((one, other) => (one.at ?? 0) - (other.at ?? 0))

/**
 * All rows with traces of the person. Facts are recognised by the messages and runs they come from,
 * so they are changed before those.
 */
async function rowsWith(search: Search): Promise<PersonalTrace[]> {
  const runs = await readRuns(search)
  const threads = await readThreads(search)
  const from = {
    messages: threads.messageIds,
    runs: new Set(runs.flatMap((run) => (run.isTheirs ? [run.id] : []))),
  }
  const facts = await keptFacts(search, from)
  const rows = await keptRows(search)
  return [...facts, ...rows, ...(await setAside(search)), ...runsOf(search, runs), ...threads.found]
}

/** Rows set aside as unreadable that name the person (P18). */
async function setAside({ client, workspace, person }: Search): Promise<PersonalTrace[]> {
  const key = keysOf(workspace).aside
  const sign = JSON.stringify(JSON.stringify(person)).slice(1, -1)
  const rows = (await client.redis.zrange(key, '0', '-1')).filter((row) => row.includes(sign))
  const parts = rows.map((name) => ({ name }))
  return [{ edits: amend('zset', key, parts) }]
}

async function apply({ client, workspace }: Search, edit: Edit): Promise<void> {
  const keys = keysOf(workspace)
  if (edit.kind === 'run') {
    const thread = edit.conversationId === null ? [] : [keys.conversation(edit.conversationId).runs]
    const [row = '', ...rest] = allOfRun(workspace, edit.id)
    await client.run(
      'eraseRun',
      [keys.runs, keys.due('run'), thread[0] ?? row, row, ...rest],
      [edit.id],
    )
    return
  }
  if (edit.kind === 'words') return await reindex(client, workspace, edit.id)
  if (edit.kind === 'all') return void (await client.run('amend', [edit.key], ['all']))
  for (let at = 0; at < edit.parts.length; at += partsAtOnce) {
    const parts = edit.parts.slice(at, at + partsAtOnce)
    const args = parts.flatMap(({ name = '', was = '', now = '' }) => [name, was, now])
    await client.run('amend', [edit.key], [edit.kind, ...args])
  }
}

async function peopleOf(search: Search): Promise<Author[]> {
  const [threads, runs] = [await readThreads(search), await readRuns(search)]
  const all = [...threads.authors, ...runs.flatMap(({ run }) => run?.requestedBy ?? [])]
  return [
    ...new Map(
      all.filter(({ id }) => id !== '').map(({ id, name }) => [id, { id, name }]),
    ).values(),
  ]
}
