import { z } from 'zod'
import { AttachedImage } from '../../agent/domain/attached-image.ts'
import { Conversation, newConversation } from '../../agent/domain/conversation.ts'
import { type InboundEvent, InboxEntry } from '../../agent/domain/event.ts'
import { Author, Message, Outcome } from '../../agent/domain/message.ts'
import { asSaidInOrder, Overheard } from '../../agent/domain/overheard.ts'
import { PlanEdit } from '../../agent/domain/plan-edit.ts'
import { AnsweredQuestion, Question } from '../../agent/domain/question.ts'
import { Run } from '../../agent/domain/run.ts'
import { growing } from '../../agent/domain/task.ts'
import { TraceEntry } from '../../agent/domain/trace.ts'
import type { ConversationState, Conversations, RunInput, Runs } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { encode, fieldsOf, readEach, readFields, readGood, readOne, readRow, readTask, tryRow } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf, needName } from './keys.ts'
import { fields, hash, list, look, nothing, timed, together, values } from './look.ts'

export const AskedQuestion = z.object({
  conversationId: z.string(),
  question: Question,
  answered: AnsweredQuestion.nullable(),
})

/** Something that waits in a run's mailbox. */
const Waiting: z.ZodType<RunInput> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    entryId: z.string(),
    question: Question,
    text: z.string(),
    author: Author,
    edited: z.string().optional(),
  }),
  z.object({
    kind: z.literal('joined'),
    entryId: z.string(),
    text: z.string(),
    author: Author,
    images: z.array(AttachedImage).optional(),
  }),
  z.object({ kind: z.literal('continue'), entryId: z.string(), author: Author.optional() }),
  z.object({
    kind: z.literal('plan_edit'),
    entryId: z.string(),
    author: Author.extend({ operator: z.boolean().optional() }),
    ...PlanEdit.shape,
  }),
  z.object({ kind: z.literal('overheard'), entryId: z.string() }),
  z.object({ kind: z.literal('gathered'), entryId: z.string() }),
])

/** The fields of a run beside which its task stands; lists need no tasks. */
export const runFields = Object.keys(Run.shape)

/** How many closed questions a turn is shown, to know a late answer. */
const recentAnswers = 10
/** How many waiting events a turn is shown; it takes one at a time. */
const waitingShown = 100

export function createConversations(client: Client): Conversations {
  const { redis } = client
  return {
    state: async (workspace, id, count) => (await statesOf(redis, workspace, [id], count))[0] ?? null,
    async overheard(workspace, id) {
      const rows = await look(redis, values(keysOf(workspace).conversation(id).overheard))
      return readGood(Overheard, rows).sort(asSaidInOrder)
    },
    async list(workspace, limit) {
      const ids = await redis.zrevrange(keysOf(workspace).conversations, 0, limit - 1)
      const states = await statesOf(redis, workspace, ids, 1)
      return states.flatMap((state) => (state === null || state.broken !== null ? [] : [state]))
    },
    page: (workspaces, before, limit) => pageOf(redis, workspaces, before, limit),
    async open(conversation) {
      const { id, updatedAt, address } = conversation
      const keys = keysOf(address.workspace)
      const { row, out } = keys.conversation(id)
      await Promise.all([
        client.workspaces.add(address.workspace),
        client.run('open', [row, out, keys.conversations], [id, updatedAt, ...fieldsOf(conversation)]),
      ])
    },
    async markRead(workspace, id, at) {
      const { conversation, needs, news } = keysOf(workspace)
      return (await client.run('read', [conversation(id).row, needs(), news], [at, needName.failed(id), id])) === 1
    },
    question: async (workspace, id) => readOne(AskedQuestion, await redis.hget(keysOf(workspace).questions, id)),
  }
}

async function pageOf(
  redis: Connection,
  workspaces: readonly string[],
  before: { at: number; id: string } | null,
  limit: number,
) {
  const found = await Promise.all(workspaces.map((workspace) => newestIn(redis, workspace, before, limit + 1)))
  const places = found.flat().sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
  const shown = places.slice(0, limit)
  const last = places.length > limit ? shown.at(-1) : undefined
  const states = new Map<string, ConversationState>()
  for (const [workspace, own] of Map.groupBy(shown, (one) => one.workspace)) {
    const ids = own.map(({ name }) => name)
    for (const state of await statesOf(redis, workspace, ids, 1))
      if (state?.broken === null) states.set(state.conversation.id, state)
  }
  return {
    states: shown.flatMap(({ name }) => states.get(name) ?? []),
    next: last === undefined ? null : { at: last.at, id: last.name },
  }
}

/** Behind a place; those of one instant stand in the order of their ids. */
async function newestIn(
  redis: Connection,
  workspace: string,
  before: { at: number; id: string } | null,
  limit: number,
) {
  const { conversations: key } = keysOf(workspace)
  const [same, older] = await look(
    redis,
    together(
      before === null
        ? nothing<{ name: string; at: number }[]>([])
        : timed(key, 'ZREVRANGEBYSCORE', before.at, before.at),
      timed(key, 'ZREVRANGEBYSCORE', before === null ? '+inf' : `(${before.at}`, '-inf', 'LIMIT', 0, limit),
    ),
  )
  return [...same.filter(({ name }) => name < (before?.id ?? '')), ...older].map((one) => ({ ...one, workspace }))
}

/** What a turn works on, of several conversations in two round trips. */
async function statesOf(redis: Connection, workspace: string, ids: readonly string[], count: number) {
  const keys = keysOf(workspace)
  const rows = await look(redis, together(...ids.map((id) => ownRows(keys.conversation(id), count))))
  const begun = ids.map((id, at) => begin(id, rows[at] ?? [{}, [], [], [], []]))
  const more = await look(
    redis,
    together(...begun.map((one) => (one === null ? nothing(null) : referred(keys, one, count)))),
  )
  return begun.map((one, at) => {
    const found = more[at] ?? null
    return one === null || found === null ? null : stateOf(one, found)
  })
}

/** What stands in the conversation's own rows. */
const ownRows = (places: ReturnType<ReturnType<typeof keysOf>['conversation']>, count: number) =>
  together(
    hash(places.row),
    count === 0 ? nothing<string[]>([]) : list(places.messages, -count, -1),
    list(places.questions, 0, -1),
    list(places.answered, -recentAnswers, -1),
    list(places.inbox, 0, waitingShown - 1),
  )

type Rows = ReturnType<ReturnType<typeof ownRows>['take']>

function begin(id: string, [row, said, open, answered, inbox]: Rows) {
  const { read: waiting, damaged } = readEach(InboxEntry, inbox)
  const isThere = Object.keys(row).length > 0
  // One that has lost its version is there all the same.
  const found = tryRow(() => (isThere ? readRow(Conversation, { version: '', ...row }) : null))
  const conversation = found.ok ? found.value : madeAnew(id, row, waiting[0]?.event)
  if (conversation === null) return null
  const broken = found.ok ? null : { row: encode(row), problem: found.problem }
  return { conversation, broken, messages: readGood(Message, said), open, answered, inbox: waiting, damaged }
}

type Begun = NonNullable<ReturnType<typeof begin>>

/** What the conversation's rows name and other rows hold. */
const referred = (keys: ReturnType<typeof keysOf>, { conversation, messages, open, answered }: Begun, count: number) =>
  together(
    fields(
      keys.conversation(conversation.id).outcomes,
      messages.map(({ id }) => id),
    ),
    fields(keys.questions, open),
    fields(keys.questions, answered),
    count === 0 || conversation.foreground === null
      ? nothing<(string | null)[]>([])
      : fields(keys.run(conversation.foreground).row, runFields),
  )

function stateOf(
  { open: _, ...begun }: Begun,
  [outcomes, open, answered, foreground]: ReturnType<ReturnType<typeof referred>['take']>,
): ConversationState {
  return {
    ...begun,
    outcomes: outcomesBy(
      begun.messages.map(({ id }) => id),
      outcomes,
    ),
    questions: readGood(AskedQuestion, open).map(({ question }) => question),
    answered: readGood(AskedQuestion, answered).flatMap((one) => one.answered ?? []),
    foreground: runsIn([foreground])[0] ?? null,
  }
}

/** With what can still be read of it (P18); null where neither that nor who writes there says in which thread it is. */
function madeAnew(id: string, row: Record<string, string>, event: InboundEvent | undefined): Conversation | null {
  const known = readFields(Conversation, row)
  const address = known.address ?? event
  if (address === undefined) return null
  const { workspace, channel, thread } = address
  const { at = known.updatedAt ?? 0, locale = 'en', timeZone = 'UTC' } = event ?? {}
  const fresh = { lastReadAt: at, locale, timeZone, strategy: null, heard: null }
  return newConversation({ ...fresh, ...known, id, address: { workspace, channel, thread }, at })
}

function outcomesBy(messageIds: readonly string[], texts: readonly (string | null)[]): Record<string, Outcome> {
  const read = messageIds.map((id, index) => [id, readOne(Outcome, texts[index] ?? null)] as const)
  return Object.fromEntries(read.flatMap(([id, outcome]) => (outcome === null ? [] : [[id, outcome]])))
}

/** None where there is none, or none that can be read. */
function readGoodRow<T>(schema: z.ZodType<T>, hash: Record<string, string>): T[] {
  const row = tryRow(() => readRow(schema, hash))
  return row.ok && row.value !== null ? [row.value] : []
}

/** Runs without their tasks, of those that can be read. */
export const runsIn = (rows: readonly (readonly (string | null)[])[]): Run[] =>
  rows.flatMap((texts) => {
    const found = runFields.flatMap((name, index) => (texts[index] == null ? [] : [[name, texts[index]] as const]))
    return readGoodRow(Run, Object.fromEntries(found))
  })

async function admit(client: Client, run: Run, group?: Parameters<Runs['admit']>[1]) {
  const { id, workspace, conversationId, createdAt, type } = run
  const keys = keysOf(workspace)
  const { row } = keys.run(id)
  const thread = conversationId === null ? row : keys.conversation(conversationId).runs
  const gatherer = group === undefined ? { row, inputs: row } : keys.run(group.gatherer)
  const told = group === undefined ? '' : encode({ kind: 'gathered', entryId: id } satisfies RunInput)
  const created: TraceEntry = { at: createdAt, what: { kind: 'created', runId: id, type, parentRunId: null } }
  const [, answer] = await Promise.all([
    client.workspaces.add(workspace),
    client.run(
      'admit',
      [row, keys.runs, keys.due('run'), keys.trace(id), thread, gatherer.row, gatherer.inputs],
      [id, createdAt, encode(created), conversationId === null ? '' : '1', told, group?.size ?? 0, ...fieldsOf(run)],
    ),
  ])
  return answer === 1 ? 'accepted' : answer === 0 ? 'known' : answer === -1 ? 'closed' : 'full'
}

export function createRuns(client: Client): Runs {
  const { redis } = client
  return {
    admit: (run, group) => admit(client, run, group),
    async state(workspace, id) {
      const places = keysOf(workspace).run(id)
      const [row, inputs, lists] = await look(
        redis,
        together(
          hash(places.row),
          list(places.inputs, 0, -1),
          together(...growing.map((name) => list(places.growing(name), 0, -1))),
        ),
      )
      const run = readRow(Run, row)
      if (run === null) return null
      const { read, damaged } = readEach(Waiting, inputs)
      const task = tryRow(() => readTask(row, lists))
      const parts = task.ok ? { task: task.value, problem: null } : { task: null, problem: task.problem }
      return { run, ...parts, inputs: read, damaged }
    },
    async list(workspace, limit, conversationId) {
      const keys = keysOf(workspace)
      const ids =
        conversationId === undefined
          ? await redis.zrevrange(keys.runs, 0, limit - 1)
          : (await look(redis, list(keys.conversation(conversationId).runs, -limit, -1))).reverse()
      return runsIn(await look(redis, together(...ids.map((id) => fields(keys.run(id).row, runFields)))))
    },
    remains: async (workspace, id) => readFields(Run, await redis.hgetall(keysOf(workspace).run(id).row)),
    async trace(workspace, of) {
      const entries = await redis.lrange(keysOf(workspace).trace(of), 0, -1)
      return readGood(TraceEntry, entries)
    },
  }
}
