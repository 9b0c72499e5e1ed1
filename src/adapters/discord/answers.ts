import { Routes } from 'discord.js'
import type { Gesture } from '../channel-kit/gestures.ts'
import type { Discord } from './context.ts'
import { codes, flags } from './limits.ts'
import { type Part, whispered } from './render.ts'

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
  return answer.kind !== 'failed' || answer.code !== codes.alreadyAnswered
}

/** Something for this person's eyes only, after the first answer. */
export async function tell(discord: Discord, gesture: DiscordGesture, text: string): Promise<void> {
  await reply(discord, gesture, [whispered(text)])
}

/** A longer text for this person's eyes only, part by part. */
export async function reply(discord: Discord, { token }: DiscordGesture, parts: readonly Part[]): Promise<void> {
  const self = discord.self()
  if (self === null) return
  for (const { files = [], ...body } of parts) {
    const hidden = { ...body, flags: body.flags | flags.ephemeral }
    const route = Routes.webhook(self.applicationId, token)
    const answer = await discord.api.call('POST', route, { body: hidden, files, auth: false })
    if (answer.kind !== 'ok') return
  }
}
