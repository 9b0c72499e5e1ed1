import { askAgain, createHeard, longAwayMs, requestsIn, workedIn } from '../channel-kit/missed.ts'
import type { Answer } from './api.ts'
import type { Scene, Slack } from './context.ts'
import { aliveKey, firstInstant } from './first-instant.ts'
import { deleted } from './gone.ts'
import { said } from './inbound.ts'
import { limits } from './limits.ts'
import { parseSaid } from './message.ts'
import { type Ask, Channels, History, type HistoryMessage, readAll } from './paging.ts'

/**
 * C155: catches up on missed messages, since Slack retries an event only for minutes. Each
 * workspace has one mark: the time up to which everything is stored. After a start, a gap without
 * sockets, or a failed write, all messages since the mark are read as if new. Duplicates are
 * dropped (P3). The mark moves only when all of them are stored.
 */
export function createMissed(slack: Slack, isConnected: () => boolean) {
  const { clock, log } = slack.deps
  const stopping = new AbortController()
  const front = createHeard()
  const knowledge: Knowledge = { sure: new Set(), epoch: 0, heard: front.note }
  let stopNoting = () => {}
  let looking: Promise<void> = Promise.resolve()

  async function lookAll(): Promise<void> {
    if (!isConnected()) return
    for (const workspace of await slack.installations.workspaces())
      try {
        await look(slack, knowledge, workspace, stopping.signal)
      } catch (error) {
        log.warn(
          { err: error, workspace },
          'what was said meanwhile could not all be read; it is tried again',
        )
      }
  }
  function next(): Promise<void> {
    looking = looking
      .then(lookAll)
      .catch((error) => log.debug({ err: error }, 'the workspaces could not be looked at'))
    return looking
  }
  /** Forgets which workspaces are complete, after an event could not be stored. */
  function unsure(): void {
    knowledge.epoch += 1
    knowledge.sure.clear()
  }

  return {
    start() {
      stopNoting = clock.every(limits.aliveEveryMs, next)
    },
    unsure,
    heard: front.heard,
    /** Starts catching up, now that events arrive again. */
    begin() {
      unsure()
      void next()
    },
    stop() {
      stopNoting()
      stopping.abort()
    },
  }
}

/** Workspaces that are completely stored since the current `epoch` began. */
interface Knowledge {
  sure: Set<string>
  epoch: number
  /** Called when the messages in a workspace's places with open tasks are stored (C342). */
  heard(workspace: string): void
}

/** Reads a workspace's missed messages, if it may have any, and moves its mark. */
async function look(
  slack: Slack,
  knowledge: Knowledge,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const { clock, notes } = slack.deps
  const began = { at: clock.now(), epoch: knowledge.epoch }
  const alive = Number(await notes.get(workspace, aliveKey)) || null
  const begun = await firstInstant(notes, { workspace, alive, now: began.at })
  if (!knowledge.sure.has(workspace) && begun !== began.at) {
    const botUserId = await slack.installations.botOf(workspace)
    if (botUserId === null) return
    const since = Math.max(begun, (alive ?? begun) - limits.aliveOverlapMs)
    const scene = { workspace, botUserId }
    await readMissed(slack, scene, since, { signal, heard: knowledge.heard })
    if (alive !== null && began.at - alive > longAwayMs) await askAgain(slack, workspace, alive)
  }
  if (signal.aborted || began.epoch !== knowledge.epoch) return
  knowledge.sure.add(workspace)
  knowledge.heard(workspace)
  await notes.put(workspace, aliveKey, String(began.at), null)
}

/**
 * Reads missed messages: first places with open tasks, and whether their requests are still there,
 * then open questions, direct messages, and
 * channels with their threads.
 *
 * @throws Error if a part must be read again.
 */
async function readMissed(
  slack: Slack,
  scene: Scene,
  since: number,
  { signal, heard }: Pick<Knowledge, 'heard'> & { signal: AbortSignal },
): Promise<void> {
  const ask = createAsk(slack, scene.workspace, signal)
  const { conversations } = slack.deps
  const followed = (await conversations.list(scene.workspace, limits.missedFollowed)).filter(
    ({ conversation, questions }) =>
      questions.length > 0 || conversation.updatedAt > since - limits.missedThreadsMs,
  )
  const done = new Set<string>()
  async function thread(channel: string, ts: string | null): Promise<void> {
    if (ts === null || done.has(`${channel}|${ts}`)) return
    done.add(`${channel}|${ts}`)
    const args = { channel, ts, oldest: secondsOf(since) }
    await hand(
      slack,
      scene,
      channel,
      (await pages(ask, 'conversations.replies', args, since)).filter(isSince(since)),
    )
  }
  async function whole(channel: string): Promise<void> {
    if (done.has(channel)) return
    done.add(channel)
    const args = { channel, oldest: secondsOf(since - limits.missedRootsMs) }
    const told = (await pages(ask, 'conversations.history', args, since)).reverse()
    await hand(slack, scene, channel, told.filter(isSince(since)))
    // Threads without newer replies are not read.
    for (const { ts, latest_reply: latest } of told)
      if (latest == null || Number(latest) * 1_000 <= since) done.add(`${channel}|${ts}`)
      else await thread(channel, ts)
  }
  for (const { channel, thread: ts } of await workedIn(slack.deps, scene.workspace)) {
    await thread(channel, ts)
    // A “stop” may be a top-level direct message (C170).
    if (channel.startsWith('D')) await whole(channel)
  }
  for (const { ref: ts, address } of await requestsIn(slack.deps, scene.workspace)) {
    const { channel, thread } = { ...address, thread: address.thread ?? ts }
    if (await isDeleted(ask, { channel, thread, ts }))
      await deleted(slack, scene, { channel, ts, thread, user: '' })
  }
  heard(scene.workspace)
  for (const { conversation, questions } of followed)
    if (questions.length > 0)
      await thread(conversation.address.channel, conversation.address.thread)
  for (const types of ['im', 'mpim', 'private_channel', 'public_channel'])
    for (const channel of await channelsOf(ask, types)) await whole(channel)
  for (const { conversation } of followed)
    await thread(conversation.address.channel, conversation.address.thread)
}

/** True if a message is gone. One with replies leaves a tombstone. */
async function isDeleted(
  ask: Ask,
  { channel, thread, ts }: { channel: string; thread: string; ts: string },
): Promise<boolean> {
  const only = { oldest: ts, latest: ts, inclusive: true, limit: 2 }
  const answer = await ask('conversations.replies', { channel, ts: thread, ...only }, History)
  if (answer.kind !== 'ok') return answer.kind === 'refused' && answer.reason === 'thread_not_found'
  const message = answer.value.items.find((one) => one.ts === ts)
  return message === undefined || message.subtype === 'tombstone'
}

const secondsOf = (ms: number) => (Math.max(0, ms) / 1_000).toFixed(6)
const isSince =
  (since: number) =>
  ({ ts }: HistoryMessage): boolean =>
    Number(ts) * 1_000 > since

async function hand(
  slack: Slack,
  scene: Scene,
  channel: string,
  told: readonly HistoryMessage[],
): Promise<void> {
  for (const raw of told) {
    const message = parseSaid(raw, channel)
    if (message !== null) await said(slack, scene, message)
  }
}

async function channelsOf(ask: Ask, types: string): Promise<string[]> {
  const args = { types, exclude_archived: true, limit: 200 }
  const { items, problem } = await readAll(
    ask,
    { method: 'users.conversations', args, page: Channels },
    () => false,
  )
  // Without the scope, there are no channels of this kind. Any other error is tried again.
  if (problem?.kind === 'refused' && problem.reason !== 'missing_scope')
    throw new Error(`Slack does not tell the channels: ${problem.reason}`)
  return items.map(({ id }) => id)
}

/**
 * Reads all new messages and some pages of older ones, in Slack's order, until Slack refuses a
 * page.
 */
async function pages(
  ask: Ask,
  method: string,
  args: Record<string, unknown>,
  since: number,
): Promise<HistoryMessage[]> {
  const list = { method, args: { ...args, limit: limits.missedPage }, page: History }
  const isOld = (told: readonly HistoryMessage[]) =>
    told.slice(-1).some((last) => !isSince(since)(last))
  const { items } = await readAll(
    ask,
    list,
    (count, told) => count >= limits.missedPages && isOld(told),
  )
  return items
}

/**
 * Creates calls that wait out rate limits. `refused`: Slack will not tell.
 *
 * @throws Error if the outcome stays unclear.
 */
function createAsk({ api, deps: { clock } }: Slack, workspace: string, signal: AbortSignal): Ask {
  let calls = 0
  return async (method, args, schema) => {
    for (let tries = 0; !signal.aborted; ) {
      if (calls++ >= limits.missedBurst) await clock.sleep(limits.missedEveryMs, signal)
      const answer = await api.call(workspace, method, args, schema, { minor: true })
      if (answer.kind === 'ok' || answer.kind === 'refused') return answer
      if (isForbidden(answer)) return { kind: 'refused', reason: 'missing_scope' }
      // A rejected token delays only its own workspace, until the next attempt.
      if (answer.kind === 'unknown' ? ++tries > 3 : answer.token !== undefined) break
      await clock.sleep(answer.kind === 'later' ? answer.afterMs : limits.missedEveryMs, signal)
    }
    throw new Error('Slack cannot be asked for missed messages')
  }
}

/**
 * True if a scope is missing, which hides only some places. A rejected token hides all of them for
 * now.
 */
const isForbidden = (answer: Answer<unknown>) =>
  answer.kind === 'later' && ['missing_scope', 'no_permission'].includes(answer.token?.code ?? '')
