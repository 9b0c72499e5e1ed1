import { rowsOf } from '../../scripts/audit.ts'
import { readRow, verifyChain } from '../../src/agent/domain/audit-chain.ts'
import { deriveId } from '../../src/agent/domain/id.ts'
import { hasEnded, type Run } from '../../src/agent/domain/run.ts'
import type { TraceEntry } from '../../src/agent/domain/trace.ts'
import type { ConversationState, Store } from '../../src/agent/ports/store.ts'
import { type Connection, keysFrom } from '../../src/store/redis/connection.ts'
import type { Told } from './story.ts'
import { type Effect, effectsIn } from './tools.ts'

/**
 * What a story came to, as people and the world outside see it, without ids and times. Two stories that came to the same
 * are equal.
 */
export interface Outcome {
  threads: { messages: string[]; runs: string[]; traces: string[][]; deliveries: string[] }[]
  todos: string[]
  /** What became of each due slot of the schedule (P10). */
  slots: string[]
  /** Those that the coding agent was given. */
  tasks: string[]
  /** Those of the keyed tool. */
  effects: string[]
  /** Bookings that happened, and calls of it that a crash cut off and that people were asked about. */
  bookings: number
  interrupted: boolean
}

const workspace = 'web:local'
const base = `clew:{${workspace}}:`

/**
 * Reads a story's history and checks what must hold of every one (P1, P13, R109): nothing accepted is lost, nothing is
 * there twice, nothing is left over.
 *
 * @throws Error that names the first thing that is wrong.
 */
export async function readHistory(
  told: Told,
  world: { rows: Store; redis: Connection; folder: string },
): Promise<Outcome> {
  const { rows, redis, folder } = world
  const stream = await shownIn(redis)
  checkTab(told, stream)
  const threads: Outcome['threads'] = []
  const seenMessages: string[] = []
  for (const id of Object.values(told.conversations)) {
    const state = await rows.conversations.state(workspace, id, 10_000)
    if (state === null) throw new Error(`conversation ${id} is lost`)
    const runs = (await rows.runs.list(workspace, 1_000, id)).reverse()
    const shown = stream.filter((one) => one.conversationId === id)
    checkThread(state, runs, shown)
    seenMessages.push(...state.messages.map((message) => message.id))
    const traces = await Promise.all(runs.map((run) => rows.runs.trace(workspace, run.id)))
    for (const [index, trace] of traces.entries()) checkTrace(runs[index]?.title ?? '', trace)
    threads.push({
      messages: state.messages.map((message) => {
        const outcome = state.outcomes[message.id]
        const who = message.author === null ? message.role : nameless(message.author.name)
        return `${who}: ${nameless(message.text)}${outcome === undefined ? '' : ` [${outcome.kind}]`}`
      }),
      runs: runs.map(
        (run) =>
          `${run.type} ${run.title} ${run.status}${run.parentRunId === null ? '' : ' again'}`,
      ),
      traces: traces.map((trace) => trace.flatMap(({ what }) => entryOf(what)).sort()),
      deliveries: shown
        .filter(({ body }) => body.kind !== 'private')
        .map(({ body }) => nameless(JSON.stringify(withoutIds(body))))
        .sort(),
    })
  }
  const lost = told.accepted.filter((id) => !seenMessages.includes(id))
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged messages are lost`)
  const left = await fullMailboxes(redis)
  if (left.length > 0) throw new Error(`left over: ${left.join(', ')}`)
  const effects = effectsIn(folder)
  checkEffects(effects)
  await checkAudit(rows, effects)
  const todos = await rows.todos.list(workspace, 'channel:web')
  return {
    threads,
    tasks: [...told.tasks],
    todos: todos.map((todo) => `${todo.id} ${todo.text} #${todo.tag}`),
    slots: told.slots,
    effects: effects.flatMap(({ tool, input }) => (tool === 'ledger' ? [input] : [])).sort(),
    bookings: effects.filter(({ tool }) => tool === 'booking').length,
    interrupted: threads.some(({ traces }) => traces.flat().includes('acted booking false')),
  }
}

/** Every effect outside has its intent, every intent its one outcome behind it, and the chain is whole (C710, C713). */
async function checkAudit({ audit }: Store, effects: readonly Effect[]): Promise<void> {
  const { text, heads } = await rowsOf(audit)
  const { fault } = verifyChain(text, heads)
  if (fault !== null) throw new Error(`the audit's chain is broken: ${JSON.stringify(fault)}`)
  const calls = text.split('\n').flatMap((line) => {
    const row = readRow(line)
    return row?.kind === 'intent' || row?.kind === 'outcome' ? [row] : []
  })
  const announced = new Set(calls.map(({ kind, effect }) => `${kind} ${effect}`))
  const silent = effects.find(({ effectId }) => !announced.has(`intent ${effectId}`))
  if (silent !== undefined) throw new Error(`an effect has no row: ${JSON.stringify(silent)}`)
  for (const [name, rows] of Map.groupBy(calls, ({ run, step }) => `${run} ${step}`)) {
    const kinds = rows.map(({ kind }) => kind).join()
    if (kinds !== 'intent,outcome') throw new Error(`the rows of call ${name} are ${kinds}`)
  }
}

export async function newestEvent(redis: Connection): Promise<string> {
  const [newest] = await redis.xrevrange(`${base}events`, '+', '-', 'COUNT', 1)
  return newest?.[0] ?? '0-0'
}

interface ShownDelivery {
  eventId: string
  conversationId: string
  id: string
  body: { kind: string } & Record<string, unknown>
}

/** Everything that was delivered to the web channel, in order. */
async function shownIn(redis: Connection): Promise<ShownDelivery[]> {
  const entries = await redis.xrange(`${base}events`, '-', '+')
  return entries.flatMap(([eventId, fields]) => {
    const event = JSON.parse(fields[fields.indexOf('body') + 1] ?? '{}')
    if (event.kind !== 'delivery') return []
    return [
      {
        eventId,
        conversationId: event.conversationId,
        id: event.delivery.id,
        body: event.delivery.body,
      },
    ]
  })
}

/** The page that was open all the time got every event once and in order, across every crash. */
function checkTab({ tab }: Told, stream: readonly ShownDelivery[]) {
  const got = tab.shown.filter((one) => one.kind === 'delivery')
  if (tab.shown.some((one) => one.kind === 'reset'))
    throw new Error('the page was told to start anew')
  const ids = tab.shown.filter(({ kind }) => kind !== 'ready').map((one) => one.id)
  if (new Set(ids).size !== ids.length) throw new Error('the page got an event twice')
  const mine = stream.filter(({ body }) => body.kind !== 'private').map(({ eventId }) => eventId)
  const seen = got.filter(({ data }) => data.delivery?.body.kind !== 'private').map(({ id }) => id)
  if (mine.join() !== seen.join())
    throw new Error(`the page got ${seen.length} of ${mine.length} deliveries, or in another order`)
}

function checkThread(
  state: ConversationState,
  runs: readonly Run[],
  shown: readonly ShownDelivery[],
) {
  const { messages, outcomes } = state
  unique(
    'message',
    messages.map((message) => message.id),
  )
  unique(
    'delivery',
    shown.map((one) => one.id),
  )
  if (state.inbox.length > 0) throw new Error(`${state.inbox.length} inputs are left in the inbox`)
  if (state.questions.length > 0) throw new Error('a question is left open')
  unique(
    'answered question',
    state.answered.map(({ question }) => question.id),
  )
  for (const message of messages) {
    const outcome = outcomes[message.id]
    if (message.role === 'user' && (outcome === undefined || outcome.kind === 'waiting'))
      throw new Error(`"${message.text}" has no outcome`)
    if (message.role === 'user') continue
    const carrying = shown.filter(({ body }) => carries(body, message.id, message.questionId))
    if (carrying.length !== 1)
      throw new Error(`"${message.text}" was shown ${carrying.length} times`)
  }
  // What was shown of the thread came in the order in which it was said (R152, rule 7).
  const order = messages.filter(({ role }) => role === 'assistant').map(({ id }) => id)
  const shownOrder = shown.flatMap(({ body }) =>
    order.filter((id) =>
      carries(body, id, messages.find((message) => message.id === id)?.questionId ?? null),
    ),
  )
  if (order.join() !== shownOrder.join())
    throw new Error('messages were shown in another order than they were said')
  for (const run of runs) {
    if (!hasEnded(run.status)) throw new Error(`the run ${run.title} is left ${run.status}`)
    const terminal = deriveId('m', 'run', run.id, 'terminal')
    const count = messages.filter((message) => message.id === terminal).length
    if (count !== 1) throw new Error(`the run ${run.title} has ${count} terminal messages`)
  }
}

function carries(
  body: ShownDelivery['body'],
  messageId: string,
  questionId: string | null,
): boolean {
  if (body.kind === 'message' || body.kind === 'final') return body.messageId === messageId
  return (
    questionId !== null &&
    body.kind === 'question' &&
    (body.question as { id: string }).id === questionId
  )
}

/** P13: each question is asked once and heard once, and a replan comes before any other thought once a person has said something. */
function checkTrace(title: string, trace: readonly TraceEntry[]) {
  const asked: string[] = []
  let toReplan = false
  let answers = 0
  for (const { what } of trace) {
    if (what.kind === 'asked') asked.push(what.questionId)
    if (what.kind === 'heard' && what.as === 'answer') answers += 1
    // An answer goes to the next thought, which may ask for a replan (C508).
    if (what.kind === 'heard' && what.as !== 'continue' && what.as !== 'answer') toReplan = true
    if (what.kind === 'replanned' || what.kind === 'task_done') toReplan = false
    if (what.kind === 'thought' && toReplan)
      throw new Error(`${title}: a thought came before the replan`)
  }
  unique(`question of ${title}`, asked)
  if (trace.filter(({ what }) => what.kind === 'planned').length > 1)
    throw new Error(`${title} was planned twice (R2)`)
  if (answers !== asked.length)
    throw new Error(`${title}: ${asked.length} questions and ${answers} answers`)
}

function checkEffects(effects: readonly Effect[]) {
  unique(
    'effect',
    effects.map(({ effectId }) => effectId),
  )
}

/** What waits to be done; empty when nothing does. Reminders of questions are due some day and count as nothing. */
export async function leftovers(redis: Connection): Promise<string[]> {
  const due = await Promise.all(
    ['run', 'outbox'].map((kind) => redis.zrange(`${base}due:${kind}`, '0', '-1')),
  )
  return [...(await fullMailboxes(redis)), ...due.flat()]
}

async function fullMailboxes(redis: Connection): Promise<string[]> {
  const keys = await keysFrom(redis, base)
  return keys.filter(
    (key) => /:(?:inbox|inputs|outbox|progress)$/.test(key) && !key.includes(':due:'),
  )
}

function unique(what: string, ids: readonly string[]) {
  if (new Set(ids).size !== ids.length) throw new Error(`a ${what} is there twice`)
}

/** Who of the two won the race for the answer is not part of the outcome. */
const nameless = (text: string) =>
  text
    .replaceAll(/\b(?:Ana|Ben|ana|ben)\b/g, 'somebody')
    .replaceAll(/\(started \d{4}-[\dT:+-]{10,25}\)/g, '(started then)')

/**
 * What of a trace is the same in every story: what happened, not in how many thoughts, since a message that joins a task
 * may come before or after the thought that a crash cut off.
 */
function entryOf(what: TraceEntry['what']): string[] {
  switch (what.kind) {
    case 'status':
      return [`status ${what.status} ${what.reason ?? ''}`]
    case 'acting':
      return [`acting ${what.tool}`]
    case 'acted':
      return [`acted ${what.tool} ${what.ok}`]
    case 'heard':
      return [`heard ${what.as}`]
    case 'model_call':
    case 'planned':
    case 'replanned':
    case 'thought':
      return []
    default:
      return [what.kind]
  }
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]) =>
      /^(?:id|at|.*Id|.*At)$/.test(key) ? [] : [[key, withoutIds(held)]],
    ),
  )
}
