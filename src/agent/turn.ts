import { texts } from '../locales/texts.ts'
import { plainText } from './commands/command-line.ts'
import { goalIn } from './commands/task.ts'
import { cleanText } from './domain/clean-text.ts'
import { type Conversation, isCommandText, platformOf, titleFrom } from './domain/conversation.ts'
import type { InboundEvent, InboxEntry } from './domain/event.ts'
import { deriveId } from './domain/id.ts'
import type { Profile } from './domain/profile.ts'
import { goesOnAlone, hasEnded, type Run } from './domain/run.ts'
import { allowed } from './domain/words.ts'
import { writtenIn } from './domain/written-in.ts'
import { type ChangePart, mergeChanges } from './kernel/change.ts'
import type { Beginning } from './kernel/create-run.ts'
import { type Idle, idle, untilIdle } from './kernel/idle.ts'
import { lazy } from './kernel/lazy.ts'
import { delivery, type Origin, postMessage, receipt } from './kernel/messages.ts'
import { alsoUsed, usageChange } from './kernel/usage-meter.ts'
import type { WarnOfUsage } from './kernel/usage-warning.ts'
import { type VerbDeps, verb, type Work } from './kernel/verb.ts'
import type { Channel, Hear, Keep, Look } from './ports/channel.ts'
import type { Aside, ConversationState, Store } from './ports/store.ts'
import type { Tracer } from './ports/tracer.ts'
import type { Item } from './ports/wakeups.ts'
import { isStop } from './said/stop.ts'
import {
  firstThatTakes,
  type Handler,
  originOf,
  personOf,
  spenderIn,
  type TurnContext,
} from './turn/context.ts'
import { asAddressed, asItStands, withEdits } from './turn/edit.ts'
import { createHandlers, type HandlersDeps } from './turn/handlers.ts'
import type { Eye, EyeOf } from './turn/look-at-images.ts'
import { meantFor } from './turn/meant-for.ts'
import { type RemindDeps, remind } from './turn/nudge-waiting.ts'
import { nextInLine, waitOf, waitsAfter } from './turn/wait-for-model.ts'

export interface TurnDeps
  extends VerbDeps,
    Beginning,
    HandlersDeps,
    Pick<RemindDeps, 'quiet' | 'reminder'> {
  store: HandlersDeps['store'] & Pick<Store, 'commits' | 'notes' | 'artifacts'>
  /** Null where this process does not speak the platform, and so cannot fetch what is attached. */
  channelOf(platform: string): Pick<Channel, 'attachments' | 'readThread'> | null
  /** Looks at the images of one input. */
  eyeOf: EyeOf
  /** When this process began to work. */
  since: number
  warnOfUsage: WarnOfUsage
  tracer: Tracer
}

/** Dependencies with the handlers, in the order in which they are tried. */
interface Turning extends TurnDeps {
  handlers: readonly Handler[]
}

/** Enough for a Decision and for finding a late answer's question. */
const messagesRead = 30
const runsRead = 20
/**
 * P24: enough to see what changes the first of them; where that waits for the model, one is looked
 * for that may pass it.
 */
const waitingRead = 20
/** Time between looks at a channel that is closed, in ms. */
const closedMs = 30_000
/** As many as a thread's commands know. */
const triesRead = 500

/**
 * Drains a conversation's inbox in order, one input at a time (R150). Each input is taken by the
 * first handler that wants it, and leaves the inbox in the same commit as everything it causes.
 */
export function createTurn(deps: TurnDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  const turning = { ...deps, handlers: createHandlers(deps) }
  return verb(deps, (work) => untilIdle(work.signal, () => takeNext(turning, work)))
}

/** True if an input needs no model and so may pass one that waits for it (C92). */
function passes({ commands }: TurnDeps, { content, whose }: InboundEvent): boolean {
  if (content.kind !== 'message')
    return ['answer', 'control', 'feedback', 'keep_test', 'plan_edit', 'again'].includes(
      content.kind,
    )
  const stops = isStop(content.text) && allowed(whose, 'stop') !== null
  return stops || commands.parse(content.text, content) !== null
}

/** Takes the first waiting input; answers until when to be idle where none waits. */
async function takeNext(deps: Turning, work: Work): Promise<Idle | null> {
  const { workspace, id } = work.lease.item
  // Read together, and what is wrong with the runs is the business of the input that needs them.
  const runs = deps.store.runs.list(workspace, runsRead, id)
  runs.catch(() => undefined)
  const { conversations } = deps.store
  const first = await conversations.state(workspace, id, messagesRead, waitingRead)
  const isHeldUp = first?.conversation.waiting != null
  const state = isHeldUp ? await conversations.state(workspace, id, messagesRead) : first
  if (state === null) return { kind: 'over' }
  if (await mend(work, state)) return null
  // C674: what came before the profile was broken waits as well.
  if (deps.profileIn?.(state.conversation.address.channel)?.closed)
    return { kind: 'wakeAt', at: deps.clock.now() + closedMs }
  const at = nextInLine(state, deps.clock.now(), (event) => passes(deps, event))
  const entry = state.inbox[at]
  if (entry === undefined) return waitOf(state) ?? (await remind(deps, work, state))
  const known = { ...state, inbox: state.inbox.slice(at) }
  return await deps.tracer({ kind: 'turn', conversationId: id, entry }, async () => {
    const passed = state.inbox.slice(0, at)
    const taken = await work.attempt(
      { list: 'inbox', id: entry.id },
      () => take(deps, work, known, { entry, passed, runs }),
      async () => entryAside(work, entry, at, deps.clock.now()),
    )
    return taken ?? null
  })
}

/** Handles one waiting input, the first in this state's inbox, with all that is known by then. */
async function take(
  deps: Turning,
  work: Work,
  known: ConversationState,
  {
    entry: waiting,
    passed,
    runs,
  }: Pick<TurnContext, 'entry' | 'passed'> & { runs: Promise<Run[]> },
): Promise<Idle | null> {
  const { lease, signal, onNudge } = work
  const { workspace, id } = lease.item
  const overheard = lazy(() => deps.store.conversations.overheard(workspace, id))
  const { first, back } = await asAddressed(waiting, overheard)
  const stands = asItStands(first, known.inbox)
  const { entry } = stands
  const { content } = entry.event
  const profile = deps.profileIn?.(known.conversation.address.channel) ?? null
  const { state, part: language } = inTheirLanguage(known, stands.text, { content, profile })
  const eye = deps.eyeOf(state.conversation.address, entry)
  const attachmentsOf = (event: InboundEvent) =>
    readAttachments(deps, event, {
      locale: state.conversation.locale,
      signal,
      look: eye.look,
      hear: eye.hear,
      keep: (document) => {
        const { author, at } = event
        const kept = { ...document, version: 1 as const, by: author.id, at }
        return deps.store.artifacts.keep(workspace, id, kept)
      },
    })
  const turn: TurnContext = {
    entry,
    passed,
    state,
    text: stands.text,
    meant: await meantFor({ entry, text: stands.text, state, overheard }, deps.answersTo),
    attachments: await attachmentsOf(entry.event),
    attachmentsOf,
    imagesForTask: eye.forTask,
    overheard,
    now: deps.clock.now(),
    words: texts(state.conversation.locale),
    reminder: deps.reminder,
    namedRun: 'runId' in content ? await namedRun(deps, content.runId, state.conversation) : null,
    runs: await runs,
    isTried: async (parent) =>
      isTriedIn(await deps.store.runs.list(workspace, triesRead, id), parent),
    signal,
    onNudge,
  }
  const change = stands.withdrawn ? {} : await firstThatTakes(deps.handlers, turn)
  if (turn.signal.aborted) return idle
  const isKept = change !== null && waitsAfter(change, entry)
  // C336: words that were taken back are posted nowhere.
  const opening = change === null || stands.withdrawn ? [] : [titleOf(turn), openingOf(turn)]
  const begins = mergeChanges({ conversationId: id }, language, ...opening)
  const taken = isKept ? {} : mergeChanges(back, leavesLine(turn), missedBy(eye, turn))
  // What looking took (C116).
  const used = usageChange(
    deps.usage,
    deps.clock.now(),
    spenderIn(turn, deps.model.name),
    eye.spent(),
  )
  const whole = alsoUsed(mergeChanges(taken, begins, change ?? {}), used)
  await eye.keep(deps.store.notes)
  const commitId = isKept ? work.nextCommit() : deriveId('k', entry.id)
  // A conflict changes nothing here: the input is still in line and is looked at again.
  const committed = await work.commit(withEdits(whole, entry.messageId, stands.edits), {
    id: commitId,
    may: mayBegin,
    counted: { cause: { kind: 'turn', refId: entry.id }, where: () => state.conversation },
  })
  // A reminder that is set is kept by the release.
  return committed?.waiting === 0 ? idle : null
}

/** C173: a run that waits for no other; one with a task already is claimed, which reads it. */
const mayBegin = ({ afterRunId, from }: Run) => afterRunId === null && from === undefined

/** Nothing that only follows it is a try. */
const isTriedIn = (runs: readonly Run[], parent: Run) =>
  runs.some(
    (one) => one.parentRunId === parent.id && one.type === parent.type && !hasEnded(one.status),
  )

/**
 * C88: people are answered in the language that they write; what is said to Clew settles the
 * language of its thread. The channel's own language and zone hold whatever is said (C760).
 */
function inTheirLanguage(
  state: ConversationState,
  text: string,
  { content, profile }: { content: InboundEvent['content']; profile: Profile | null },
): { state: ConversationState; part: ChangePart } {
  const { conversation } = state
  const { language, zone: timeZone = conversation.timeZone } = profile ?? {}
  const isWritten = content.kind === 'message'
  const written = isWritten ? writtenIn(text, conversation.locale) : conversation.locale
  const locale = language ?? written
  if (locale === conversation.locale && timeZone === conversation.timeZone)
    return { state, part: {} }
  const isSaidToUs = isWritten && content.addressed && !content.forSomeoneElse
  const isSettled = language !== undefined || isSaidToUs
  const patch = { locale: isSettled ? locale : conversation.locale, timeZone }
  return {
    state: { ...state, conversation: { ...conversation, locale, timeZone } },
    part: { conversation: { id: conversation.id, patch } },
  }
}

/**
 * An input that is done with is taken off its place; one that had waited for the model does not any
 * more.
 */
function leavesLine({ entry, passed, state: { conversation } }: TurnContext): ChangePart {
  const place = passed.length === 0 ? { consume: 1 } : { drop: [passed.length] }
  if (conversation.waiting?.entryId !== entry.id) return place
  return { ...place, conversation: { id: conversation.id, patch: { waiting: null } } }
}

/**
 * P18: sets unreadable rows of a conversation aside before anything is done there; people are told.
 */
async function mend(
  { setAside }: Work,
  { conversation, broken, damaged }: ConversationState,
): Promise<boolean> {
  const { id: conversationId } = conversation
  if (broken !== null) {
    const row: Aside = { list: 'conversations', id: conversationId, ...broken }
    const part = { conversation: { open: conversation } }
    return await setAside([row], { part, tell: { conversationId, line: 'conversation' } })
  }
  if (damaged.length === 0) return false
  const rows = damaged.map(
    ({ row, problem }): Aside => ({ list: 'inbox', id: deriveId('e', row), row, problem }),
  )
  const part = { drop: damaged.map(({ at }) => at) }
  return await setAside(rows, { part, tell: { conversationId, line: 'inbox' } })
}

/** P18: an input that cannot be handled; its author sees which one it is. */
function entryAside(work: Work, entry: InboxEntry, at: number, now: number) {
  const { id: conversationId } = work.lease.item
  const origin: Origin = { conversationId, cause: { kind: 'turn', refId: entry.id }, at: now }
  const part = mergeChanges(
    { drop: [at], conversationId },
    receipt(origin, entry, { kind: 'failed' }),
  )
  return { row: JSON.stringify(entry), part, tell: { conversationId, line: 'inbox' as const } }
}

/**
 * A click names a run by id: only one of this conversation counts, or one of its channel that has
 * none yet (R142, S5).
 */
async function namedRun(
  { store }: TurnDeps,
  id: string,
  { id: conversationId, address }: Conversation,
) {
  const run = (await store.runs.state(address.workspace, id))?.run ?? null
  const isMeant =
    run !== null && (run.conversationId === conversationId || goesOnAlone(run, address.channel))
  return isMeant ? run : null
}

/** Those who speak to Clew are told what was not looked at (C116). */
function missedBy(eye: Eye, turn: TurnContext): ChangePart {
  const names = eye.unlooked()
  if (names.length === 0 || turn.meant !== 'clew') return {}
  return postMessage(originOf(turn), 'unlooked', turn.words.core.unlooked(names))
}

async function readAttachments(
  { channelOf }: TurnDeps,
  event: InboundEvent,
  {
    locale,
    signal,
    look,
    keep,
    hear,
  }: {
    locale: string
    signal: AbortSignal
    look: Look | undefined
    keep: Keep
    hear: Hear | undefined
  },
): Promise<string> {
  const { content } = event
  if (content.kind !== 'message' || content.files === undefined || content.forSomeoneElse) return ''
  // Where this process does not speak the platform, the task at least knows what there is.
  const channel = channelOf(platformOf(event.workspace))
  const read = await channel?.attachments?.(event, locale, signal, look, keep, hear)
  return cleanText(read ?? content.files.map(({ name }) => name).join('\n'))
}

/**
 * C83: a thread that Clew opens for somebody begins with who asked and in which words, once however
 * often it is tried (C92).
 */
function openingOf(turn: TurnContext): ChangePart {
  const { conversation, messages } = turn.state
  const isFirst =
    conversation.address.thread === null && !messages.some(({ role }) => role === 'assistant')
  const { messageId, id } = turn.entry
  if (!isFirst || messageId === null || conversation.waiting?.entryId === id) return {}
  const text = turn.words.core.opening.asked(plainText(personOf(turn).name), turn.text)
  const body = { kind: 'message' as const, messageId, text, runId: null }
  return { deliveries: [delivery(originOf(turn), 'opening', body)] }
}

/**
 * A thread that was opened empty, or by a command, is named after what is said first in it (C908).
 */
function titleOf({ state: { conversation }, text }: TurnContext): ChangePart {
  const goal = goalIn(text)
  const isNamed = conversation.title !== '' && !isCommandText(conversation.title)
  const isMore = conversation.title !== '' && goal === null && isCommandText(text)
  if (isNamed || isMore || text.trim() === '') return {}
  return { conversation: { id: conversation.id, patch: { title: titleFrom(goal ?? text) } } }
}
