import type { Conversation, ThreadAddress } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import { showWorking } from '../channel-kit/working-sign.ts'
import { Anything } from './api.ts'
import type { Slack } from './context.ts'

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
  return (await api.call(workspace, 'assistant.threads.setStatus', args, Anything, { minor: true })).kind === 'ok'
}

/** What is answered by a mark alone leaves the line standing: it is taken off with the mark. Never throws. */
export function endThinking(slack: Slack, { body }: Delivery, { address }: Conversation): void {
  const { thread } = address
  const isMarkAlone = body.kind === 'receipt' && ['thanked', 'joined', 'ignored', 'answer'].includes(body.outcome.kind)
  if (isMarkAlone && body.unmarked !== true && thread !== null) void setStatus(slack, { ...address, thread }, '')
}
