import { texts } from '../locales/texts.ts'
import { cleanText } from './domain/clean-text.ts'
import { titleFrom } from './domain/conversation.ts'
import type { InboundEvent, InboxEntry } from './domain/event.ts'
import { deriveId } from './domain/id.ts'
import { goesOnAlone, type Run } from './domain/run.ts'
import { writtenIn } from './domain/written-in.ts'
import { type AsideWords, attempt, setAside } from './kernel/aside.ts'
import { type ChangePart, mergeChanges } from './kernel/change.ts'
import { commitChange } from './kernel/commit.ts'
import { type Hold, type LeaseDeps, withLease } from './kernel/lease.ts'
import { calling, delivery, type Origin, postMessage, receipt, runOrigin } from './kernel/messages.ts'
import { once } from './kernel/once.ts'
import { nextWorkingTime, type Reminder } from './kernel/questions.ts'
import { type Rest, rest, untilRest } from './kernel/rest.ts'
import type { Aside, ConversationState, Lease, Store } from './ports/store.ts'
import type { Item } from './ports/wakeups.ts'
import { firstThatTakes, type Handler, originOf, personOf, type TurnContext } from './turn/context.ts'
import { asAddressed, asItStands, withEdits } from './turn/edit.ts'
import { type AnswersTo, meantFor } from './turn/meant-for.ts'
import { nextInLine, waitOf, waitsAfter } from './turn/wait.ts'

export interface TurnDeps extends LeaseDeps {
  store: Pick<Store, 'conversations' | 'runs' | 'commits'>
  /** What is attached to a message; null where this process cannot fetch it. */
  attachments?(event: InboundEvent, locale: string, signal: AbortSignal): Promise<string | null>
  /** In the order in which they are tried. */
  handlers: readonly Handler[]
  reminder: Reminder
  /** Whether an input needs no model, so that it is not kept waiting by one that does (C92). */
  passes(event: InboundEvent): boolean
  answersTo: AnswersTo
}

/** Enough for a Decision and for finding a late answer's question. */
const messagesRead = 30
const runsRead = 20

/**
 * Drains a conversation's inbox in order, one input at a time (R150). Each input is taken by the first handler that wants
 * it, and leaves the inbox in the same commit as everything it causes.
 */
export function createTurn(deps: TurnDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  return (item, stop) => withLease(deps, item, stop, (hold) => untilRest(hold.signal, () => takeNext(deps, hold)))
}

/** Takes the first waiting input; answers how to rest when none waits. */
async function takeNext(deps: TurnDeps, hold: Hold): Promise<Rest | null> {
  const { lease } = hold
  const { workspace, id } = lease.item
  const state = await deps.store.conversations.state(workspace, id, messagesRead)
  if (state === null) return { kind: 'over' }
  if (await mend(deps, hold, state)) return null
  const at = nextInLine(state, deps.clock.now(), deps.passes)
  const entry = state.inbox[at]
  if (entry === undefined) return waitOf(state) ?? (await remind(deps, lease, state))
  return await attempt(
    deps,
    { lease, row: entry.id },
    () => take(deps, hold, { ...state, inbox: state.inbox.slice(at) }, { entry, passed: state.inbox.slice(0, at) }),
    (problem) => setEntryAside(deps, hold, entry, { at, problem }),
  )
}

/** One waiting input, with everything that is known when its turn comes; it is the first of this state's inbox. */
async function take(
  deps: TurnDeps,
  { lease, signal, onNudge, nextCommit }: Hold,
  known: ConversationState,
  { entry: waiting, passed }: Pick<TurnContext, 'entry' | 'passed'>,
): Promise<Rest | null> {
  const { workspace, id } = lease.item
  const overheard = once(() => deps.store.conversations.overheard(workspace, id))
  const { first, back } = await asAddressed(waiting, overheard)
  const stands = asItStands(first, known.inbox)
  const { entry } = stands
  const { content } = entry.event
  const { state, part: language } = inTheirLanguage(known, stands.text, content)
  const named = content.kind === 'control' ? await deps.store.runs.state(workspace, content.runId) : null
  const attach = (event: InboundEvent) => attachmentsOf(deps, event, state.conversation.locale, signal)
  const turn: TurnContext = {
    entry,
    passed,
    state,
    text: stands.text,
    meant: await meantFor({ entry, text: stands.text, state, overheard }, deps.answersTo),
    attachments: await attach(entry.event),
    attachmentsOf: attach,
    overheard,
    now: deps.clock.now(),
    words: texts(state.conversation.locale),
    reminder: deps.reminder,
    namedRun: named !== null && mayBeNamed(named.run, state.conversation) ? named.run : null,
    runs: await deps.store.runs.list(workspace, runsRead, id),
    signal,
    onNudge,
  }
  const change = stands.withdrawn ? {} : await firstThatTakes(deps.handlers, turn)
  if (turn.signal.aborted) return rest
  const isKept = change !== null && waitsAfter(change, entry)
  const begins = mergeChanges({ conversationId: id }, language, titleOf(turn), openingOf(turn))
  const whole = mergeChanges(isKept ? {} : mergeChanges(back, leavesLine(turn)), begins, change ?? {})
  const edited = withEdits(whole, entry.messageId, stands.edits)
  // A conflict changes nothing here: the input is still in line and is looked at again.
  const commitId = isKept ? nextCommit() : deriveId('k', entry.id)
  const committed = await commitChange(deps, lease, { id: commitId, at: deps.clock.now(), ...edited })
  // A reminder that is set is kept by the release.
  return committed?.waiting === 0 ? rest : null
}

/** C88: people are answered in the language that they write; what is said to Clew settles the language of its thread. */
function inTheirLanguage(
  state: ConversationState,
  text: string,
  content: InboundEvent['content'],
): { state: ConversationState; part: ChangePart } {
  const { conversation } = state
  const locale = writtenIn(text, conversation.locale)
  if (content.kind !== 'message' || locale === conversation.locale) return { state, part: {} }
  const isSettled = content.addressed && !content.forSomeoneElse
  return {
    state: { ...state, conversation: { ...conversation, locale } },
    part: isSettled ? { conversation: { id: conversation.id, patch: { locale } } } : {},
  }
}

/** An input that is done with is taken off its place; one that had waited for the model does not any more. */
function leavesLine({ entry, passed, state: { conversation } }: TurnContext): ChangePart {
  const place = passed.length === 0 ? { consume: 1 } : { drop: [passed.length] }
  if (conversation.waiting?.entryId !== entry.id) return place
  return { ...place, conversation: { id: conversation.id, patch: { waiting: null } } }
}

/** P18: what cannot be read of a conversation is out of the way before anything is done there; people are told. */
async function mend(
  deps: TurnDeps,
  hold: Hold,
  { conversation, broken, damaged }: ConversationState,
): Promise<boolean> {
  const { id: conversationId } = conversation
  if (broken !== null) {
    const tell = { conversationId, words: (aside: AsideWords) => aside.conversation }
    const row: Aside = { list: 'conversations', id: conversationId, ...broken }
    return await setAside(deps, hold, [row], { part: { conversation: { open: conversation } }, tell })
  }
  if (damaged.length === 0) return false
  const rows = damaged.map(({ row, problem }): Aside => ({ list: 'inbox', id: deriveId('e', row), row, problem }))
  return await setAside(deps, hold, rows, {
    part: { drop: damaged.map(({ at }) => at) },
    tell: unheardIn(conversationId),
  })
}

/** P18: an input that cannot be handled; its author sees which one it is. */
async function setEntryAside(
  deps: TurnDeps,
  hold: Hold,
  entry: InboxEntry,
  { at, problem }: { at: number; problem: string },
): Promise<null> {
  const { id: conversationId } = hold.lease.item
  const row: Aside = { list: 'inbox', id: entry.id, row: JSON.stringify(entry), problem }
  const origin: Origin = { conversationId, cause: { kind: 'turn', refId: entry.id }, at: deps.clock.now() }
  const part = mergeChanges({ drop: [at], conversationId }, receipt(origin, entry, { kind: 'failed' }))
  await setAside(deps, hold, [row], { part, tell: unheardIn(conversationId) })
  return null
}

/** A click names a run by id: only one of this conversation counts, or one of its channel that has none yet (R142, S5). */
const mayBeNamed = (run: Run, { id, address }: ConversationState['conversation']) =>
  run.conversationId === id || goesOnAlone(run, address.channel)

const unheardIn = (conversationId: string) => ({ conversationId, words: ({ inbox }: AsideWords) => inbox })

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

/** C83: a thread that Clew opens for somebody begins with who asked and in which words. */
function openingOf(turn: TurnContext): ChangePart {
  const { conversation, messages } = turn.state
  const isFirst = conversation.address.thread === null && !messages.some(({ role }) => role === 'assistant')
  const { messageId } = turn.entry
  if (!isFirst || messageId === null) return {}
  const text = turn.words.core.opening.asked(personOf(turn).name, turn.text)
  const body = { kind: 'message' as const, messageId, text, runId: null }
  return { deliveries: [delivery(originOf(turn), 'opening', body)] }
}

/** A thread that was opened empty is named after what is said first in it. */
function titleOf(turn: TurnContext): ChangePart {
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
  { conversation, questions }: Pick<ConversationState, 'conversation' | 'questions'>,
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
      : postMessage(
          calling(runOrigin(open.runId, id, now), open.owner ?? null),
          `reminder:${open.id}`,
          texts(conversation.locale).core.reminder(open.text),
        )
  const change = mergeChanges(line, {
    conversationId: id,
    conversation: { id, patch: { remindAt: isTime ? null : due } },
    expect: [{ kind: 'question_count', conversationId: id, count: questions.length }],
  })
  const commitId = deriveId('k', deriveId('k', id, String(remindAt)))
  await commitChange(deps, lease, { id: commitId, at: now, ...change })
  return rest
}
