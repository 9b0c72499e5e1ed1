import { assertNever } from './domain/assert.ts'
import { type Conversation, platformOf } from './domain/conversation.ts'
import type { Delivery } from './domain/delivery.ts'
import { deriveId } from './domain/id.ts'
import { progressOf } from './domain/progress.ts'
import { type AsideWords, attempt, setAside } from './kernel/aside.ts'
import { Fenced, type Hold, type LeaseDeps, nameOf, withLease } from './kernel/lease.ts'
import { type Rest, rest } from './kernel/rest.ts'
import type { Channel, Sent } from './ports/channel.ts'
import type { Aside, Lease, ProgressMark, Store } from './ports/store.ts'
import type { Item } from './ports/wakeups.ts'

export interface DeliverDeps extends LeaseDeps {
  store: Pick<Store, 'outbox' | 'commits' | 'conversations' | 'runs'>
  /** The channel of a platform, if this process plays its role. */
  channelOf(platform: string): Channel | null
  /** What may or may not have arrived is not sent again: rather missing than there twice (P2). */
  atMostOnce?: boolean
}

/** How long to wait before looking for a delivery whose fate is not known. */
const unknownMs = 1000
/** An outbox that has to wait no longer than this for its turn to show progress is kept meanwhile. */
const keptForMs = 10_000

/**
 * Empties one conversation's outbox in order, one delivery at a time (rule 7). Progress comes after what has to be said,
 * as it is when it is sent; all of a workspace shares one budget for it (C49), in which each outbox has its turn.
 *
 * An outbox whose platform does not answer keeps everything and is tried again; nothing is dropped but what the platform
 * refuses for good (R111).
 */
export function createDeliver(deps: DeliverDeps): (item: Item, stop: AbortSignal) => Promise<void> {
  const turns = createTurns()
  return async (item, stop) => {
    const channel = deps.channelOf(platformOf(item.workspace))
    if (channel === null) return
    await withLease(deps, item, stop, async ({ lease, signal, nextCommit, onNudge }) => {
      const nudged = createBell()
      const stopListening = onNudge(nudged.ring)
      try {
        return await empty({ deps, channel, lease, signal, nextCommit, turns, nudged })
      } finally {
        stopListening()
      }
    })
  }
}

/** What is known while one outbox is emptied. */
interface Outgoing {
  deps: DeliverDeps
  channel: Channel
  lease: Lease
  signal: AbortSignal
  nextCommit: Hold['nextCommit']
  turns: ReturnType<typeof createTurns>
  nudged: ReturnType<typeof createBell>
}

/** Whether more came in than was found, the release tells: nothing is read only to see that nothing is left. */
async function empty(work: Outgoing): Promise<Rest> {
  const { deps, lease, signal, turns } = work
  const { workspace, id } = lease.item
  while (!signal.aborted) {
    work.nudged.silence()
    const { deliveries, damaged, tried, progress, ...found } = await deps.store.outbox.next(lease)
    const mark = progress[0]
    if (mark === undefined) turns.done(lease.item)
    if (mark === undefined && deliveries.length === 0 && damaged === null) return rest
    const conversation =
      found.conversation ?? (await deps.store.conversations.state(workspace, id, 0))?.conversation ?? null
    if (conversation === null) return { kind: 'over' }
    const wait =
      damaged === null
        ? await showFound(work, conversation, { deliveries, tried, mark })
        : await setDeliveryAside(work, { id: deriveId('d', damaged.row), row: damaged.row, problem: damaged.problem })
    if (wait !== null) return wait
  }
  return rest
}

interface Found {
  deliveries: readonly Delivery[]
  tried: boolean
  mark: ProgressMark | undefined
}

/** Shows what was found, progress last; null: there is to be another look. */
async function showFound(work: Outgoing, conversation: Conversation, { mark, ...said }: Found): Promise<Rest | null> {
  if (said.deliveries.length === 0) return mark === undefined ? null : await showOrSetAside(work, conversation, mark)
  const wait = await sendInOrder(work, conversation, said)
  // The first delivery may have opened the thread.
  return wait === null && mark === undefined && conversation.address.thread !== null ? rest : wait
}

/** Sends one after the other; answers how long to wait when one could not be sent. */
async function sendInOrder(
  work: Outgoing,
  conversation: Conversation,
  { deliveries, tried }: Omit<Found, 'mark'>,
): Promise<Rest | null> {
  for (const [at, delivery] of deliveries.entries()) {
    if (work.signal.aborted) return null
    const wait = await sendOrSetAside(work, conversation, { delivery, tried: at === 0 && tried })
    if (wait !== null || conversation.address.thread === null) return wait
  }
  return null
}

/** P18: what can be neither read nor shown makes room for what is behind it. A line in its place says so, once. */
async function setDeliveryAside(work: Outgoing, aside: Omit<Aside, 'list'>, of?: string): Promise<null> {
  const { id: conversationId } = work.lease.item
  const tell = { conversationId, words: ({ outbox }: AsideWords) => outbox }
  const row: Aside = { list: 'outbox', ...aside }
  await setAside(work.deps, work, [row], {
    part: { consume: 1, conversationId },
    tell,
    ...(of === undefined ? {} : { of }),
  })
  return null
}

async function sendOrSetAside(
  work: Outgoing,
  conversation: Conversation,
  first: { delivery: Delivery; tried: boolean },
): Promise<Rest | null> {
  const { id, body } = first.delivery
  const runId = 'runId' in body && body.runId !== null ? body.runId : undefined
  return await attempt(
    work.deps,
    { lease: work.lease, row: id },
    () => sendOne(work, conversation, first),
    (problem) => setDeliveryAside(work, { id, row: JSON.stringify(first.delivery), problem }, runId),
  )
}

/** Progress that cannot be shown is not missed: the run goes on, and says what it comes to. */
async function showOrSetAside(work: Outgoing, conversation: Conversation, mark: ProgressMark): Promise<Rest | null> {
  const { runId, revision } = mark
  return await attempt(
    work.deps,
    { lease: work.lease, row: runId },
    () => showOne(work, conversation, mark),
    async (problem) => {
      const row: Aside = { list: 'progress', id: runId, row: revision, problem }
      await setAside(work.deps, work, [row], { part: {}, tell: null, of: runId })
      await work.deps.store.outbox.shown(work.lease, mark)
      return null
    },
  )
}

/** Sends the first delivery; answers how long to wait when it could not be sent. */
async function sendOne(
  work: Outgoing,
  conversation: Conversation,
  { delivery, tried }: { delivery: Delivery; tried: boolean },
): Promise<Rest | null> {
  const { deps, channel, lease } = work
  const { outbox } = deps.store
  const about = { delivery: delivery.id, kind: delivery.body.kind }
  const found = tried ? await channel.find(delivery, conversation) : null
  if (tried && found === null && deps.atMostOnce && isSaid(delivery)) {
    deps.log.error(about, 'a delivery may be missing: it is sent at most once')
    await outbox.sent(lease, delivery.id, null)
    return null
  }
  if (found === null && !(await outbox.trying(lease, delivery.id))) throw new Fenced(lease.item)
  const sent: Sent = found === null ? await channel.send(delivery, conversation) : { kind: 'sent', ...found }
  switch (sent.kind) {
    case 'sent': {
      const opened = conversation.address.thread === null ? (sent.thread ?? null) : null
      await outbox.sent(lease, delivery.id, opened)
      return null
    }
    case 'later':
      if (deps.atMostOnce) await outbox.trying(lease, delivery.id, false)
      return waitFor(work, sent)
    case 'unknown':
      return waitFor(work, sent)
    case 'refused': {
      const direct = await sendDirectly(work, conversation, delivery)
      if (direct?.kind === 'later' || direct?.kind === 'unknown') return waitFor(work, direct)
      const refused = { ...about, reason: sent.reason, direct: direct?.kind ?? 'nobody' }
      deps.log.error(refused, 'a delivery was refused for good')
      await outbox.sent(lease, delivery.id, null)
      return null
    }
    default:
      return assertNever(sent)
  }
}

const waitFor = ({ deps }: Outgoing, sent: Extract<Sent, { kind: 'later' | 'unknown' }>): Rest => ({
  kind: 'park',
  until: deps.clock.now() + (sent.kind === 'later' ? sent.afterMs : unknownMs),
})

/** Marks and closed questions are changes of what is there: doing one twice changes nothing. */
const isSaid = ({ body }: Delivery): boolean => body.kind !== 'receipt' && body.kind !== 'answered'

/** What a channel refuses goes to the person who asked for the work, or made its schedule, if there is one. */
async function sendDirectly({ deps, channel, lease }: Outgoing, conversation: Conversation, delivery: Delivery) {
  const { body } = delivery
  if (channel.direct === undefined || body.kind === 'answered' || !('runId' in body) || body.runId === null) return null
  const found = await deps.store.runs.state(lease.item.workspace, body.runId)
  const person = found?.run.requestedBy ?? found?.run.schedule?.createdBy ?? null
  return person === null ? null : await channel.direct(delivery, conversation, person)
}

/** Shows a run's progress as it is when its turn comes; null: not yet, a delivery that came in meanwhile goes first. */
async function showOne(work: Outgoing, conversation: Conversation, mark: ProgressMark): Promise<Rest | null> {
  const { deps, channel, lease, signal, turns, nudged } = work
  const at = await turns.take(lease.item, channel, mark.runId, deps.clock.now())
  const waitMs = at - deps.clock.now()
  if (waitMs > keptForMs) return { kind: 'wakeAt', at }
  if (waitMs > 0) {
    await deps.clock.sleep(waitMs, AbortSignal.any([signal, nudged.rings()]))
    return null
  }
  turns.done(lease.item)
  const run = await deps.store.runs.state(lease.item.workspace, mark.runId)
  if (run !== null) {
    const sent = await channel.show(progressOf(run.run, run.task), conversation)
    if (sent.kind === 'later') return { kind: 'wakeAt', at: deps.clock.now() + sent.afterMs }
  }
  await deps.store.outbox.shown(lease, mark)
  return rest
}

/**
 * Who may show progress when. One that waits keeps its turn, so that a crowd neither starves it nor runs for it. Asks the channel
 * where all processes share one budget; else this process keeps the turns itself.
 */
function createTurns() {
  const taken = new Map<string, number>()
  const free = new Map<string, number>()
  return {
    async take(item: Item, channel: Channel, runId: string, now: number): Promise<number> {
      const name = nameOf(item)
      const own = taken.get(name)
      if (own !== undefined) return own
      const at = (await channel.reserve?.(item.workspace, runId)) ?? Math.max(now, free.get(item.workspace) ?? 0)
      free.set(item.workspace, at + channel.progressEveryMs)
      taken.set(name, at)
      return at
    },
    done: (item: Item) => void taken.delete(nameOf(item)),
  }
}

/** Remembers that it was rung, also when nobody was listening. */
function createBell() {
  let bell = new AbortController()
  return {
    ring: () => bell.abort(),
    silence() {
      if (bell.signal.aborted) bell = new AbortController()
    },
    rings: () => bell.signal,
  }
}
