import { texts } from '../locales/texts.ts'
import { cleanText } from './domain/clean-text.ts'
import { titleFrom } from './domain/conversation.ts'
import type { InboundEvent, InboxEntry } from './domain/event.ts'
import { deriveId } from './domain/id.ts'
import { asideTrace, attempt } from './kernel/aside.ts'
import { Fenced, type Hold, type LeaseDeps, nameOf, type Rest, rest, withLease } from './kernel/lease.ts'
import { type Cause, receipt, say, together } from './kernel/messages.ts'
import { nextWorkingTime, type Reminder } from './kernel/questions.ts'
import type { Aside, Change, Committed, ConversationState, Lease, Store } from './ports/store.ts'
import type { Item } from './ports/wakeups.ts'
import type { Handler, TurnContext } from './turn/context.ts'
import { asItStands, withEdits } from './turn/edit.ts'

export interface TurnDeps extends LeaseDeps {
  store: Pick<Store, 'conversations' | 'runs' | 'commits'>
  /** What is attached to a message; null where this process cannot fetch it. */
  attachments?(event: InboundEvent, locale: string, signal: AbortSignal): Promise<string | null>
  /** In the order in which they are tried. */
  handlers: readonly Handler[]
  reminder: Reminder
}

/** Enough for a Decision and for finding a late answer's question. */
const messagesRead = 30
const runsRead = 20

/**
 * Drains a conversation's inbox in order, one input at a time (R150). Each input is taken by the first handler that wants
 * it, and leaves the inbox in the same commit as everything it causes.
 */
export function createTurn(deps: TurnDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  return (item, stop) =>
    withLease(deps, item, stop, async (hold) => {
      while (!hold.signal.aborted) {
        const done = await takeNext(deps, hold)
        if (done !== null) return done
      }
      return rest
    })
}

/** Takes the first waiting input; answers how to rest when none waits. */
async function takeNext(deps: TurnDeps, hold: Hold): Promise<Rest | null> {
  const { lease } = hold
  const { workspace, id } = lease.item
  const state = await deps.store.conversations.state(workspace, id, messagesRead)
  if (state === null) return { kind: 'over' }
  if (state.damaged.length > 0) {
    await setDamagedAside(deps, lease, state)
    return null
  }
  const entry = state.inbox[0]
  if (entry === undefined) return await remind(deps, lease, state)
  return await attempt(
    deps,
    { lease, row: entry.id },
    () => take(deps, hold, state, entry),
    (problem) => setEntryAside(deps, lease, { state, entry, problem }),
  )
}

/** The first waiting input, with everything that is known when its turn comes. */
async function take(
  deps: TurnDeps,
  { lease, signal, onNudge }: Hold,
  state: ConversationState,
  entry: InboxEntry,
): Promise<Rest | null> {
  const { workspace, id } = lease.item
  const { content } = entry.event
  const stands = asItStands(state.inbox)
  const named = content.kind === 'control' ? await deps.store.runs.state(workspace, content.runId) : null
  const turn: TurnContext = {
    entry,
    state,
    text: stands.text,
    attachments: await attachmentsOf(deps, entry.event, state.conversation.locale, signal),
    now: deps.clock.now(),
    words: texts(state.conversation.locale),
    reminder: deps.reminder,
    // A click names a run by id: only one of this conversation counts (R142, S5).
    namedRun: named !== null && named.run.conversationId === id ? named.run : null,
    runs: await deps.store.runs.list(workspace, runsRead, id),
    signal,
    onNudge,
  }
  const change = stands.withdrawn ? {} : await firstThatTakes(deps.handlers, turn)
  if (change === null) return rest
  const titled = titleOf(turn)
  const whole = together({ consume: 1, conversationId: id }, titled, change, titled)
  await commit(deps, lease, withEdits(whole, entry.messageId, stands.edits), entry.id)
  return null
}

/** P18: what waits and cannot be read goes out of the way of the rest; people are told, since somebody said it. */
async function setDamagedAside(deps: TurnDeps, lease: Lease, { conversation, damaged }: ConversationState) {
  const { id } = conversation
  const now = deps.clock.now()
  deps.log.error({ conversation: id, rows: damaged.length }, 'what waits in an inbox cannot be read and is set aside')
  const aside = damaged.map(({ row, problem }): Aside => ({ list: 'inbox', id: deriveId('e', row), row, problem }))
  const name = deriveId('a', id, ...aside.map((one) => one.id), String(lease.fence))
  const line = say(id, { kind: 'turn', refId: name }, 'aside', texts(conversation.locale).core.aside.inbox, now)
  const change = together(line, {
    conversationId: id,
    aside,
    drop: damaged.map(({ at }) => at),
    trace: aside.map((one) => asideTrace(id, now, one)),
  })
  await commit(deps, lease, change, name)
}

async function setEntryAside(
  deps: TurnDeps,
  lease: Lease,
  { state, entry, problem }: { state: ConversationState; entry: InboxEntry; problem: string },
): Promise<null> {
  const { id, locale } = state.conversation
  const now = deps.clock.now()
  const cause: Cause = { kind: 'turn', refId: entry.id }
  const aside: Aside = { list: 'inbox', id: entry.id, row: JSON.stringify(entry), problem }
  const change = together(
    { consume: 1, conversationId: id, aside: [aside], trace: [asideTrace(id, now, aside)] },
    say(id, cause, 'aside', texts(locale).core.aside.inbox, now),
    receipt(id, cause, entry, { kind: 'failed' }, now),
  )
  await commit(deps, lease, change, `${entry.id} aside`)
  return null
}

async function attachmentsOf(
  { attachments }: TurnDeps,
  event: InboundEvent,
  locale: string,
  signal: AbortSignal,
): Promise<string> {
  const { content } = event
  if (content.kind !== 'message' || content.files === undefined || content.forSomeoneElse) return ''
  // Where this process does not speak the platform, the task at least knows what there is.
  return cleanText((await attachments?.(event, locale, signal)) ?? content.files.map(({ name }) => name).join('\n'))
}

async function firstThatTakes(handlers: readonly Handler[], turn: TurnContext): Promise<Partial<Change> | null> {
  for (const handler of handlers) {
    const change = await handler(turn)
    if (turn.signal.aborted) return null
    if (change !== null) return change
  }
  return {}
}

/** A thread that was opened empty is named after what is said first in it. */
function titleOf(turn: TurnContext): Partial<Change> {
  const { conversation } = turn.state
  if (conversation.title !== '' || turn.text.trim() === '') return {}
  return { conversation: { id: conversation.id, patch: { title: titleFrom(turn.text) } } }
}

/**
 * A question that has waited long enough is brought to mind once, within working hours; it is never answered by itself.
 * A reminder that was missed waits for the next of them.
 */
async function remind(
  deps: TurnDeps,
  lease: Lease,
  {
    conversation,
    questions,
  }: { conversation: TurnContext['state']['conversation']; questions: TurnContext['state']['questions'] },
): Promise<Rest> {
  const { remindAt, id } = conversation
  if (remindAt === null) return rest
  const now = deps.clock.now()
  if (remindAt > now) return { kind: 'wakeAt', at: remindAt }
  const due = nextWorkingTime(now, deps.reminder.hours, conversation.timeZone)
  const isTime = due === now
  const open = isTime ? questions[0] : undefined
  const line =
    open === undefined
      ? {}
      : say(
          id,
          { kind: 'run', refId: open.runId },
          `reminder:${open.id}`,
          texts(conversation.locale).core.reminder(open.text),
          now,
          open.runId,
        )
  const change = together(line, {
    conversationId: id,
    conversation: { id, patch: { remindAt: isTime ? null : due } },
    expect: [{ kind: 'question_count', conversationId: id, count: questions.length }],
  })
  await commit(deps, lease, change, deriveId('k', id, String(remindAt)))
  return rest
}

/** A conflict changes nothing here: the input is still first in line and is looked at again. */
async function commit(deps: TurnDeps, lease: Lease, change: Partial<Change>, id: string): Promise<void> {
  const at = deps.clock.now()
  const committed: Committed = await deps.store.commits.commit(lease, { id: deriveId('k', id), at, ...change })
  if (committed.kind === 'fenced') throw new Fenced(lease.item)
  if (committed.kind === 'conflict') return
  await wakeFor(deps, lease.item.workspace, change)
}

/**
 * What a commit made due is woken; the sweep would find it too. Progress alone wakes no outbox that is being emptied here:
 * whoever has it looks for progress before letting it go, so that a step of a run costs nothing more.
 */
export async function wakeFor(
  deps: Pick<LeaseDeps, 'wakeups' | 'nudges'>,
  workspace: string,
  change: Partial<Change>,
): Promise<void> {
  const runs = new Set([
    ...(change.create ?? []).filter((run) => run.afterRunId === null).map((run) => run.id),
    ...(change.inputs ?? []).map(({ runId }) => runId),
    ...(change.runs ?? []).filter(({ due, fenceOff }) => fenceOff || typeof due === 'number').map(({ id }) => id),
  ])
  await Promise.all([...runs].map((id) => deps.wakeups.wake({ kind: 'run', workspace, id })))
  if (change.conversationId === undefined) return
  const outbox: Item = { kind: 'outbox', workspace, id: change.conversationId }
  const hasToBeSaid = (change.deliveries ?? []).length > 0
  if (hasToBeSaid || (change.progress !== undefined && !deps.nudges.has(nameOf(outbox))))
    await deps.wakeups.wake(outbox)
}
