import { InteractionResponseType, InteractionType } from 'discord.js'
import { z } from 'zod'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Intake } from '../../agent/ports/channel.ts'
import { texts } from '../../locales/texts.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { answerFirst, controlOf, type Gesture, handOn, tell } from './gestures.ts'
import { nameOf, User } from './parse.ts'
import { type Action, readId, readOffer, renderModal } from './render.ts'
import { homeOf } from './sent-directly.ts'

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
  run(gesture: Gesture): Promise<void>
  complete(gesture: Gesture): Promise<void>
}

/**
 * Everything that people do other than writing. Discord wants a first answer within 3 seconds, so that is what every path
 * begins with; what follows goes by the token while it lives, and later as a message of the bot.
 */
export function createInteractions(discord: Discord, intake: () => Intake | null, commands: CommandHandler) {
  const { deps } = discord

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

  async function take(type: number, gesture: Gesture): Promise<void> {
    switch (type) {
      case InteractionType.ApplicationCommand:
        return await commands.run(gesture)
      case InteractionType.ApplicationCommandAutocomplete:
        return await commands.complete(gesture)
      case InteractionType.MessageComponent: {
        const data = ComponentData.safeParse(gesture.data).data
        const offer = data === undefined ? null : readOffer(data.custom_id)
        if (offer !== null) return await sayFor(gesture, offer)
        const read = data === undefined ? null : readId(data.custom_id)
        if (read?.action === 'words') return await askInWords(gesture, read.id)
        if (!(await answerFirst(discord, gesture, { type: InteractionResponseType.DeferredMessageUpdate }))) return
        if (data === undefined || read === null)
          return await tell(discord, gesture, texts(gesture.locale).discord.notYours)
        const index = read.action === 'menu' ? Number(data.values?.[0]) : read.index
        return await act(gesture, { ...read, index }, null)
      }
      case InteractionType.ModalSubmit: {
        if (!(await answerFirst(discord, gesture, { type: InteractionResponseType.DeferredMessageUpdate }))) return
        const data = ModalData.safeParse(gesture.data).data
        const read = data === undefined ? null : readId(data.custom_id)
        const [field] =
          data?.components.flatMap((one) => [...(one.component ? [one.component] : []), ...(one.components ?? [])]) ??
          []
        if (read === null || field === undefined)
          return await tell(discord, gesture, texts(gesture.locale).discord.notYours)
        return await act(gesture, read, field.value)
      }
      default:
        return
    }
  }

  /** A form has to be the first answer itself; the question's words are looked up only if that is quick. */
  async function askInWords(gesture: Gesture, questionId: string): Promise<void> {
    const found = homeOf(deps.store.shelf, gesture, questionId)
      .then((workspace) => deps.store.conversations.question(workspace, questionId))
      .catch(() => null)
    const known = await Promise.race([found, deps.clock.sleep(1_000).then(() => null)])
    const text = known?.question.text ?? texts(gesture.locale).discord.answerLabel
    await answerFirst(discord, gesture, {
      type: InteractionResponseType.Modal,
      data: renderModal({ id: questionId, text }, gesture.locale),
    })
  }

  /** A button's command, as if the person had written it in the thread. */
  async function sayFor(made: Gesture, { conversationId, command }: { conversationId: string; command: string }) {
    await answerFirst(discord, made, { type: InteractionResponseType.DeferredMessageUpdate })
    const gesture = { ...made, workspace: await homeOf(deps.store.shelf, made, conversationId) }
    const event: InboundEvent['content'] = { kind: 'message', text: command, addressed: true, forSomeoneElse: false }
    const taken = await handOn(discord, intake, gesture, { conversationId, event })
    if (!taken) await tell(discord, gesture, texts(gesture.locale).discord.notYours)
  }

  async function act(made: Gesture, read: { action: Action; id: string; index: number | null }, words: string | null) {
    const gesture = { ...made, workspace: await homeOf(deps.store.shelf, made, read.id) }
    const meaning = await meaningOf(gesture, read, words)
    const taken = meaning !== null && (await handOn(discord, intake, gesture, meaning))
    if (!taken) await tell(discord, gesture, texts(gesture.locale).discord.notYours)
  }

  /** What a press means, from its opaque id and our own records; null when it means nothing any more. */
  async function meaningOf(
    { workspace }: Gesture,
    read: { action: Action; id: string; index: number | null },
    words: string | null,
  ) {
    const { action, id, index } = read
    if (action === 'cancel' || action === 'continue' || action === 'retry')
      return await controlOf(discord, workspace, action, id)
    const found = await deps.store.conversations.question(workspace, id)
    const text = words ?? (index === null ? undefined : found?.question.choices[index])
    if (found === null || text === undefined || text.trim() === '') return null
    const event: InboundEvent['content'] = { kind: 'answer', questionId: id, text }
    return { conversationId: found.conversationId, event }
  }

  return { handle }
}

function gestureOf(raw: z.infer<typeof Base>, defaultLocale: string): Gesture | null {
  const user = raw.member?.user ?? raw.user ?? null
  if (user === null || !raw.channel_id) return null
  return {
    id: raw.id,
    token: raw.token,
    workspace: workspaceOf(raw.guild_id),
    channelId: raw.channel_id,
    person: { id: user.id, name: nameOf(user, raw.member?.nick) },
    bot: user.bot === true,
    locale: raw.locale ?? defaultLocale,
    data: raw.data,
  }
}
