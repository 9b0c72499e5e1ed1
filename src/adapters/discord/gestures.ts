import { Routes } from 'discord.js'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Intake } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import type { Discord } from './context.ts'
import { codes, flags } from './limits.ts'
import { type Part, whispered } from './render.ts'
import { noteToken } from './whisper.ts'

/** What a person did with a button, a menu, a form or a command, before it is known what for. */
export interface Gesture {
  id: string
  token: string
  workspace: string
  channelId: string
  person: { id: string; name: string }
  bot: boolean
  locale: string
  data: unknown
}

/** The answer that Discord waits for. False when another process was quicker: what was done is that one's to work on. */
export async function answerFirst(
  discord: Discord,
  { id, token }: Gesture,
  body: { type: number; data?: unknown },
): Promise<boolean> {
  const answer = await discord.rest.call('POST', Routes.interactionCallback(id, token), { body, auth: false })
  return answer.kind !== 'failed' || answer.code !== codes.alreadyAnswered
}

/** Something for this person's eyes only, after the first answer. */
export async function tell(discord: Discord, gesture: Gesture, text: string): Promise<void> {
  await reply(discord, gesture, [whispered(text)])
}

/** A longer text for this person's eyes only, part by part. */
export async function reply(discord: Discord, { token }: Gesture, parts: readonly Part[]): Promise<void> {
  const self = discord.self()
  if (self === null) return
  for (const { files = [], ...body } of parts) {
    const hidden = { ...body, flags: body.flags | flags.ephemeral }
    const route = Routes.webhook(self.applicationId, token)
    const answer = await discord.rest.call('POST', route, { body: hidden, files, auth: false })
    if (answer.kind !== 'ok') return
  }
}

/** What a gesture means, and the conversation in which it means it. */
export interface Meaning {
  conversationId: string | null
  event: InboundEvent['content']
}

/** Hands on what was done in a conversation; false when there is no such conversation here any more. */
export async function handOn(
  discord: Discord,
  intake: () => Intake | null,
  gesture: Gesture,
  { conversationId, event }: Meaning,
): Promise<boolean> {
  const { deps } = discord
  const { person, token, workspace } = gesture
  const state = conversationId === null ? null : await deps.store.conversations.state(workspace, conversationId, 0)
  if (state === null) return false
  const handOver = intake()
  if (handOver === null) throw new Error('intake is not there')
  const { address, id } = state.conversation
  // The answer may come before intake has returned, so its way is noted first.
  await noteToken(discord, { workspace, conversationId: id, personId: person.id, token })
  const result = await handOver({
    workspace,
    channel: address.channel,
    thread: address.thread,
    ...(address.thread === null ? { openedFor: id } : {}),
    keys: [`i:${gesture.id}`],
    author: { ...person, bot: gesture.bot },
    at: deps.clock.now(),
    locale: gesture.locale,
    content: event,
  })
  if (result.kind === 'ignored' && result.reason === 'not_allowed')
    await tell(discord, gesture, texts(gesture.locale).core.notAllowed)
  return true
}

/** What to do about a run, by its id; null when there is no such run here. */
export async function controlOf(
  { deps }: Discord,
  workspace: string,
  action: 'cancel' | 'continue' | 'retry',
  runId: string,
): Promise<Meaning | null> {
  const found = await deps.store.runs.state(workspace, runId)
  return found === null ? null : { conversationId: found.run.conversationId, event: { kind: 'control', action, runId } }
}
