import { z } from 'zod'
import { Conversation, newConversation } from '../../agent/domain/conversation.ts'
import { type InboundEvent, InboxEntry } from '../../agent/domain/event.ts'
import { Message, Outcome } from '../../agent/domain/message.ts'
import { AnsweredQuestion, Question } from '../../agent/domain/question.ts'
import { Run, RunStatus } from '../../agent/domain/run.ts'
import { type ConversationState, type ThreadLine, waitingMost } from '../../agent/ports/store.ts'
import { evaluate } from './client.ts'
import {
  encode,
  readable,
  readEach,
  readFields,
  readGood,
  readOne,
  readRow,
  tryRow,
} from './codec.ts'
import type { Connection } from './connection.ts'
import { keysOf } from './keys.ts'
import { combine, fields, hash, hashOf, list, lookEach, nothing, number, record } from './look.ts'

export const AskedQuestion = z.object({
  conversationId: z.string(),
  question: Question,
  answered: AnsweredQuestion.nullable(),
})

const runFields = Object.keys(Run.shape)

/** Reads a run without its task, whose fields are prefixed. Lists need no tasks. */
export const runRow = (key: string) => record(key, runFields)

/** Closed questions that a turn is given, to recognise a late answer. */
const recentAnswers = 10

/** Conversations as a turn needs them, several in two round trips. */
export async function statesOf(
  redis: Connection,
  workspace: string,
  ids: readonly string[],
  { count, waiting = waitingMost }: { count: number; waiting?: number },
) {
  const keys = keysOf(workspace)
  const rows = await lookEach(redis, ids, (id) => ownRows(keys.conversation(id), count, waiting))
  const begun = rows.map(([id, own]) => begin(id, own))
  const more = await lookEach(redis, begun, (one) =>
    one === null ? nothing(null) : referred(keys, one, count),
  )
  return more.map(([one, found]) => (one === null || found === null ? null : stateOf(one, found)))
}

/**
 * KEYS row, messages, questions and inbox of each. Answers one text: parsing hundreds of single
 * answers takes longer.
 */
const linesScript = `
local lines = {}
for i = 1, #KEYS, 4 do
  lines[#lines + 1] = {redis.pcall('HGETALL', KEYS[i]), redis.pcall('LINDEX', KEYS[i + 1], -1),
    redis.pcall('LINDEX', KEYS[i + 2], 0), redis.pcall('LLEN', KEYS[i + 3])}
end
return cjson.encode(lines)
`

/** Rows of the script's answer. Missing keys and keys of another type read as empty. */
const LineRows = z.array(
  z.tuple([
    z.array(z.string()).catch([]),
    z.string().nullable().catch(null),
    z.string().nullable().catch(null),
    z.number().catch(0),
  ]),
)

/** Lines of a list, for those conversations that can be read, in two round trips (C271). */
export async function linesOf(
  redis: Connection,
  workspace: string,
  ids: readonly string[],
): Promise<ThreadLine[]> {
  const keys = keysOf(workspace)
  const own = ids.map((id) => keys.conversation(id))
  const places = own.flatMap(({ row, messages, questions, inbox }) => [
    row,
    messages,
    questions,
    inbox,
  ])
  const rows = places.length === 0 ? '[]' : await evaluate(redis, linesScript, places, [])
  const lines = LineRows.parse(JSON.parse(String(rows))).flatMap(([row, said, question, inbox]) => {
    // A conversation of a newer version hides none of the others.
    const conversation = readable(() => readRow(Conversation, hashOf(row)))
    if (conversation === null) return []
    return {
      conversation,
      newest: readable(() => readOne(Message, said)),
      status: null,
      steps: undefined,
      question,
      isHeard: inbox > 0,
    }
  })
  const known = await lookEach(redis, lines, ({ conversation: { foreground }, question }) =>
    combine(
      foreground === null ? none : fields(keys.run(foreground).row, ['status', 'steps']),
      question === null ? none : fields(keys.questions, [question]),
    ),
  )
  return known.map(([{ question, ...line }, [[status = null, steps = null], asked]]) => ({
    ...line,
    isAsked: question !== null,
    askedOf: readGood(AskedQuestion, asked)[0]?.question.askedOf ?? null,
    status: readOne(RunStatus, status),
    steps: readOne(Run.shape.steps, steps) ?? undefined,
  }))
}

const none = nothing<(string | null)[]>([])

/** Reads the rows of the conversation itself. */
const ownRows = (
  places: ReturnType<ReturnType<typeof keysOf>['conversation']>,
  count: number,
  waiting: number,
) =>
  combine(
    hash(places.row),
    count === 0 ? nothing<string[]>([]) : list(places.messages, -count, -1),
    list(places.questions, 0, -1),
    list(places.answered, -recentAnswers, -1),
    list(places.inbox, 0, waiting - 1),
    number('HLEN', places.overheard),
  )

type Rows = ReturnType<ReturnType<typeof ownRows>['take']>

function begin(id: string, [row, said, open, answered, inbox, overheardCount]: Rows) {
  const { read: waiting, damaged } = readEach(InboxEntry, inbox)
  const isThere = Object.keys(row).length > 0
  // A conversation without a version still exists.
  const found = tryRow(() => (isThere ? readRow(Conversation, { version: '', ...row }) : null))
  const conversation = found.ok ? found.value : madeAnew(id, row, waiting[0]?.event)
  if (conversation === null) return null
  const broken = found.ok ? null : { row: encode(row), problem: found.problem }
  return {
    conversation,
    broken,
    messages: readGood(Message, said),
    open,
    answered,
    overheardCount,
    inbox: waiting,
    damaged,
  }
}

type Begun = NonNullable<ReturnType<typeof begin>>

/** Reads rows of others that the conversation's rows name. */
const referred = (
  keys: ReturnType<typeof keysOf>,
  { conversation, messages, open, answered }: Begun,
  count: number,
) =>
  combine(
    fields(
      keys.conversation(conversation.id).outcomes,
      messages.map(({ id }) => id),
    ),
    fields(keys.questions, open),
    fields(keys.questions, answered),
    count === 0 || conversation.foreground === null
      ? nothing({})
      : runRow(keys.run(conversation.foreground).row),
  )

function stateOf(
  { open: _, ...begun }: Begun,
  [outcomes, open, answered, foreground]: ReturnType<ReturnType<typeof referred>['take']>,
): ConversationState {
  return {
    ...begun,
    outcomes: Object.fromEntries(
      begun.messages.flatMap(({ id }, at) => {
        const outcome = readOne(Outcome, outcomes[at] ?? null)
        return outcome === null ? [] : [[id, outcome]]
      }),
    ),
    questions: readGood(AskedQuestion, open).map(({ question }) => question),
    answered: readGood(AskedQuestion, answered).flatMap((one) => one.answered ?? []),
    foreground: readGoodRow(Run, foreground)[0] ?? null,
  }
}

/**
 * Rebuilds a damaged conversation from its readable fields (P18). Null if neither these nor the
 * waiting event name its thread.
 */
function madeAnew(
  id: string,
  row: Record<string, string>,
  event: InboundEvent | undefined,
): Conversation | null {
  const known = readFields(Conversation, row)
  const address = known.address ?? event
  if (address === undefined) return null
  const { workspace, channel, thread } = address
  const { at = known.updatedAt ?? 0, locale = 'en', timeZone = 'UTC' } = event ?? {}
  const fresh = { lastReadAt: at, locale, timeZone, strategy: null, heard: null }
  return newConversation({ ...fresh, ...known, id, address: { workspace, channel, thread }, at })
}

/** The row in a list; empty if there is none or it cannot be read. */
export function readGoodRow<T>(schema: z.ZodType<T>, hash: Record<string, string>): T[] {
  const row = tryRow(() => readRow(schema, hash))
  return row.ok && row.value !== null ? [row.value] : []
}
