import { InteractionResponseType, InteractionType } from 'discord.js'
import { z } from 'zod'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import { createGestures, type Meaning } from '../channel-kit/gestures.ts'
import { inTime } from '../channel-kit/in-time.ts'
import { afterGesture } from '../channel-kit/refusals.ts'
import { answerFirst, type DiscordGesture, tell } from './answers.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { nameOf, User } from './parse.ts'
import { readId, readOffer, renderModal } from './render.ts'
import { homeOf } from './sent-directly.ts'
import { noteToken } from './whisper.ts'

const Snowflake = z.string().regex(/^\d{15,20}$/)
const Base = z.object({
  id: Snowflake,
  token: z.string(),
  type: z.number(),
  application_id: Snowflake,
  guild_id: Snowflake.nullish(),
  channel_id: Snowflake.nullish(),
  locale: z.string().optional(),
  user: User.nullish(),
  member: z.object({ user: User, nick: z.string().nullish() }).nullish(),
  data: z.unknown(),
})

const ComponentData = z.object({ custom_id: z.string(), values: z.array(z.string()).optional() })
const Field = z.object({ type: z.number(), custom_id: z.string(), value: z.string() })
const ModalData = z.object({
  custom_id: z.string(),
  components: z.array(z.object({ component: Field.optional(), components: z.array(Field).optional() })),
})

export interface CommandHandler {
  run(gesture: DiscordGesture): Promise<void>
  complete(gesture: DiscordGesture): Promise<void>
}

/**
 * Everything that people do other than writing. Discord wants a first answer within 3 seconds, so that is what every path
 * begins with; what follows goes by the token while it lives, and later as a message of the bot.
 */
export function createGestureReader(discord: Discord, commands: CommandHandler): (raw: unknown) => Promise<void> {
  const { deps } = discord
  const presses = createPresses(discord)

  async function handle(raw: unknown): Promise<void> {
    const parsed = Base.safeParse(raw)
    if (!parsed.success) return
    const gesture = gestureOf(parsed.data, deps.defaults.locale)
    if (gesture === null) return
    try {
      await take(parsed.data.type, gesture)
    } catch (error) {
      deps.log.warn({ err: error, channel: gesture.channelId }, 'what a person did could not be stored')
      await tell(discord, gesture, texts(gesture.locale).discord.notKept)
    }
  }

  async function take(type: number, gesture: DiscordGesture): Promise<void> {
    switch (type) {
      case InteractionType.ApplicationCommand:
        return await commands.run(gesture)
      case InteractionType.ApplicationCommandAutocomplete:
        return await commands.complete(gesture)
      case InteractionType.MessageComponent: {
        const data = ComponentData.safeParse(gesture.data).data
        const read = data === undefined ? null : readId(data.custom_id)
        if (read?.action === 'words') return await askInWords(gesture, read.id)
        return await act(gesture, data === undefined ? null : meaningOf(data))
      }
      case InteractionType.ModalSubmit: {
        const data = ModalData.safeParse(gesture.data).data
        const read = data === undefined ? null : readId(data.custom_id)
        const field = data?.components.flatMap((one) => one.component ?? one.components ?? [])[0]
        const isWhole = read !== null && field !== undefined
        return await act(gesture, isWhole ? { kind: 'words', id: read.id, text: field.value } : null)
      }
      default:
        // Discord's numbers; no other kind of gesture is offered.
        return
    }
  }

  /** A form has to be the first answer itself; the question's words are looked up only if that is quick. */
  async function askInWords(gesture: DiscordGesture, questionId: string): Promise<void> {
    const found = homeOf(deps.store.notes, gesture, questionId)
      .then((workspace) => deps.store.conversations.question(workspace, questionId))
      .catch(() => null)
    const known = await inTime(deps.clock, 1_000, found)
    const text = known?.question.text ?? texts(gesture.locale).discord.answerLabel
    await answerFirst(discord, gesture, {
      type: InteractionResponseType.Modal,
      data: renderModal({ id: questionId, text }, gesture.locale),
    })
  }

  /** Of what went to one person directly, the workspace is noted. */
  async function press(made: DiscordGesture, meaning: Meaning): Promise<IntakeResult | null> {
    const workspace = await homeOf(deps.store.notes, made, meaning.id)
    return await presses.press({ ...made, workspace }, meaning)
  }

  /** Tells the person what came of it, where that is not seen in the thread. */
  async function act(made: DiscordGesture, meaning: Meaning | null): Promise<void> {
    if (!(await answerFirst(discord, made, { type: InteractionResponseType.DeferredMessageUpdate }))) return
    const words = texts(made.locale)
    const result = meaning === null ? null : await press(made, meaning)
    const line = afterGesture(result, words, words.discord.notYours)
    if (line !== null) await tell(discord, made, line)
  }

  return handle
}

/** Gestures in Discord, each with a note of how its answer can be for that person's eyes only. */
export function createPresses(discord: Discord) {
  return createGestures({
    ...discord.deps,
    ...discord.deps.store,
    hand: discord.hand,
    before: ({ workspace, person, token }: DiscordGesture, conversationId) =>
      noteToken(discord, { workspace, conversationId, personId: person.id, token }),
  })
}

/** What a press means, from its opaque id; null for what this release does not know. */
function meaningOf({ custom_id: id, values }: z.infer<typeof ComponentData>): Meaning | null {
  const offer = readOffer(id)
  if (offer !== null) return { kind: 'offer', ...offer }
  const read = readId(id)
  switch (read?.action) {
    case 'cancel':
    case 'continue':
    case 'retry':
      return { kind: 'control', id: read.id, action: read.action }
    case 'choice':
      return { kind: 'choice', id: read.id, index: read.index ?? -1 }
    case 'menu':
      return { kind: 'choice', id: read.id, index: Number(values?.[0]) }
    default:
      // A platform's text: it may be anybody's.
      return null
  }
}

function gestureOf(raw: z.infer<typeof Base>, defaultLocale: string): DiscordGesture | null {
  const user = raw.member?.user ?? raw.user ?? null
  if (user === null || !raw.channel_id) return null
  return {
    id: raw.id,
    key: `i:${raw.id}`,
    token: raw.token,
    workspace: workspaceOf(raw.guild_id),
    channelId: raw.channel_id,
    person: { id: user.id, name: nameOf(user, raw.member?.nick) },
    bot: user.bot === true,
    locale: raw.locale ?? defaultLocale,
    data: raw.data,
  }
}
