import type { Conversation } from '../../src/agent/domain/conversation.ts'
import type { Delivery } from '../../src/agent/domain/delivery.ts'
import { deriveId } from '../../src/agent/domain/id.ts'
import type { ProgressView } from '../../src/agent/domain/progress.ts'
import type { Channel, Intake, Sent, ThreadReading } from '../../src/agent/ports/channel.ts'

export interface FakeChannel extends Channel {
  /** What the platform shows, in the order in which it came. */
  readonly shown: readonly { delivery: Delivery; conversation: Conversation }[]
  /** Every progress that was shown, and the newest of each run. */
  readonly progress: readonly ProgressView[]
  readonly current: ReadonlyMap<string, ProgressView>
  /** The intake that the agent gave; throws before the start and after the stop. */
  intake: Intake
  /** What is told of a thread; null: nothing was said. */
  thread: ThreadReading | null
  /** Since when a thread was asked for. */
  readonly readings: readonly number[]
  /** The next sends come to this, and nothing is shown; `arrives` shows it all the same, as when an answer is lost. */
  fail(sent: Exclude<Sent, { kind: 'sent' }>, options?: { times?: number; arrives?: boolean }): void
}

/** A platform in memory that keeps the channel's promises. */
export function createFakeChannel(platform: string, { progressEveryMs = 0 } = {}): FakeChannel {
  const shown = new Map<string, { delivery: Delivery; conversation: Conversation }>()
  const progress: ProgressView[] = []
  const current = new Map<string, ProgressView>()
  const failures: { sent: Sent; arrives: boolean }[] = []
  const readings: number[] = []
  let intake: Intake | null = null

  const threadOf = ({ id, address }: Conversation) =>
    address.thread === null ? { thread: deriveId('t', id) } : {}
  const arrive = (delivery: Delivery, conversation: Conversation) => {
    if (!shown.has(delivery.id)) shown.set(delivery.id, structuredClone({ delivery, conversation }))
  }

  return {
    platform,
    progressEveryMs,
    thread: null,
    readings,
    async readThread(_, since) {
      readings.push(since)
      return this.thread ?? { kind: 'read', said: [], gap: false }
    },
    get shown() {
      return [...shown.values()]
    },
    progress,
    current,
    intake(event) {
      if (intake === null) throw new Error('the channel is not started')
      return intake(event)
    },
    fail(sent, { times = 1, arrives = false } = {}) {
      for (let n = 0; n < times; n++) failures.push({ sent, arrives })
    },
    async start(given) {
      intake = given
    },
    async send(delivery, conversation) {
      const failure = failures.shift()
      if (failure === undefined || failure.arrives) arrive(delivery, conversation)
      return failure?.sent ?? { kind: 'sent', ref: delivery.id, ...threadOf(conversation) }
    },
    async show(view, _conversation) {
      const failure = failures.shift()
      if (failure !== undefined) return failure.sent
      progress.push(structuredClone(view))
      current.set(view.runId, structuredClone(view))
      return { kind: 'sent', ref: view.runId }
    },
    async find(delivery, conversation) {
      return shown.has(delivery.id) ? { ref: delivery.id, ...threadOf(conversation) } : null
    },
    health: () => ({ ok: intake !== null, detail: intake === null ? 'stopped' : 'in memory' }),
    async stop() {
      intake = null
    },
  }
}
