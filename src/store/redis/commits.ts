import { assertNever } from '../../agent/domain/assert.ts'
import { present } from '../../agent/domain/present.ts'
import { alarmOf } from '../../agent/domain/schedule.ts'
import { alarmOfTodo } from '../../agent/domain/todo.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Change, Commits, Committed, Expectation, Lease } from '../../agent/ports/store.ts'
import { usesKept } from './approvals.ts'
import { auditKeys, auditTexts } from './audit.ts'
import type { Client } from './client.ts'
import { encode, fieldsOf, taskChanges } from './codec.ts'
import { channelIn } from './connection.ts'
import { tally, usageKeptSeconds } from './figures.ts'
import { reindex, wordsFrom } from './indexed-words.ts'
import { alarmMember, needName } from './keys.ts'
import { newsOf } from './news.ts'
import { slotsKept } from './numbered-rows.ts'
import { periodsOf, readUsage, usageRaises } from './usage.ts'
import { collect, type Write } from './write.ts'

/**
 * Commits changes to the store.
 *
 * @param self names this process in the leases that a commit holds.
 * @param timeZone zone whose midnight ends the day that a run's end counts for.
 */
export function createCommits(
  client: Client,
  {
    self,
    timeZone,
    clock,
  }: { self: string; timeZone: string; clock: Pick<Clock, 'now' | 'randomId'> },
): Commits {
  return {
    async commit(lease, change) {
      const write = collect(lease)
      expectations(write, change.expect ?? [])
      usage(write, change)
      tally(write, change, timeZone)
      warned(write, change)
      consumption(write, change)
      aside(write, change)
      conversation(write, change)
      questions(write, change)
      runs(write, change, self)
      alarms(write, change)
      approvals(write, change)
      task(write, change)
      overheard(write, change)
      output(write, change)
      waiting(write, change, client)
      words(write, change)
      // Last: the rows that hold the keys of threads are there then.
      audit(write, change, clock)
      const { keys, args } = write.finish(change.id)
      const [kind, left, ...counts] = (await client.run('commit', keys, args)) as [
        Committed['kind'] | 'unseen',
        number,
      ]
      if (kind === 'fenced' || kind === 'conflict') return { kind }
      // While more input waits, the last commit does it, or the next search.
      if (left === 0) await forgetWords(client, lease, change)
      const done = { kind: 'committed' as const, waiting: left }
      if (kind === 'unseen') Object.assign(done, { isUnseen: true })
      if (change.usage === undefined) return done
      return {
        ...done,
        usage: counts.length === 0 ? null : readUsage(change.usage, counts),
      }
    },
  }
}

/**
 * Removes deleted messages from the search index (C73). If this fails, the next search or start
 * does it.
 */
async function forgetWords(
  client: Client,
  { item }: Lease,
  { conversationId, unsaid = [] }: Change,
): Promise<void> {
  if (conversationId === undefined || unsaid.length === 0) return
  await reindex(client, item.workspace, conversationId).catch(() => undefined)
}

function expectations(write: Write, expected: readonly Expectation[]) {
  const { keys } = write
  for (const expectation of expected) {
    switch (expectation.kind) {
      case 'run_status':
        write.guard('field', keys.run(expectation.runId).row, 'status', encode(expectation.status))
        break
      case 'open_question':
        write.guard(
          'first',
          keys.conversation(expectation.conversationId).questions,
          expectation.questionId,
        )
        break
      case 'question_count':
        write.guard(
          'length',
          keys.conversation(expectation.conversationId).questions,
          expectation.count,
        )
        break
      case 'mailbox':
        write.guard('length', write.mailbox, expectation.count)
        break
      default:
        return assertNever(expectation)
    }
  }
}

/** Raises the counters of the day and its month. The commit answers their new values. */
function usage(write: Write, { usage: used }: Change) {
  if (used === undefined) return
  const [day, month] = periodsOf(used.day).map(write.keys.usage) as [string, string]
  write.add('COUNT', day, write.position(month), usageKeptSeconds, ...usageRaises(used))
}

/**
 * Guards that each allowance of a day or month warns once, whichever process gets there first
 * (C132).
 */
function warned({ keys, guard, add }: Write, { warned: what }: Change) {
  if (what === undefined) return
  const key = keys.usage(what.period)
  guard('absent', key, `warned.${what.name}`)
  add('HSET', key, `warned.${what.name}`, 1)
}

function consumption(write: Write, change: Change) {
  if (change.consume !== undefined && change.consume > 0)
    write.add('LTRIM', write.mailbox, change.consume, -1)
  // LREM finds entries by their text, so these get a text of their own first.
  for (const at of change.drop ?? []) write.add('LSET', write.mailbox, at, dropped)
  if ((change.drop ?? []).length > 0) write.add('LREM', write.mailbox, 0, dropped)
}

const dropped = '~dropped'

/** Most rows set aside that are kept, the newest. */
const asideKept = 1_000

/** P18: keeps a row with its time, its list and what was wrong, until the retention deletes it. */
function aside(write: Write, change: Change) {
  if (change.aside === undefined || change.aside.length === 0) return
  const { aside: key } = write.keys
  write.add(
    'ZADD',
    key,
    ...change.aside.flatMap((one) => [change.at, encode({ at: change.at, ...one })]),
  )
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
  // A conversation that is opened again may be in delivery just now.
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
    write.add(
      'HSET',
      keys.questions,
      change.ask.id,
      encode({ conversationId, question: change.ask, answered: null }),
    )
  }
  if (change.answered !== undefined) {
    const { question } = change.answered
    write.add('LREM', places.questions, 1, question.id)
    write.add('RPUSH', places.answered, question.id)
    write.add(
      'HSET',
      keys.questions,
      question.id,
      encode({ conversationId, question, answered: change.answered }),
    )
  }
  for (const { id } of change.dropQuestions ?? []) {
    write.add('LREM', places.questions, 1, id)
    write.add('RPUSH', places.answered, id)
  }
}

function runs(write: Write, change: Change, self: string) {
  const { keys } = write
  for (const run of change.create ?? []) {
    const held = change.hold?.runs.has(run.id) ? change.hold : null
    const lease = held === null ? [] : ['~until', held.until, '~owner', self, '~fence', 1]
    write.add('HSET', keys.run(run.id).row, ...fieldsOf(run), ...lease)
    write.add('ZADD', keys.runs, run.createdAt, run.id)
    if (run.conversationId !== null)
      write.add('RPUSH', keys.conversation(run.conversationId).runs, run.id)
    if (run.afterRunId === null) write.wake('run', run.id, held?.until ?? change.at)
  }
  for (const { id, patch, fenceOff, due } of change.runs ?? []) {
    const { row } = keys.run(id)
    write.add('HSET', row, ...fieldsOf(patch))
    if (typeof patch.conversationId === 'string')
      write.add('RPUSH', keys.conversation(patch.conversationId).runs, id)
    if (fenceOff) {
      write.add('HINCRBY', row, '~fence', 1)
      write.add('HSET', row, '~until', 0, '~owner', '')
      // A retried claim must not be answered with the raised fence.
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
    const member = alarmMember(rang.kind, scope, id)
    if (at !== null) write.add('ZADD', keys.alarms, at, member)
    else {
      write.add('ZREM', keys.alarms, member)
      write.add('ZADD', keys.pastAlarms, change.at, member)
    }
    if (rang.kind === 'todo') continue
    write.add('RPUSH', keys.slots(scope, id), ...rang.slots.map(encode))
    // Trimming now and then is enough.
    if (rang.slots.length > 1 || rang.after.fired % 16 === 0)
      write.add('LTRIM', keys.slots(scope, id), -slotsKept, -1)
  }
}

function approvals({ keys, add }: Write, { approvals: given = [], approvalUses = [] }: Change) {
  for (const one of given) add('HSET', keys.approvals, one.id, encode(one))
  if (approvalUses.length === 0) return
  add('RPUSH', keys.approvalUses, ...approvalUses.map(encode))
  add('LTRIM', keys.approvalUses, -usesKept, -1)
}

function task(write: Write, { task: worked, begins }: Change) {
  if (worked !== undefined) writeTask(write, write.item.id, worked)
  if (begins !== undefined) writeTask(write, begins.runId, { before: null, after: begins.task })
}

function writeTask(write: Write, runId: string, { before, after }: NonNullable<Change['task']>) {
  const places = write.keys.run(runId)
  const { fields, appended } = taskChanges(before, after)
  write.add('HSET', places.row, ...fields)
  for (const { name, entries } of appended) write.add('RPUSH', places.growing(name), ...entries)
}

function overheard(
  write: Write,
  { conversationId, unsaid = [], rewritten = [], overheard: heard = [] }: Change,
) {
  if (conversationId === undefined) return
  const { keys } = write
  const places = keys.conversation(conversationId)
  for (const message of unsaid) write.add('LREM', places.messages, -1, encode(message))
  for (const { before, after } of rewritten) {
    write.add('LINSERT', places.messages, 'AFTER', encode(before), encode(after))
    write.add('LREM', places.messages, -1, encode(before))
  }
  if (unsaid.length + rewritten.length > 0) write.add('SADD', keys.words.stale, conversationId)
  for (const one of heard) {
    if ('gone' in one) write.add('HDEL', places.overheard, one.gone)
    else write.add('HSET', places.overheard, one.key, encode(one))
  }
  const instants = heard.flatMap((one) => ('gone' in one ? [] : [one.at]))
  if (instants.length > 0)
    write.add('ZADD LT', keys.overheard, Math.min(...instants), conversationId)
}

/** C710: adds the rows of the audit, those of one thread or run in a row together. */
function audit(
  write: Write,
  { at, audit: rows = [] }: Change,
  clock: Pick<Clock, 'now' | 'randomId'>,
) {
  const groups: { keys: ReturnType<typeof auditKeys>; texts: string[] }[] = []
  for (const one of rows) {
    const keys = auditKeys(one.entry, write.keys)
    const last = groups.at(-1)
    const texts = auditTexts(one, at)
    if (last !== undefined && last.keys.join() === keys.join()) last.texts.push(...texts)
    else groups.push({ keys, texts })
  }
  for (const { keys, texts } of groups) {
    const [log, ...places] = keys
    write.add('AUDIT', log, ...places.map(write.position), clock.randomId(), ...texts)
  }
}

function output(write: Write, change: Change) {
  const { keys } = write
  for (const [of, entries] of Map.groupBy(change.trace ?? [], ({ of }) => of))
    write.add('RPUSH', keys.trace(of), ...entries.map(({ entry }) => encode(entry)))
  const { conversationId } = change
  if (conversationId === undefined) return
  const places = keys.conversation(conversationId)
  write.add('RPUSH', places.messages, ...(change.messages ?? []).map(encode))
  // R107: a message of Clew's makes the conversation unread.
  if (change.messages?.some((message) => message.role === 'assistant')) {
    write.add('HSET', places.row, 'updatedAt', encode(change.at))
    write.add('ZADD', keys.conversations, change.at, conversationId)
  }
  for (const { messageId, outcome } of change.outcomes ?? [])
    write.add('HSET', places.outcomes, messageId, encode(outcome))
  write.add('RPUSH', places.outbox, ...(change.deliveries ?? []).map(encode))
  showProgress(write, conversationId, change)
  if ((change.deliveries ?? []).length > 0) write.wake('outbox', conversationId, change.at)
}

/**
 * Marks a run whose plan has changed, unless no page looks at it (C557). Commit ids are never used
 * twice, so a mark that is removed late cannot be a newer one (P8).
 */
function showProgress(write: Write, conversationId: string, { progress, id, at }: Change) {
  if (progress === undefined) return
  const { progress: place } = write.keys.conversation(conversationId)
  const watchers = write.position(write.keys.watchers)
  const due = write.position(write.keys.due('outbox'))
  write.add('SHOW', place, watchers, due, progress, id, conversationId, at)
}

/** C200: indexes the words of new messages in the same commit. */
function words(
  { keys, add, position }: Write,
  { conversation: changed, conversationId, messages = [] }: Change,
) {
  const index = (id: string, found: string) => {
    if (found !== '') add('INDEX', keys.words.all, position(keys.conversation(id).words), id, found)
  }
  if (changed !== undefined && 'open' in changed) index(changed.open.id, wordsFrom(changed.open))
  else if (changed?.patch.title !== undefined)
    index(changed.id, wordsFrom({ title: changed.patch.title }))
  if (conversationId !== undefined) index(conversationId, wordsFrom({ messages }))
}

/**
 * C190: updates the index of what waits for a person, and publishes to pages which conversation
 * changed.
 */
function waiting({ keys, add }: Write, change: Change, { redis }: Client) {
  const { at, conversationId, ask, answered, dropQuestions = [], runs: patched = [] } = change
  const closed = present([answered?.question, ...dropQuestions])
  const moved = patched.filter(({ patch }) => patch.status !== undefined)
  const isPaused = ({ patch, byItself = false }: (typeof moved)[number]) =>
    patch.status === 'paused' && !byItself
  const { true: paused = [], false: others = [] } = Object.groupBy(
    moved,
    (one) => `${isPaused(one)}`,
  )
  const gone = [
    ...closed.map(({ id }) => needName.question(id)),
    ...others.map(({ id }) => needName.paused(id)),
  ]
  add('ZREM', keys.needs(), ...gone)
  const begun = present([
    ask !== undefined && needName.question(ask.id),
    ...paused.map(({ id }) => needName.paused(id)),
  ])
  add('ZADD', keys.needs(), ...begun.flatMap((name) => [at, name]))
  if (conversationId === undefined) return
  const failed = moved.find(({ patch }) => patch.status === 'failed' || patch.status === 'given_up')
  if (failed !== undefined) {
    // Not a field of the record: the failed run that waits to be seen.
    add('HSET', keys.conversation(conversationId).row, '~failed', failed.id)
    add('ZADD', keys.needs(), at, needName.failed(conversationId))
  }
  const parts = [
    change.messages,
    change.unsaid,
    change.rewritten,
    change.create,
    moved,
    closed,
    ask === undefined ? [] : [ask],
  ]
  if (parts.some((part = []) => part.length > 0) || change.conversation !== undefined)
    add('PUBLISH', channelIn(redis, keys.news), newsOf(conversationId, gone))
}
