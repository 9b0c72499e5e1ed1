import { z } from 'zod'
import { Conversation, newConversation } from '../../agent/domain/conversation.ts'
import { type InboundEvent, InboxEntry } from '../../agent/domain/event.ts'
import { Author, Message, Outcome } from '../../agent/domain/message.ts'
import { AnsweredQuestion, Question } from '../../agent/domain/question.ts'
import { Run } from '../../agent/domain/run.ts'
import { growing } from '../../agent/domain/task.ts'
import { TraceEntry } from '../../agent/domain/trace.ts'
import type { ConversationState, Conversations, RunInput, Runs } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { encode, fieldsOf, readEach, readFields, readGood, readOne, readRow, readTask, tryRow } from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf, workspacesKey } from './keys.ts'

const AskedQuestion = z.object({
  conversationId: z.string(),
  question: Question,
  answered: AnsweredQuestion.nullable(),
})

/** Something that waits in a run's mailbox. */
const Waiting: z.ZodType<RunInput> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), entryId: z.string(), question: Question, text: z.string(), author: Author }),
  z.object({ kind: z.literal('joined'), entryId: z.string(), text: z.string(), author: Author }),
  z.object({ kind: z.literal('continue'), entryId: z.string() }),
])

/** The fields of a run beside which its task stands; lists need no tasks. */
const runFields = Object.keys(Run.shape)

/** How many closed questions a turn is shown, to know a late answer. */
const recentAnswers = 10
/** How many waiting events a turn is shown; it takes one at a time. */
const waitingShown = 100

export function createConversations(client: Client): Conversations {
  const { redis } = client
  return {
    state: (workspace, id, count) => stateOf(redis, workspace, id, count),
    async list(workspace, limit) {
      const ids = await redis.zrevrange(keysOf(workspace).conversations, 0, limit - 1)
      const rows = await Promise.all(ids.map((id) => redis.hgetall(keysOf(workspace).conversation(id).row)))
      return rows.flatMap((row) => readGoodRow(Conversation, row))
    },
    async open(conversation) {
      const { id, updatedAt, address } = conversation
      const keys = keysOf(address.workspace)
      const { row, out } = keys.conversation(id)
      await Promise.all([
        redis.sadd(workspacesKey, address.workspace),
        client.run('open', [row, out, keys.conversations], [id, updatedAt, ...fieldsOf(conversation)]),
      ])
    },
    markRead: async (workspace, id, at) =>
      (await client.run('read', [keysOf(workspace).conversation(id).row], [at])) === 1,
    question: async (workspace, id) => (await asked(redis, workspace, [id]))[0] ?? null,
  }
}

async function stateOf(
  redis: Connection,
  workspace: string,
  id: string,
  count: number,
): Promise<ConversationState | null> {
  const places = keysOf(workspace).conversation(id)
  const [row, said, open, answered, inbox] = await Promise.all([
    redis.hgetall(places.row),
    count === 0 ? [] : redis.lrange(places.messages, -count, -1),
    redis.lrange(places.questions, 0, -1),
    redis.lrange(places.answered, -recentAnswers, -1),
    redis.lrange(places.inbox, 0, waitingShown - 1),
  ])
  const { read: waiting, damaged } = readEach(InboxEntry, inbox)
  const isThere = Object.keys(row).length > 0
  // One that has lost its version is there all the same.
  const found = tryRow(() => (isThere ? readRow(Conversation, { version: '', ...row }) : null))
  const conversation = found.ok ? found.value : madeAnew(id, row, waiting[0]?.event)
  if (conversation === null) return null
  const messages = readGood(Message, said)
  const messageIds = messages.map((message) => message.id)
  const [outcomes, openQuestions, closed, [foreground]] = await Promise.all([
    hmget(redis, places.outcomes, messageIds),
    asked(redis, workspace, open),
    asked(redis, workspace, answered),
    runRows(redis, workspace, conversation.foreground === null ? [] : [conversation.foreground]),
  ])
  return {
    conversation,
    broken: found.ok ? null : { row: encode(row), problem: found.problem },
    messages,
    outcomes: outcomesBy(messageIds, outcomes),
    questions: openQuestions.map(({ question }) => question),
    answered: closed.map((one) => one.answered).filter((answer) => answer !== null),
    inbox: waiting,
    damaged,
    foreground: foreground ?? null,
  }
}

/** With what can still be read of it (P18); null where neither that nor who writes there says in which thread it is. */
function madeAnew(id: string, row: Record<string, string>, event: InboundEvent | undefined): Conversation | null {
  const known = readFields(Conversation, row)
  const address = known.address ?? event
  if (address === undefined) return null
  const { workspace, channel, thread } = address
  const { at = known.updatedAt ?? 0, locale = 'en', timeZone = 'UTC' } = event ?? {}
  const fresh = { lastReadAt: at, locale, timeZone, strategy: null }
  return newConversation({ ...fresh, ...known, id, address: { workspace, channel, thread }, at })
}

/** The questions that can be read, of these. */
const asked = async (redis: Connection, workspace: string, ids: readonly string[]) =>
  readGood(AskedQuestion, await hmget(redis, keysOf(workspace).questions, ids))

/** Redis takes no command that asks for no field. */
const hmget = async (redis: Connection, key: string, fields: readonly string[]) =>
  fields.length === 0 ? [] : await redis.hmget(key, ...fields)

function outcomesBy(messageIds: readonly string[], texts: readonly (string | null)[]): Record<string, Outcome> {
  const read = messageIds.map((id, index) => [id, readOne(Outcome, texts[index] ?? null)] as const)
  return Object.fromEntries(read.flatMap(([id, outcome]) => (outcome === null ? [] : [[id, outcome]])))
}

/** None where there is none, or none that can be read. */
function readGoodRow<T>(schema: z.ZodType<T>, hash: Record<string, string>): T[] {
  const row = tryRow(() => readRow(schema, hash))
  return row.ok && row.value !== null ? [row.value] : []
}

/** Runs without their tasks. */
async function runRows(redis: Connection, workspace: string, ids: readonly string[]): Promise<Run[]> {
  const rows = await Promise.all(ids.map((id) => redis.hmget(keysOf(workspace).run(id).row, ...runFields)))
  return rows.flatMap((texts) => {
    const fields = runFields.flatMap((name, index) => (texts[index] == null ? [] : [[name, texts[index]] as const]))
    return readGoodRow(Run, Object.fromEntries(fields))
  })
}

export function createRuns(client: Client): Runs {
  const { redis } = client
  return {
    async state(workspace, id) {
      const places = keysOf(workspace).run(id)
      const [row, inputs, ...lists] = await Promise.all([
        redis.hgetall(places.row),
        redis.lrange(places.inputs, 0, -1),
        ...growing.map((name) => redis.lrange(places.growing(name), 0, -1)),
      ])
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
          : (await redis.lrange(keys.conversation(conversationId).runs, -limit, -1)).reverse()
      return await runRows(redis, workspace, ids)
    },
    remains: async (workspace, id) => readFields(Run, await redis.hgetall(keysOf(workspace).run(id).row)),
    async trace(workspace, of) {
      const entries = await redis.lrange(keysOf(workspace).trace(of), 0, -1)
      return readGood(TraceEntry, entries)
    },
  }
}
