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

/** A gesture as Discord tells it; `data` says what was done, unchecked. `words` are in the person's language. */
export interface DiscordGesture extends Gesture {
  discord: Discord
  words: Texts
  id: string
  token: string
  channelId: string
  data: unknown
  /** The whole of it, as Discord told it. */
  raw: unknown
  /** True if a process that ended left it behind (C443). */
  isAgain?: boolean
}

/** State of a first answer: Discord took it, or that is unknown; another process was quicker; its three seconds are over. */
type FirstAnswer = 'taken' | 'elsewhere' | 'late'

/** The answer that Discord waits for. False when another process was quicker: what was done is that one's to work on. */
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

/** The first answer to what is then answered for this person alone. */
export const acknowledgePrivately = (gesture: DiscordGesture): Promise<FirstAnswer> =>
  acknowledge(gesture, {
    type: InteractionResponseType.DeferredChannelMessageWithSource,
    data: { flags: MessageFlags.Ephemeral, allowed_mentions: nobody },
  })

/** The same. False when another process was quicker. */
export const answerPrivately = async (gesture: DiscordGesture): Promise<boolean> =>
  (await acknowledgePrivately(gesture)) !== 'elsewhere'

/** Something for this person's eyes only, after the first answer; a longer text part by part. */
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

/** Hands a press on, with a note of how its answer can be for that person's eyes only; null when it means nothing any more. */
export async function press(made: DiscordGesture, meaning: Meaning): Promise<IntakeResult | null> {
  const { discord, person, token } = made
  const workspace = await workspaceFor(discord.deps.notes, made, meaning.id)
  return await pressIn(discord, { ...made, workspace }, meaning, {
    thread: null,
    before: (conversationId) =>
      noteToken(discord, { workspace, conversationId, personId: person.id, token }),
  })
}
