import { LRUCache } from 'lru-cache'
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

/** How long a workspace that knows no sessions is not asked again. */
const restMs = 60 * 60 * 1_000

/** Slack's own status of a conversation with an agent; `processing` shows a native Stop button. */
const statuses: Record<RunStatus, 'active' | 'processing' | 'suspended'> = {
  ...{ queued: 'processing', running: 'processing' },
  ...{ awaiting_clarification: 'suspended', paused: 'suspended' },
  ...{ succeeded: 'active', failed: 'active', canceled: 'active' },
}

/**
 * Tells Slack when a thread's status changed. An adornment that is never waited for and never throws: what is said and shown
 * does not depend on it, and a workspace that refuses it is left alone.
 */
export function createSessions({ api, deps: { clock } }: Slack) {
  const last = new LRUCache<string, string>({ max: 5_000 })
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

/** Slack takes the line off after two minutes, and as soon as Clew says something there. */
const everyMs = 100_000

/** C180: below the thread stands at once that Clew thinks, in channels too, until its first words. Never throws. */
export async function showThinking(
  slack: Slack,
  event: InboundEvent & { thread: string },
  taken: Extract<IntakeResult, { kind: 'accepted' }>,
): Promise<void> {
  const { thinking } = texts(event.locale ?? slack.deps.defaults.locale).slack
  await showWorking(slack, event, taken, { everyMs, show: () => setStatus(slack, event, thinking) })
}

/** @returns whether Slack took it; a workspace that does not has its marks alone. */
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

/** What is answered by a mark alone leaves the line standing: it is taken off with the mark. Never throws. */
export function endThinking(slack: Slack, { body }: Delivery, { address }: Conversation): void {
  const { thread } = address
  const isMarkAlone =
    body.kind === 'receipt' &&
    ['thanked', 'joined', 'ignored', 'answer'].includes(body.outcome.kind)
  if (isMarkAlone && body.unmarked !== true && thread !== null)
    void setStatus(slack, { ...address, thread }, '')
}
