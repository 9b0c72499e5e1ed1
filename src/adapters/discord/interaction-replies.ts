import { RESTJSONErrorCodes as codes, InteractionResponseType, MessageFlags, Routes } from 'discord.js'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { type Gesture, type Meaning, press as pressIn } from '../channel-kit/gestures.ts'
import type { Discord } from './context.ts'
import { workspaceFor } from './direct-messages.ts'

import { noteToken } from './private-message.ts'
import { nobody, type Part, whispered } from './render.ts'

/** A gesture as Discord tells it; `data` says what was done, unchecked. */
export interface DiscordGesture extends Gesture {
  id: string
  token: string
  channelId: string
  data: unknown
}

/** The answer that Discord waits for. False when another process was quicker: what was done is that one's to work on. */
export async function answerFirst(
  discord: Discord,
  { id, token }: DiscordGesture,
  body: { type: number; data?: unknown },
): Promise<boolean> {
  const answer = await discord.api.call('POST', Routes.interactionCallback(id, token), { body, auth: false })
  return answer.kind !== 'refused' || answer.code !== codes.InteractionHasAlreadyBeenAcknowledged
}

/** The first answer to what is then answered for this person alone. */
export const answerPrivately = (discord: Discord, gesture: DiscordGesture): Promise<boolean> =>
  answerFirst(discord, gesture, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral, allowed_mentions: nobody },
  })

/** Something for this person's eyes only, after the first answer. */
export async function tell(discord: Discord, gesture: DiscordGesture, text: string): Promise<void> {
  await reply(discord, gesture, [whispered(text)])
}

/** A longer text for this person's eyes only, part by part. */
export async function reply(discord: Discord, { token }: DiscordGesture, parts: readonly Part[]): Promise<void> {
  const self = discord.self()
  if (self === null) return
  for (const { files = [], ...body } of parts) {
    const hidden = { ...body, flags: body.flags | MessageFlags.Ephemeral }
    const route = Routes.webhook(self.applicationId, token)
    const answer = await discord.api.call('POST', route, { body: hidden, files, auth: false })
    if (answer.kind !== 'ok') return
  }
}

/** Hands a press on, with a note of how its answer can be for that person's eyes only; null when it means nothing any more. */
export async function press(discord: Discord, made: DiscordGesture, meaning: Meaning): Promise<IntakeResult | null> {
  const workspace = await workspaceFor(discord.deps.notes, made, meaning.id)
  const { person, token } = made
  return await pressIn(discord, { ...made, workspace }, meaning, {
    thread: null,
    before: (conversationId) => noteToken(discord, { workspace, conversationId, personId: person.id, token }),
  })
}
