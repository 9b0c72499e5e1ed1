import { LRUCache } from 'lru-cache'
import { atMost } from '../../agent/domain/at-most.ts'
import type { Conversation, ThreadAddress } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import { showWorking } from '../channel-kit/working-sign.ts'
import { shortened } from '../text.ts'
import { Anything } from './api.ts'
import type { Slack } from './context.ts'

/** Time without calls to a workspace that does not support sessions. */
const restMs = 60 * 60 * 1_000

/** Slack's session status for each run status. `processing` shows a native Stop button. */
const statuses: Record<RunStatus, 'active' | 'processing' | 'suspended'> = {
  queued: 'processing',
  running: 'processing',
  awaiting_clarification: 'suspended',
  paused: 'suspended',
  succeeded: 'active',
  failed: 'active',
  canceled: 'active',
  given_up: 'active',
}

/**
 * Reports changes of a thread's status to Slack. The report is optional: nothing waits for it, and
 * it never throws. A workspace that refuses it is skipped for an hour.
 */
export function createSessions({ api, deps: { clock } }: Slack) {
  const last = new LRUCache<string, string>(atMost(5_000))
  const off = new Map<string, number>()
  return async ({ id, address }: Conversation, { status, title }: ProgressView): Promise<void> => {
    const { workspace, channel, thread } = address
    const wanted = statuses[status]
    if (thread === null || last.get(id) === wanted || (off.get(workspace) ?? 0) > clock.now())
      return
    last.set(id, wanted)
    const args = {
      channel_id: channel,
      thread_ts: thread,
      status: wanted,
      title: shortened(title, 200),
    }
    const answer = await api.call(workspace, 'agents.sessions.setStatus', args, Anything, {
      minor: true,
    })
    const isRefused = answer.kind === 'later' ? answer.token !== undefined : answer.kind !== 'ok'
    if (isRefused) off.set(workspace, clock.now() + restMs)
  }
}

/** Refresh interval: Slack removes the status line after two minutes, and when Clew posts. */
const everyMs = 100_000

/**
 * C180: shows below the thread that Clew is thinking, in channels too, until its first words. Never
 * throws.
 */
export async function showThinking(
  slack: Slack,
  event: InboundEvent & { thread: string },
  taken: Extract<IntakeResult, { kind: 'accepted' }>,
): Promise<void> {
  const { thinking } = texts(event.locale ?? slack.deps.defaults.locale).slack
  await showWorking(slack, event, taken, { everyMs, show: () => setStatus(slack, event, thinking) })
}

/**
 * Sets the status line.
 *
 * @returns true if Slack accepted it; otherwise the workspace shows only reactions.
 */
async function setStatus(
  { api }: Slack,
  { workspace, channel, thread }: ThreadAddress,
  status: string,
): Promise<boolean> {
  const args = { channel_id: channel, thread_ts: thread, status }
  return (
    (await api.call(workspace, 'assistant.threads.setStatus', args, Anything, { minor: true }))
      .kind === 'ok'
  )
}

/**
 * Removes the status line if only a reaction answers the message, since no post would remove it.
 * Never throws.
 */
export function endThinking(slack: Slack, { body }: Delivery, { address }: Conversation): void {
  const { thread } = address
  const isMarkAlone =
    body.kind === 'receipt' &&
    ['thanked', 'joined', 'ignored', 'answer'].includes(body.outcome.kind)
  if (isMarkAlone && body.unmarked !== true && thread !== null)
    void setStatus(slack, { ...address, thread }, '')
}
