import { InteractionResponseType, InteractionType, MessageFlags } from 'discord.js'
import { z } from 'zod'
import { inTime } from '../../agent/deadline.ts'
import { assertNever } from '../../agent/domain/assert.ts'
import { seenBy } from '../../agent/domain/question.ts'
import { texts } from '../../locales/texts.ts'
import { editable, type Meaning, opinionOf } from '../channel-kit/gestures.ts'
import { afterGesture } from '../channel-kit/intake.ts'
import { makeSchedule, pressedAlone, runCommand } from './commands.ts'
import { complete } from './completion.ts'
import { nameOf } from './content.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { Snowflake } from './directory.ts'
import { answerFirst, type DiscordGesture, press, tell } from './interaction-replies.ts'
import { resumeKept } from './kept-commands.ts'
import { limits } from './limits.ts'
import { GuildMember, User } from './message.ts'
import { chosenOnMessage, handPicked, readMenu } from './message-menu.ts'
import { workspaceFor } from './private-message.ts'
import {
  alone,
  readId,
  readOffer,
  renderEdit,
  renderModal,
  renderOpinion,
  scheduleForm,
  whispered,
} from './render.ts'

const Base = z.object({
  id: Snowflake,
  token: z.string(),
  type: z.number(),
  guild_id: Snowflake.nullish(),
  channel_id: Snowflake.nullish(),
  locale: z.string().optional(),
  user: User.nullish(),
  member: GuildMember.extend({ user: User }).nullish(),
  data: z.unknown(),
})

const ComponentData = z.object({ custom_id: z.string(), values: z.array(z.string()).optional() })
const Field = z.object({ type: z.number(), custom_id: z.string(), value: z.string() })
const ModalData = z.object({
  custom_id: z.string(),
  components: z.array(
    z.object({ component: Field.optional(), components: z.array(Field).optional() }),
  ),
})

/**
 * Handles an interaction. Discord requires a first answer within 3 seconds, so every path begins
 * with it. Later answers use the interaction's token while it is valid, then messages of the bot.
 */
export async function gestured(discord: Discord, raw: unknown, isAgain = false): Promise<void> {
  const parsed = Base.safeParse(raw).data
  const gesture = parsed === undefined ? null : await gestureOf(discord, parsed)
  if (parsed === undefined || gesture === null) return
  try {
    await work(parsed.type, { ...gesture, raw, isAgain })
  } catch (error) {
    discord.deps.log.warn(
      { err: error, channel: gesture.channelId },
      'Discord interaction not stored',
    )
    await tell(gesture, gesture.words.discord.notKept)
  }
}

/** Carries out commands and forms that an ended process left (C443). */
export async function resumeGestures(discord: Discord): Promise<void> {
  await resumeKept(discord, (raw) => gestured(discord, raw, true))
}

async function work(type: number, gesture: DiscordGesture): Promise<void> {
  switch (type) {
    case InteractionType.ApplicationCommand: {
      const menu = readMenu(gesture.data)
      return menu === null ? await runCommand(gesture) : await chosenOnMessage(gesture, menu)
    }
    case InteractionType.ApplicationCommandAutocomplete:
      return await complete(gesture)
    case InteractionType.MessageComponent: {
      const data = ComponentData.safeParse(gesture.data).data
      const read = data === undefined ? null : readId(data.custom_id)
      const offer = data === undefined ? null : readOffer(data.custom_id)
      if (offer?.id === alone) return await pressedAlone(gesture, offer.command)
      if (read?.action === 'why' || read?.action === 'keep')
        return await openOpinion(gesture, read.action, read.id)
      if (read?.action === 'words' || read?.action === 'edit')
        return await openForm(gesture, read.id, read.action)
      return await act(gesture, data === undefined ? null : meaningOf(data))
    }
    case InteractionType.ModalSubmit: {
      const data = ModalData.safeParse(gesture.data).data
      const read = data === undefined ? null : readId(data.custom_id)
      const fields = data?.components.flatMap((one) => one.component ?? one.components ?? []) ?? []
      if (data?.custom_id === scheduleForm) return await makeSchedule(gesture, fields)
      const [field] = fields
      if (read?.action === 'picked') return await handPicked(gesture, read.id, field?.value ?? '')
      const isWhole = read !== null && field !== undefined
      return await act(gesture, isWhole ? typedIn(read, field.value) : null)
    }
    default:
      // Interaction types are Discord's numbers; others are not offered.
      return
  }
}

/**
 * Opens a form, which must be the first answer itself. The question's text is looked up for at most
 * 1 s; without it, a call cannot be edited.
 */
async function openForm(
  gesture: DiscordGesture,
  questionId: string,
  kind: 'words' | 'edit',
): Promise<void> {
  const { discord, words } = gesture
  const { notes, conversations, clock } = discord.deps
  const found = workspaceFor(notes, gesture, questionId)
    .then((workspace) => conversations.question(workspace, questionId))
    .catch(() => null)
  const known = await inTime(clock, 1_000, found)
  if (kind === 'edit' && known?.question.input === undefined) return await act(gesture, null)
  const asked = known == null ? null : seenBy(known.question, gesture.person.id)
  const text = asked?.text ?? words.discord.form.answer
  const asForm = () => renderModal({ id: questionId, text }, words)
  const data =
    kind === 'edit' && known != null
      ? renderEdit(known.question, editable(known.question), words)
      : asForm()
  await answerFirst(gesture, { type: InteractionResponseType.Modal, data })
}

async function openOpinion(gesture: DiscordGesture, action: 'why' | 'keep', runId: string) {
  const data = renderOpinion(action, runId, gesture.words)
  await answerFirst(gesture, { type: InteractionResponseType.Modal, data })
}

/** Meaning of a form with one text. */
function typedIn({ action, id }: { action: string; id: string }, text: string): Meaning {
  if (action === 'keep') return { kind: 'keep_test', id, right: text }
  if (action === 'why') return { kind: 'feedback', id, good: false, words: text }
  return { kind: action === 'edited' ? 'edited' : 'words', id, text }
}

/**
 * Stores a press and tells the person its result unless it shows in the thread. C157: stores before
 * the first answer. If the store is slow or down, the person is told, so that they do not take it
 * for done.
 */
async function act(gesture: DiscordGesture, meaning: Meaning | null): Promise<void> {
  const { discord, words } = gesture
  const settled = (meaning === null ? Promise.resolve(null) : press(gesture, meaning)).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
  const soon = await inTime(discord.deps.clock, limits.storeMs, settled)
  const isFirst = await answerFirst(gesture, firstAnswer(soon, words.discord.stillStoring))
  const done = await settled
  if ('error' in done) throw done.error
  const line = afterGesture(done.result, words, words.discord.notYours)
  if (isFirst && line !== null) await tell(gesture, line)
}

/**
 * Returns the first answer: nothing visible if the press is stored, otherwise a private message.
 */
function firstAnswer(stored: object | null, late: string) {
  if (stored === null)
    return { type: InteractionResponseType.ChannelMessageWithSource, data: whispered(late) }
  return 'error' in stored
    ? {
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        data: { flags: MessageFlags.Ephemeral },
      }
    : { type: InteractionResponseType.DeferredMessageUpdate }
}

/** Parses a component's opaque id. Returns `null` for ids that this release does not know. */
function meaningOf({ custom_id: id, values }: z.infer<typeof ComponentData>): Meaning | null {
  const offer = readOffer(id)
  if (offer !== null) return { kind: 'offer', ...offer }
  const read = readId(id)
  if (read === null) return null
  switch (read.action) {
    case 'cancel':
    case 'continue':
    case 'retry':
      return { kind: 'control', id: read.id, action: read.action }
    case 'good':
    case 'bad':
    case 'wrong':
    case 'incomplete':
    case 'unasked': {
      const opinion = opinionOf(read.action)
      return opinion && { kind: 'feedback', id: read.id, ...opinion }
    }
    case 'choice':
      return { kind: 'choice', id: read.id, index: read.index ?? -1 }
    case 'menu':
      return { kind: 'choice', id: read.id, index: Number(values?.[0]) }
    case 'words':
    case 'modal':
    case 'edit':
    case 'edited':
    case 'picked':
    case 'why':
    case 'keep':
      return null
    default:
      return assertNever(read.action)
  }
}

async function gestureOf(
  discord: Discord,
  raw: z.infer<typeof Base>,
): Promise<DiscordGesture | null> {
  const user = raw.member?.user ?? raw.user ?? null
  if (user === null || !raw.channel_id) return null
  const locale = raw.locale ?? discord.deps.defaults.locale
  const speaker = { id: user.id, bot: user.bot === true, guildId: raw.guild_id }
  // The first answer is due within three seconds. A person whose standing takes longer is asked to
  // try again (S38).
  const standing = discord.standingOf({ ...speaker, roles: raw.member?.roles })
  const by = (await inTime(discord.deps.clock, limits.storeMs, standing)) ?? 'unknown'
  return {
    discord,
    locale,
    words: texts(locale),
    id: raw.id,
    key: `i:${raw.id}`,
    token: raw.token,
    workspace: workspaceOf(raw.guild_id),
    channelId: raw.channel_id,
    person: { id: user.id, name: nameOf(user, raw.member?.nick) },
    by,
    data: raw.data,
    raw,
  }
}
