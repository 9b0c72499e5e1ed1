import {
  RESTJSONErrorCodes as codes,
  InteractionResponseType,
  MessageFlags,
  Routes,
} from 'discord.js'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import type { Texts } from '../../locales/texts.ts'
import { type Gesture, type Meaning, press as pressIn } from '../channel-kit/gestures.ts'
import type { Discord } from './context.ts'
import { noteToken, workspaceFor } from './private-message.ts'
import { nobody, type Part, whispered } from './render.ts'

/** Interaction from Discord. `data` is not validated. `words` are in the person's language. */
export interface DiscordGesture extends Gesture {
  discord: Discord
  words: Texts
  id: string
  token: string
  channelId: string
  data: unknown
  /** Whole interaction as received. */
  raw: unknown
  /** True if an ended process left it behind (C443). */
  isAgain?: boolean
}

/**
 * Result of the first answer. `taken`: Discord accepted it, or the outcome is unclear. `elsewhere`:
 * another process answered first. `late`: its three seconds are over.
 */
type FirstAnswer = 'taken' | 'elsewhere' | 'late'

/**
 * Sends the first answer. Returns false if another process was faster, which then handles the
 * interaction.
 */
export const answerFirst = async (gesture: DiscordGesture, body: Body): Promise<boolean> =>
  (await acknowledge(gesture, body)) !== 'elsewhere'

interface Body {
  type: number
  data?: unknown
}

async function acknowledge(
  { discord, id, token }: DiscordGesture,
  body: Body,
): Promise<FirstAnswer> {
  const answer = await discord.api.call('POST', Routes.interactionCallback(id, token), {
    body,
    auth: false,
  })
  if (answer.kind !== 'refused') return 'taken'
  if (answer.code === codes.InteractionHasAlreadyBeenAcknowledged) return 'elsewhere'
  return answer.code === codes.UnknownInteraction ? 'late' : 'taken'
}

/** Sends a first answer that announces a private one. */
export const acknowledgePrivately = (gesture: DiscordGesture): Promise<FirstAnswer> =>
  acknowledge(gesture, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral, allowed_mentions: nobody },
  })

/** Sends the same. Returns false if another process was faster. */
export const answerPrivately = async (gesture: DiscordGesture): Promise<boolean> =>
  (await acknowledgePrivately(gesture)) !== 'elsewhere'

/** Sends a private message after the first answer, in parts if it is long. */
export async function tell(
  { discord, token }: DiscordGesture,
  said: string | readonly Part[],
): Promise<void> {
  const self = discord.self()
  if (self === null) return
  const parts: readonly Part[] = typeof said === 'string' ? [whispered(said)] : said
  for (const { files = [], ...body } of parts) {
    const hidden = { ...body, flags: body.flags | MessageFlags.Ephemeral }
    const route = Routes.webhook(self.applicationId, token)
    const answer = await discord.api.call('POST', route, { body: hidden, files, auth: false })
    if (answer.kind !== 'ok') return
  }
}

/**
 * Hands a press to its conversation. Stores the token first, so that an answer can be private.
 * Returns `null` if the press has no meaning any more.
 */
export async function press(made: DiscordGesture, meaning: Meaning): Promise<IntakeResult | null> {
  const { discord, person, token } = made
  const workspace = await workspaceFor(discord.deps.notes, made, meaning.id)
  return await pressIn(discord, { ...made, workspace }, meaning, {
    thread: null,
    before: (conversationId) =>
      noteToken(discord, { workspace, conversationId, personId: person.id, token }),
  })
}
