import type { Context } from 'hono'
import { z } from 'zod'
import { auditLines } from '../../../agent/audit-words.ts'
import { assertNever } from '../../../agent/domain/assert.ts'
import type { AuditRow } from '../../../agent/domain/audit.ts'
import { numberIn, readRow } from '../../../agent/domain/audit-chain.ts'
import { allRows } from '../../../agent/read-audit.ts'
import { shownTitle } from '../../thread-title.ts'
import type { Web } from '../context.ts'
import { isUnnamed } from '../names.ts'
import { seenWorkspaces, seesScope, workspaceIn } from '../permissions.ts'
import { notForMembers, type Route } from '../route.ts'
import { AuditLineView } from '../views.ts'
import { limitIn } from './conversations.ts'

const { route } = notForMembers

/** Rows of each workspace that are looked through for a person. */
const looksAt = 5_000
const batch = 500
/** Threads whose titles and people are looked up for one answer, and messages of each. */
const threadsNamed = 50
const messagesRead = 50
/** Lists of to-dos, schedules and facts that are read for one answer. */
const listsRead = 20

/** C717: the record of what Clew did, for operators. */
export const auditRoutes: readonly Route[] = [
  route('get', '/api/audit', {
    summary: 'The record of what Clew did and people changed, as JSON Lines that can be verified',
    description:
      'Every row, oldest first, of every workspace or of one; `clew audit verify` finds what was changed. Rows hold ids, never contents.',
    query: ['workspace'],
    media: 'application/jsonl',
    answer: z.string(),
    async handle({ c, web }) {
      const workspaces =
        c.req.query('workspace') === undefined
          ? await seenWorkspaces(web, c)
          : [await workspaceIn(web, c)]
      return c.body(streamOf(exported(web, workspaces)), 200, {
        'content-type': 'application/jsonl; charset=utf-8',
        'content-disposition': 'attachment; filename="clew-audit.jsonl"',
      })
    },
  }),

  route('get', '/api/audit/lines', {
    summary: 'The same in words, newest first, also of one person or one thread',
    description:
      '`author` is the id of who reads: their own rows say so, and name what Clew keeps for them alone.',
    query: ['limit', 'person', 'thread', 'author'],
    answer: z.object({ lines: z.array(AuditLineView) }),
    async handle({ c, web }) {
      const limit = limitIn(c)
      const { person = '', thread = '', author = '' } = c.req.query()
      const workspaces = await seenWorkspaces(web, c)
      const found = await Promise.all(
        workspaces.map((workspace) => newestOf(web, workspace, { person, thread, limit })),
      )
      const rows = found.flat().toSorted((one, other) => one.at - other.at)
      const shown = rows.slice(-2 * limit)
      const known = await namesIn(web, shown)
      const kept = await keptIn({ web, c, author }, shown)
      const words = web.words(c)
      const nameFor = (id: string) => {
        if (id === author) return words.page.youWithin
        const name = known.people.get(id) ?? kept.people.get(id) ?? id
        return isUnnamed(name) ? words.page.somebody : name
      }
      const lines = auditLines(
        rows,
        words.audit,
        nameFor,
        (row) => kept.titles.get(keptKey(row)) ?? null,
      )
      return {
        lines: lines
          .toReversed()
          .slice(0, limit)
          .map(({ row, text }) => ({
            ...row,
            thread: known.gone.has(`${row.workspace} ${row.thread}`) ? null : row.thread,
            title: known.threads.get(`${row.workspace} ${row.thread}`) ?? null,
            name: row.by === null ? null : nameFor(row.by),
            text: text.replaceAll('**', ''),
          })),
      }
    },
  }),
]

async function* exported({ store, reach }: Web, workspaces: readonly string[]) {
  for (const workspace of workspaces) {
    const rows = (after: number, limit: number) =>
      reach(() => store.audit.rows(workspace, after, limit))
    for await (const texts of allRows({ rows: (_, ...part) => rows(...part) }, workspace))
      yield texts.map((text) => `${text}\n`).join('')
  }
}

/**
 * A store that fails on the way breaks the connection, so that a part does not pass for the whole.
 */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

/**
 * Titles of the newest threads of rows, by workspace and id, those that are gone, and names of the
 * people who wrote there.
 */
async function namesIn({ store, reach }: Web, rows: readonly AuditRow[]) {
  const threads = new Map<string, string>()
  const gone = new Set<string>()
  const people = new Map<string, string>()
  const named = new Map(
    rows.flatMap((row) => (row.thread === null ? [] : [[`${row.workspace} ${row.thread}`, row]])),
  )
  for (const [key, { workspace, thread }] of [...named].slice(-threadsNamed)) {
    const state = await reach(() =>
      store.conversations.state(workspace, thread ?? '', messagesRead),
    )
    if (state === null) {
      gone.add(key)
      continue
    }
    threads.set(key, shownTitle(state.conversation))
    for (const { author } of state.messages) {
      // A name that was given once is known from then on.
      const isKnown = author === null || (people.has(author.id) && isUnnamed(author.name))
      if (!isKnown) people.set(author.id, author.name)
    }
  }
  return { threads, gone, people }
}

type KeptRow = Extract<AuditRow, { kind: 'kept' }>
const keptKey = ({ workspace, what, scope, id }: Omit<KeptRow, 'kind'>) =>
  `${workspace} ${what} ${scope} ${id}`

/**
 * Texts of what Clew keeps and rows are about, as far as the reader sees it and it is still there,
 * and names of the people in to-dos.
 */
async function keptIn(
  { web, c, author }: { web: Web; c: Context; author: string },
  rows: readonly AuditRow[],
) {
  const titles = new Map<string, string>()
  const people = new Map<string, string>()
  const kept = rows.filter((row): row is KeptRow => row.kind === 'kept')
  const lists = new Map(kept.map((row) => [keptKey({ ...row, id: '' }), row]))
  for (const row of [...lists.values()].slice(-listsRead)) {
    const { workspace, scope } = row
    if (!(await seesScope(web, c, { workspace, scope, person: author }))) continue
    for (const { id, title, who } of await listOf(web, row)) {
      titles.set(keptKey({ ...row, id: String(id) }), title)
      for (const one of who) people.set(one.id, one.name)
    }
  }
  return { titles, people }
}

/** To-dos, schedules or facts of the list that a row is about, as they are called. */
async function listOf({ reach, store }: Web, { what, workspace, scope }: KeptRow) {
  switch (what) {
    case 'todo': {
      const todos = await reach(() => store.todos.list(workspace, scope))
      return todos.map(({ id, text, owner, by }) => ({
        id,
        title: text,
        who: [owner, by].flatMap((one) => one ?? []),
      }))
    }
    case 'schedule': {
      const schedules = await reach(() => store.schedules.list(workspace, scope))
      return schedules.map(({ id, title }) => ({ id, title, who: [] }))
    }
    case 'memory': {
      const memories = await reach(() => store.memories.read(workspace, [scope]))
      const facts = memories.flatMap((memory) => memory.facts)
      return facts
        .filter(({ status }) => status !== 'revoked')
        .map(({ id, text }) => ({ id, title: text, who: [] }))
    }
    case 'setting':
    case 'person':
    case 'thread':
    case 'message':
      return []
    default:
      return assertNever(what)
  }
}

interface Wanted {
  /** Blank: everybody's, every thread's. */
  person: string
  thread: string
  limit: number
}

/** The newest rows that fit, oldest first; twice as many, as a call has two. */
async function newestOf(
  { store: { audit }, reach }: Web,
  workspace: string,
  { person, thread, limit }: Wanted,
): Promise<AuditRow[]> {
  const isOf = (row: AuditRow) =>
    (person === '' || row.by === person || ('approvedBy' in row && row.approvedBy === person)) &&
    (thread === '' || row.thread === thread)
  if (thread !== '') {
    const texts = await reach(() => audit.ofThread(workspace, thread, looksAt))
    return readAll(texts)
      .filter(isOf)
      .slice(-2 * limit)
  }
  const found: AuditRow[] = []
  let before: number | null = null
  for (let looked = 0; looked < looksAt && found.length < 2 * limit; looked += batch) {
    const from: number | null = before
    const texts = await reach(() => audit.newest(workspace, from, batch))
    found.push(...readAll(texts).filter(isOf))
    if (texts.length < batch) break
    before = numberIn(texts.at(-1) ?? '')
    if (before === null) break
  }
  return found.toReversed()
}

const readAll = (texts: readonly string[]): AuditRow[] =>
  texts.flatMap((text) => readRow(text) ?? [])
