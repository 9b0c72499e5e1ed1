import { assertNever } from './domain/assert.ts'
import { type Conversation, platformOf } from './domain/conversation.ts'
import type { Delivery } from './domain/delivery.ts'
import { deriveId } from './domain/id.ts'
import { progressOf } from './domain/progress.ts'
import { isHushed } from './domain/quiet.ts'
import { hasEnded, ownerOf, type Run } from './domain/run.ts'
import { type Idle, idle, untilIdle } from './kernel/idle.ts'
import { Fenced } from './kernel/lease.ts'
import type { LiveRuns } from './kernel/live-runs.ts'
import { createProgressQueue } from './kernel/progress-queue.ts'
import { type VerbDeps, verb, type Work } from './kernel/verb.ts'
import type { Channel, Sent } from './ports/channel.ts'
import type { Aside, Lease, ProgressMark, Store } from './ports/store.ts'
import type { Item } from './ports/wakeups.ts'
import { hoursFor, type QuietStore } from './quiet-hours.ts'
import { pauseWhereGone } from './schedules/place-gone.ts'

export interface DeliverDeps extends VerbDeps {
  store: Pick<Store, 'outbox' | 'commits' | 'conversations' | 'runs' | 'schedules'>
  /** The channel of a platform, if this process plays its role. */
  channelOf(platform: string): Channel | null
  /** The channel on which operators are told something alone; null where this process has none. */
  operators?: Channel | null
  /** When people want to be called by nobody. */
  quiet: Pick<QuietStore, 'of'>
  /**
   * Drops a delivery that may have arrived instead of sending it again: one missing is better than
   * two (P2).
   */
  atMostOnce?: boolean
  live: LiveRuns
}

/** Delay before looking for a delivery whose fate is unknown, in milliseconds. */
const unknownMs = 1000

/**
 * Empties one conversation's outbox in order, one delivery at a time (rule 7). Progress comes after
 * what has to be said, as it is when it is sent; all of a workspace shares one budget for it (C49),
 * in which each run has its turn and those that have ended come first (C86).
 *
 * An outbox whose platform does not answer keeps everything and is tried again; nothing is dropped
 * but what the platform refuses for good (R111).
 */
export function createDeliver(deps: DeliverDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  const queue = createProgressQueue()
  return async (item, stop) => {
    const channel = deps.channelOf(platformOf(item.workspace))
    if (channel === null) return
    const deliver = verb(deps, async (work) => {
      const nudged = createBell()
      const stopListening = work.onNudge(nudged.ring)
      const outgoing: Outgoing = { ...work, deps, channel, queue, nudged, unsettled: [] }
      try {
        return await untilIdle(work.signal, () => takeNext(outgoing))
      } finally {
        stopListening()
      }
    })
    await deliver(item, stop)
  }
}

/** State while one outbox is emptied. */
interface Outgoing extends Work {
  deps: DeliverDeps
  channel: Channel
  queue: ReturnType<typeof createProgressQueue>
  nudged: ReturnType<typeof createBell>
  /**
   * Deliveries that a log of Clew's own has and that are still in line: they are taken off with
   * whatever is written next.
   */
  unsettled: string[]
}

/**
 * Sends what is next in the outbox. The release itself finds what came in meanwhile, so no read is
 * spent on an empty outbox.
 */
async function takeNext(work: Outgoing): Promise<Idle | null> {
  const { deps, lease } = work
  const { workspace, id } = lease.item
  work.nudged.silence()
  await flushSent(work)
  const { deliveries, damaged, tried, progress, ...found } = await deps.store.outbox.next(lease)
  if (progress.length === 0 && deliveries.length === 0 && damaged === null) return idle
  const conversation =
    found.conversation ??
    (await deps.store.conversations.state(workspace, id, 0))?.conversation ??
    null
  if (conversation === null) return { kind: 'over' }
  if (damaged === null) return await showFound(work, conversation, { deliveries, tried, progress })
  const { row, problem } = damaged
  const aside: Aside = { list: 'outbox', id: deriveId('d', row), row, problem }
  await work.setAside([aside], await deliveryAside(work, row))
  return null
}

interface WaitingItems {
  deliveries: readonly Delivery[]
  tried: boolean
  progress: readonly ProgressMark[]
}

/** Shows what was found, progress last; null: there is to be another look. */
async function showFound(
  work: Outgoing,
  conversation: Conversation,
  { progress, ...said }: WaitingItems,
): Promise<Idle | null> {
  if (said.deliveries.length === 0)
    return await showOrSetAside(work, conversation, await nextToShow(work, progress))
  const wait = await sendInOrder(work, conversation, said)
  // The first delivery may have opened the thread.
  if (wait !== null || conversation.address.thread === null) return wait
  return progress.length === 0
    ? idleWith(work, null)
    : await showOrSetAside(work, conversation, await nextToShow(work, progress))
}

/** Reports idle; the release then removes what was sent and shown, unless more came in (C106). */
function idleWith({ unsettled }: Outgoing, shown: ProgressMark | null): Idle {
  return { kind: 'idle', done: { sent: unsettled.splice(0), shown } }
}

/** Takes off what a log has: before anything is done that only the first in line may. */
async function flushSent({ deps, lease, unsettled }: Outgoing) {
  for (const id of unsettled.splice(0)) await deps.store.outbox.sent(lease, id, null)
}

async function takeOff(work: Outgoing, deliveryId: string, thread: string | null) {
  await flushSent(work)
  await work.deps.store.outbox.sent(work.lease, deliveryId, thread)
}

async function noteTrying(work: Outgoing, deliveryId: string) {
  await flushSent(work)
  if (!(await work.deps.store.outbox.trying(work.lease, deliveryId)))
    throw new Fenced(work.lease.item)
}

/** Sends one after the other; answers how long to wait when one could not be sent. */
async function sendInOrder(
  work: Outgoing,
  conversation: Conversation,
  { deliveries, tried }: Omit<WaitingItems, 'progress'>,
): Promise<Idle | null> {
  for (const [at, delivery] of deliveries.entries()) {
    if (work.signal.aborted) return null
    const wait = await sendOrSetAside(work, conversation, { delivery, tried: at === 0 && tried })
    if (wait !== null || conversation.address.thread === null) return wait
  }
  return null
}

/**
 * P18: removes a delivery that can be neither read nor shown, so that the next ones go on. A line
 * in its place says so, once.
 */
async function deliveryAside(work: Outgoing, row: string) {
  const { id: conversationId } = work.lease.item
  await flushSent(work)
  const tell = { conversationId, line: 'outbox' as const }
  return { row, part: { consume: 1, conversationId }, tell }
}

/** C230: keeps a delivery that arrived nowhere, to send it again once its place accepts it. */
async function keepRefused(work: Outgoing, delivery: Delivery, problem: string) {
  await flushSent(work)
  const row: Aside = { list: 'refused', id: delivery.id, row: JSON.stringify(delivery), problem }
  await work.commit({ consume: 1, aside: [row] })
}

async function sendOrSetAside(
  work: Outgoing,
  conversation: Conversation,
  first: { delivery: Delivery; tried: boolean },
): Promise<Idle | null> {
  const { id, body } = first.delivery
  const of = 'runId' in body && body.runId !== null ? { of: body.runId } : {}
  const sent = await work.attempt(
    { list: 'outbox', id },
    () => sendOne(work, conversation, first),
    async () => ({ ...(await deliveryAside(work, JSON.stringify(first.delivery))), ...of }),
  )
  return sent ?? null
}

/** Progress that cannot be shown is not missed: the run goes on, and says what it comes to. */
async function showOrSetAside(
  work: Outgoing,
  conversation: Conversation,
  mark: ProgressMark,
): Promise<Idle | null> {
  const { runId: of, revision: row } = mark
  const shown = await work.attempt(
    { list: 'progress', id: of },
    () => showOne(work, conversation, mark),
    async () => ({ row, part: {}, tell: null, of }),
  )
  return shown === undefined ? idleWith(work, mark) : shown
}

/** Sends the first delivery; answers how long to wait when it could not be sent. */
async function sendOne(
  work: Outgoing,
  conversation: Conversation,
  { delivery: made, tried }: { delivery: Delivery; tried: boolean },
): Promise<Idle | null> {
  const { deps, lease } = work
  const delivery = await hushedIn(work, conversation, made)
  const channel = channelFor(work, delivery)
  const found = tried ? await channel.find(delivery, conversation) : null
  if (found === 'unknown') return waitFor(work, { kind: 'unknown' })
  if (tried && found === null && deps.atMostOnce && isSaid(delivery)) {
    const about = { delivery: delivery.id, kind: delivery.body.kind }
    deps.log.error(about, 'a delivery may be missing: it is sent at most once')
    await takeOff(work, delivery.id, null)
    return null
  }
  if (found === null && !channel.isLog) await noteTrying(work, delivery.id)
  const sent: Sent =
    found === null ? await channel.send(delivery, conversation) : { kind: 'sent', ...found }
  switch (sent.kind) {
    case 'sent': {
      const opened = conversation.address.thread === null ? (sent.thread ?? null) : null
      if (channel.isLog && opened === null) work.unsettled.push(delivery.id)
      else await takeOff(work, delivery.id, opened)
      return null
    }
    case 'later':
      if (deps.atMostOnce) await deps.store.outbox.trying(lease, delivery.id, false)
      return waitFor(work, sent)
    case 'unknown':
      return waitFor(work, sent)
    case 'refused':
      return await refused(work, conversation, { delivery, reason: sent.reason })
    default:
      return assertNever(sent)
  }
}

/** Sends to its person what their thread refused for good; keeps what nobody got. */
async function refused(
  work: Outgoing,
  conversation: Conversation,
  { delivery, reason }: { delivery: Delivery; reason: string },
): Promise<Idle | null> {
  const told = await pausedWithIt(work, conversation, unwithdrawn(delivery))
  const direct = await sendDirectly(work, conversation, told)
  if (direct?.kind === 'later' || direct?.kind === 'unknown') return waitFor(work, direct)
  const { id, body } = delivery
  const about = { delivery: id, kind: body.kind, reason, direct: direct?.kind ?? 'nobody' }
  work.deps.log.error(about, 'a delivery was refused for good')
  if (direct?.kind === 'sent' || !isSaid(delivery)) await takeOff(work, id, null)
  else await keepRefused(work, delivery, reason)
  return null
}

/** C490: in quiet hours it is posted and calls nobody, unless they asked for that time (C491). */
async function hushedIn(
  { deps }: Outgoing,
  { address }: Conversation,
  delivery: Delivery,
): Promise<Delivery> {
  const { notify, to = null, askedFor } = delivery
  if (!notify || to === null) return delivery
  const hours = await hoursFor(deps.quiet, address, to.id)
  if (!isHushed(hours, { askedFor, now: deps.clock.now() })) return delivery
  return { ...delivery, notify: false, hushed: true }
}

/** S22: a platform cannot tell somebody whom it does not know. */
const channelFor = ({ deps, channel }: Outgoing, { body }: Delivery) =>
  (body.kind === 'private' && body.operator === true ? deps.operators : null) ?? channel

const waitFor = ({ deps }: Outgoing, sent: Extract<Sent, { kind: 'later' | 'unknown' }>): Idle => ({
  kind: 'park',
  until: deps.clock.now() + (sent.kind === 'later' ? sent.afterMs : unknownMs),
})

/** C940: what could not be deleted is said to who wanted it. */
function unwithdrawn(delivery: Delivery): Delivery {
  const { body } = delivery
  if (body.kind !== 'withdrawn') return delivery
  const { messageId, failed: text } = body
  return { ...delivery, body: { kind: 'message', messageId, text, runId: null } }
}

/** Marks and closed questions are changes of what is there: doing one twice changes nothing. */
const isSaid = ({ body }: Delivery) =>
  !['receipt', 'answered', 'closed', 'decided', 'withdrawn'].includes(body.kind)

/** Returns the owner of the run of a delivery that an earlier version stored. */
async function whoseRun({ store }: DeliverDeps, { item }: Lease, runId: string | null) {
  const found = runId === null ? null : await store.runs.state(item.workspace, runId)
  return found && ownerOf(found.run)
}

/**
 * Pauses the schedule of a run whose place takes no messages any more, and says so in the delivery.
 */
async function pausedWithIt(
  { deps, lease }: Outgoing,
  { locale }: Conversation,
  delivery: Delivery,
): Promise<Delivery> {
  const { store } = deps
  const { body } = delivery
  const runId = 'runId' in body ? body.runId : null
  const found = runId === null ? null : await store.runs.state(lease.item.workspace, runId)
  if (found === null) return delivery
  return await pauseWhereGone(store.schedules, found.run, { delivery, locale })
}

/**
 * C85: sends what a channel refuses directly to the person whom it is for: the asker, or the
 * schedule's owner.
 */
async function sendDirectly(
  { deps, channel, lease }: Outgoing,
  conversation: Conversation,
  delivery: Delivery,
) {
  const { body } = delivery
  if (channel.direct === undefined || !isSaid(delivery) || body.kind === 'private') return null
  const person = delivery.to ?? ('runId' in body ? await whoseRun(deps, lease, body.runId) : null)
  return person && (await channel.direct(delivery, conversation, person))
}

/** Returns the first mark, or, of several runs in one thread, one that has ended. */
async function nextToShow(
  { deps, lease }: Outgoing,
  marks: readonly ProgressMark[],
): Promise<ProgressMark> {
  const [first] = marks
  if (first === undefined) throw new Error('there is no progress to show')
  if (marks.length === 1) return first
  const { workspace } = lease.item
  const states = await Promise.all(
    marks.map(
      (mark) =>
        deps.live.of(mark) ?? deps.store.runs.state(workspace, mark.runId).catch(() => null),
    ),
  )
  const ended = states.find((state) => state !== null && hasEnded(state.run.status))
  return marks.find(({ runId }) => runId === ended?.run.id) ?? first
}

/**
 * Shows a run's progress as it is when its turn comes; null: not yet, what came in meanwhile goes
 * first.
 */
async function showOne(
  work: Outgoing,
  conversation: Conversation,
  mark: ProgressMark,
): Promise<Idle | null> {
  const { deps, channel, lease, nudged, signal } = work
  for (;;) {
    const live = deps.live.of(mark)
    const state = live ?? (await deps.store.runs.state(lease.item.workspace, mark.runId))
    if (state === null) return idleWith(work, mark)
    const waitMs = (await turnOf(work, state.run)) - deps.clock.now()
    if (waitMs > 0) {
      await flushSent(work)
      await deps.clock.sleep(waitMs, AbortSignal.any([signal, nudged.rings()]))
      if (live === null || signal.aborted || nudged.rings().aborted) return null
      continue
    }
    const sent = await channel.show(progressOf(state.run, state.task), conversation)
    if (sent.kind === 'later') {
      await flushSent(work)
      return { kind: 'wakeAt', at: deps.clock.now() + sent.afterMs }
    }
    deps.live.shown(mark.runId)
    return idleWith(work, live?.mark ?? mark)
  }
}

/** When a run may be shown, or when to ask for that again (C49, C86). */
async function turnOf({ deps, channel, lease, queue }: Outgoing, run: Run): Promise<number> {
  const now = deps.clock.now()
  const { workspace } = lease.item
  const { progressEveryMs: everyMs } = channel
  if (everyMs <= 0 || (await channel.isNew?.(workspace, run.id))) return now
  const isFirst = hasEnded(run.status)
  const reserve = channel.isLog ? queue : deps.store.outbox.reserve
  return await reserve(workspace, { runId: run.id, everyMs, isFirst }, now)
}

/** Remembers that it was rung, also when nobody was listening. */
function createBell() {
  let bell = new AbortController()
  return {
    // Without a reason Node makes an error with its stack, of every ring.
    ring: () => bell.abort(null),
    silence() {
      if (bell.signal.aborted) bell = new AbortController()
    },
    rings: () => bell.signal,
  }
}
