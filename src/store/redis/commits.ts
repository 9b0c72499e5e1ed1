import { assertNever } from '../../agent/domain/assert.ts'
import { alarmOf } from '../../agent/domain/schedule.ts'
import { alarmOfTodo } from '../../agent/domain/todo.ts'
import type { Change, Commits, Committed, Expectation, Lease } from '../../agent/ports/store.ts'
import type { Item } from '../../agent/ports/wakeups.ts'
import type { Client } from './client.ts'
import { encode, fieldsOf, taskChanges } from './codec.ts'
import { alarmMember, keysOf, placesOf } from './keys.ts'
import { readUsage, usageKeptSeconds, usageRaises } from './usage.ts'

/** @param self names this process in the leases that a commit holds. */
export function createCommits(client: Client, self: string): Commits {
  return {
    async commit(lease, change) {
      const write = collect(lease)
      expectations(write, change.expect ?? [])
      usage(write, change)
      consumption(write, change)
      aside(write, change)
      conversation(write, change)
      questions(write, change)
      runs(write, change, self)
      alarms(write, change)
      task(write, change)
      overheard(write, change)
      output(write, change)
      const { keys, args } = write.finish(change.id)
      const [kind, waiting, ...counts] = (await client.run('commit', keys, args)) as [Committed['kind'], number]
      if (kind !== 'committed') return { kind }
      if (change.usage === undefined) return { kind, waiting }
      const { person } = change.usage
      return { kind, waiting, usage: counts.length === 0 ? null : readUsage(person, counts) }
    },
  }
}

/** Commands that take any number of entries, and how many arguments of one still leave room on Lua's stack. */
const joined: readonly string[] = ['HSET', 'ZADD', 'ZADD LT', 'ZREM', 'RPUSH']
const joinedMost = 1_000

/** Gathers the guards and the writes of one commit, and the keys that they touch. */
function collect({ item, fence }: Lease) {
  const { workspace } = item
  const {
    row,
    mailboxes: [mailbox],
  } = placesOf(item)
  const touched = [row, mailbox]
  const places = new Map(touched.map((key, index) => [key, index + 1]))
  const guards: (string | number)[] = []
  const writes: { command: string; key: number; args: (string | number)[] }[] = []
  /** The newest write of each key. */
  const newest = new Map<number, (typeof writes)[number]>()
  const position = (key: string) => {
    const found = places.get(key) ?? touched.push(key)
    places.set(key, found)
    return found
  }
  /** What goes to one key by one command in a row is one command: a commit may make hundreds of runs. */
  function add(command: string, key: string, ...args: (string | number)[]) {
    if (args.length === 0) return
    const at = position(key)
    const before = newest.get(at)
    if (before?.command === command && joined.includes(command) && before.args.length < joinedMost)
      return void before.args.push(...args)
    const write = { command, key: at, args }
    writes.push(write)
    newest.set(at, write)
  }
  return {
    ...{ item, mailbox, keys: keysOf(workspace), add },
    guard: (kind: 'field' | 'first' | 'length', key: string, a: string | number, b = '') =>
      guards.push(kind, position(key), a, b),
    /** LT: an item that is already due earlier stays so. */
    wake: (kind: Item['kind'], id: string, at: number) => add('ZADD LT', placesOf({ kind, workspace, id }).due, at, id),
    finish: (commitId: string) => ({
      keys: touched,
      args: [...[fence, commitId, guards.length / 4, ...guards], ...writes.flatMap(encodeWrite)],
    }),
  }
}
type Write = ReturnType<typeof collect>

function encodeWrite({ command, key, args }: { command: string; key: number; args: readonly (string | number)[] }) {
  const [name = '', ...flags] = command.split(' ')
  return [name, key, flags.length + args.length, ...flags, ...args]
}

function expectations(write: Write, expected: readonly Expectation[]) {
  const { keys } = write
  for (const expectation of expected) {
    switch (expectation.kind) {
      case 'run_status':
        write.guard('field', keys.run(expectation.runId).row, 'status', encode(expectation.status))
        break
      case 'open_question':
        write.guard('first', keys.conversation(expectation.conversationId).questions, expectation.questionId)
        break
      case 'question_count':
        write.guard('length', keys.conversation(expectation.conversationId).questions, expectation.count)
        break
      case 'mailbox':
        write.guard('length', write.mailbox, expectation.count)
        break
      default:
        return assertNever(expectation)
    }
  }
}

/** The first counters of a commit, so that their answers come first. */
function usage(write: Write, { usage: used }: Change) {
  if (used === undefined) return
  const key = write.keys.usage(used.day)
  for (const [field, by] of usageRaises(used)) write.add('HINCRBY', key, field, by)
  write.add('EXPIRE', key, usageKeptSeconds)
}

function consumption(write: Write, change: Change) {
  if (change.consume !== undefined && change.consume > 0) write.add('LTRIM', write.mailbox, change.consume, -1)
  // A list loses an entry in its middle only by its text, so those get one of their own first.
  for (const at of change.drop ?? []) write.add('LSET', write.mailbox, at, dropped)
  if ((change.drop ?? []).length > 0) write.add('LREM', write.mailbox, 0, dropped)
}

const dropped = '~dropped'

/** So many rows that were set aside are kept, the newest. */
const asideKept = 1_000

/** P18: kept with the time, the list and what was wrong, until the retention takes it. */
function aside(write: Write, change: Change) {
  if (change.aside === undefined || change.aside.length === 0) return
  const { aside: key } = write.keys
  write.add('ZADD', key, ...change.aside.flatMap((one) => [change.at, encode({ at: change.at, ...one })]))
  write.add('ZREMRANGEBYRANK', key, 0, -asideKept - 1)
}

function conversation(write: Write, change: Change) {
  if (change.conversation === undefined) return
  const { keys } = write
  const { id, patch } =
    'open' in change.conversation
      ? { id: change.conversation.open.id, patch: change.conversation.open }
      : change.conversation
  const { row, out } = keys.conversation(id)
  write.add('HSET', row, ...fieldsOf(patch))
  // One that is written anew may be on its way out just now.
  if ('open' in change.conversation) write.add('HSETNX', out, '~fence', '0')
  if (patch.updatedAt !== undefined) write.add('ZADD', keys.conversations, patch.updatedAt, id)
  if (typeof patch.remindAt === 'number') write.wake('conversation', id, patch.remindAt)
}

function questions(write: Write, change: Change) {
  const { conversationId } = change
  if (conversationId === undefined) return
  const { keys } = write
  const places = keys.conversation(conversationId)
  if (change.ask !== undefined) {
    write.add('RPUSH', places.questions, change.ask.id)
    write.add('HSET', keys.questions, change.ask.id, encode({ conversationId, question: change.ask, answered: null }))
  }
  if (change.answered !== undefined) {
    const { question } = change.answered
    write.add('LREM', places.questions, 1, question.id)
    write.add('RPUSH', places.answered, question.id)
    write.add('HSET', keys.questions, question.id, encode({ conversationId, question, answered: change.answered }))
  }
  for (const question of change.dropQuestions ?? []) write.add('LREM', places.questions, 1, question.id)
}

function runs(write: Write, change: Change, self: string) {
  const { keys } = write
  for (const run of change.create ?? []) {
    const held = change.hold?.runs.has(run.id) ? change.hold : null
    const lease = held === null ? [] : ['~until', held.until, '~owner', self, '~fence', 1]
    write.add('HSET', keys.run(run.id).row, ...fieldsOf(run), ...lease)
    write.add('ZADD', keys.runs, run.createdAt, run.id)
    if (run.conversationId !== null) write.add('RPUSH', keys.conversation(run.conversationId).runs, run.id)
    if (run.afterRunId === null) write.wake('run', run.id, held?.until ?? change.at)
  }
  for (const { id, patch, fenceOff, due } of change.runs ?? []) {
    const { row } = keys.run(id)
    write.add('HSET', row, ...fieldsOf(patch))
    if (typeof patch.conversationId === 'string') write.add('RPUSH', keys.conversation(patch.conversationId).runs, id)
    if (fenceOff) {
      write.add('HINCRBY', row, '~fence', 1)
      write.add('HSET', row, '~until', 0, '~owner', '')
      // A claim that is sent again must not be answered with the raised fence.
      write.add('HDEL', row, '~claim')
      write.add('ZREM', keys.due('run'), id)
    }
    if (due !== undefined && due !== null) write.wake('run', id, due)
  }
  for (const { runId, input } of change.inputs ?? []) {
    write.add('RPUSH', keys.run(runId).inputs, encode(input))
    write.wake('run', runId, change.at)
  }
}

/** So many rows of a schedule's past are kept. */
const slotsKept = 200

function alarms(write: Write, change: Change) {
  const { keys } = write
  write.add('ZREM', keys.alarms, ...(change.silence ?? []))
  for (const rang of change.rang ?? []) {
    const { scope, seal } = rang.alarm
    const { id } = rang.after
    const rows = keys.rows(rang.kind, scope)
    write.guard('field', rows, id, seal)
    write.add('HSET', rows, id, encode(rang.after))
    const at = rang.kind === 'todo' ? alarmOfTodo(rang.after) : alarmOf(rang.after)
    if (at === null) write.add('ZREM', keys.alarms, alarmMember(rang.kind, scope, id))
    else write.add('ZADD', keys.alarms, at, alarmMember(rang.kind, scope, id))
    if (rang.kind === 'todo') continue
    write.add('RPUSH', keys.slots(scope, id), ...rang.slots.map(encode))
    // Now and then is often enough.
    if (rang.slots.length > 1 || rang.after.fired % 16 === 0) write.add('LTRIM', keys.slots(scope, id), -slotsKept, -1)
  }
}

function task(write: Write, change: Change) {
  if (change.task === undefined) return
  const places = write.keys.run(write.item.id)
  const { fields, appended } = taskChanges(change.task.before, change.task.after)
  write.add('HSET', places.row, ...fields)
  for (const { name, entries } of appended) write.add('RPUSH', places.growing(name), ...entries)
}

function overheard(write: Write, { conversationId, unsaid = [], overheard: heard = [] }: Change) {
  if (conversationId === undefined) return
  const { keys } = write
  const places = keys.conversation(conversationId)
  for (const message of unsaid) write.add('LREM', places.messages, -1, encode(message))
  for (const one of heard) {
    if ('gone' in one) write.add('HDEL', places.overheard, one.gone)
    else write.add('HSET', places.overheard, one.key, encode(one))
  }
  const instants = heard.flatMap((one) => ('gone' in one ? [] : [one.at]))
  if (instants.length > 0) write.add('ZADD LT', keys.overheard, Math.min(...instants), conversationId)
}

function output(write: Write, change: Change) {
  const { keys } = write
  for (const [of, entries] of Map.groupBy(change.trace ?? [], ({ of }) => of))
    write.add('RPUSH', keys.trace(of), ...entries.map(({ entry }) => encode(entry)))
  const { conversationId } = change
  if (conversationId === undefined) return
  const places = keys.conversation(conversationId)
  write.add('RPUSH', places.messages, ...(change.messages ?? []).map(encode))
  // R107: what Clew says makes the conversation unread.
  if (change.messages?.some((message) => message.role === 'assistant')) {
    write.add('HSET', places.row, 'updatedAt', encode(change.at))
    write.add('ZADD', keys.conversations, change.at, conversationId)
  }
  for (const { messageId, outcome } of change.outcomes ?? [])
    write.add('HSET', places.outcomes, messageId, encode(outcome))
  write.add('RPUSH', places.outbox, ...(change.deliveries ?? []).map(encode))
  // Commit ids are not used twice, so a mark that is taken off late can never be a newer one (P8).
  if (change.progress !== undefined) write.add('HSET', places.progress, change.progress, change.id)
  if ((change.deliveries ?? []).length > 0 || change.progress !== undefined)
    write.wake('outbox', conversationId, change.at)
}
