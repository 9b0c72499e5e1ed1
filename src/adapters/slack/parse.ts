import { z } from 'zod'
import { id, Message, messageOf, type SlackMessage, TextMessage, text } from './message.ts'

/**
 * Schemas of Slack's payloads, by kind. Payloads are untrusted: one that does not match its schema,
 * or that reads as `null`, is dropped.
 */

/** `message` event of Slack: a new, edited or deleted message. */
export type MessageUpdate =
  | { kind: 'said'; message: SlackMessage }
  /** `before`: text before the edit. */
  | { kind: 'edited'; message: SlackMessage; editedTs: string; before: string }
  | { kind: 'deleted'; channel: string; ts: string; thread: string; user: string }

export interface Named {
  id: string
  name: string
}
export type Form = z.infer<typeof SubmittedForm>
export type Click = z.infer<typeof ButtonPress>
export type Shortcut = z.infer<typeof MessageShortcut>
export type SlashCommand = z.infer<typeof Command>

const Changed = z.object({
  subtype: z.literal('message_changed'),
  channel: id,
  channel_type: text,
  message: Message.omit({ channel: true }),
  previous_message: z.object({ text, user: text }).nullish(),
})

function changed({
  channel,
  channel_type,
  message,
  previous_message: old,
}: z.infer<typeof Changed>): MessageUpdate | null {
  const read = messageOf({ ...message, channel, channel_type })
  // A deleted message with replies leaves a tombstone.
  if (message.subtype === 'tombstone')
    return { kind: 'deleted', channel, ts: read.ts, thread: read.thread, user: old?.user ?? '' }
  const before = old?.text ?? ''
  // A new link preview or reply count is not an edit by a person.
  if (before === read.text || message.edited == null) return null
  return { kind: 'edited', message: read, editedTs: message.edited.ts, before }
}

const Deleted = z.object({
  subtype: z.literal('message_deleted'),
  channel: id,
  deleted_ts: id,
  previous_message: z.object({ user: text, thread_ts: text }).nullish(),
})

function deleted({
  channel,
  deleted_ts: ts,
  previous_message: before,
}: z.infer<typeof Deleted>): MessageUpdate {
  return { kind: 'deleted', channel, ts, thread: before?.thread_ts ?? ts, user: before?.user ?? '' }
}

/** `message`, with its subtypes. */
export const MessageEvent = z.union([
  Changed.transform(changed),
  Deleted.transform(deleted),
  TextMessage.transform((message) => ({ kind: 'said' as const, message: messageOf(message) })),
])

/**
 * `app_mention`. Slack sends it again when a mention is edited, but the edit also arrives as
 * `message_changed`, so the repetition is dropped.
 */
export const Mention = TextMessage.transform((message) =>
  message.edited == null ? messageOf(message) : null,
)

/** `app_home_opened`: a tab of Clew's. */
export const TabOpened = z
  .object({ user: id, tab: text, channel: text })
  .transform(({ user, tab, channel }) => ({ user, tab: tab ?? 'home', channel }))

/** `member_joined_channel`. */
export const Joined = z.object({ channel: id, user: id, inviter: text })

/**
 * `reaction_added`. A reaction to a file is dropped. `author`: author of the message; blank for an
 * integration's.
 */
export const Reacted = z
  .object({
    user: id,
    reaction: text,
    event_ts: text,
    item_user: text,
    item: z.object({ type: z.literal('message'), channel: id, ts: id }),
  })
  .transform(({ user, reaction, event_ts: eventTs, item_user: author, item }) => ({
    channel: item.channel,
    ts: item.ts,
    author: author ?? '',
    sign: reaction ?? '',
    eventTs,
    user,
  }))

/** `agent_session_stopped`: the native Stop button. */
export const SessionStopped = z
  .object({ channel: text, channel_id: text, thread_ts: id, user: text, user_id: text })
  .transform(({ thread_ts: thread, ...stopped }) => {
    const channel = stopped.channel ?? stopped.channel_id
    const user = stopped.user ?? stopped.user_id
    return channel === null || user === null ? null : { channel, thread, user }
  })

/** `app_uninstalled`. */
export const Uninstalled = z.object({})

/** `tokens_revoked`. Only the bot's tokens matter; people may revoke their own. */
export const Revoked = z.object({ tokens: z.object({ bot: z.array(z.string()).min(1) }) })

/**
 * Envelope of an event. `event_time` is in seconds since the epoch; without one, the event covers
 * everything before now.
 */
export const Envelope = z.object({
  event_id: z.string().default(''),
  event_time: z.number().default(Number.MAX_SAFE_INTEGER),
  context_team_id: text,
})

const User = z
  .object({ id, name: text, username: text })
  .transform(({ id, name, username }) => ({ id, name: name ?? username ?? id }))
const Action = z.object({ action_id: z.string(), value: text, action_ts: z.string().default('') })

/** `block_actions`: a press of a button or a choice from a menu. */
export const ButtonPress = z
  .object({
    user: User,
    channel: z.object({ id }).nullish(),
    message: z.object({ ts: z.string(), thread_ts: text }).nullish(),
    /** Place of the message, also of one that only this person sees. */
    container: z.object({ thread_ts: text }).nullish().catch(null),
    view: z.object({ type: z.string() }).nullish(),
    trigger_id: z.string().default(''),
    actions: z.tuple([Action], z.unknown()),
  })
  .transform(({ user, channel, message, container, view, trigger_id: triggerId, actions }) => {
    const [{ action_id: actionId, value, action_ts: actionTs }] = actions
    return {
      user,
      /** `null` on the Home tab, like `thread`. */
      channel: channel?.id ?? null,
      thread: message?.thread_ts ?? message?.ts ?? container?.thread_ts ?? null,
      actionId,
      value: value ?? '',
      actionTs,
      triggerId,
      onHome: view?.type === 'home',
    }
  })

/** `view_submission`: a submitted form. */
export const SubmittedForm = z
  .object({
    user: User,
    view: z.object({
      id,
      callback_id: z.string(),
      private_metadata: z.string().default(''),
      state: z.object({
        values: z.record(z.string(), z.record(z.string(), z.object({ value: text }))).default({}),
      }),
    }),
  })
  .transform(({ user, view }) => {
    const { id, callback_id: name, private_metadata: about, state } = view
    const fields = Object.entries(state.values).map(([block, elements]) => {
      const [element] = Object.values(elements)
      return [block, element?.value ?? ''] as const
    })
    return { user, id, name, about, fields: new Map(fields) }
  })

/** `message_action`: a message shortcut. */
export const MessageShortcut = z
  .object({
    user: User,
    callback_id: z.string(),
    action_ts: z.string().default(''),
    trigger_id: z.string().default(''),
    channel: z.object({ id }),
    message: Message.omit({ channel: true }),
  })
  .transform(({ user, callback_id: name, action_ts: actionTs, channel, ...given }) => {
    const message = messageOf({ ...given.message, channel: channel.id })
    return { name, user, message, actionTs, triggerId: given.trigger_id }
  })

/** Slash command. `name` includes the slash. */
export const Command = z
  .object({
    command: z.string().startsWith('/'),
    text: z.string().default(''),
    channel_id: id,
    user_id: id,
    user_name: z.string().default(''),
    trigger_id: z.string().default(''),
  })
  .transform(({ command: name, text, channel_id: channel, user_id: id, ...body }) => ({
    name,
    text,
    channel,
    user: { id, name: body.user_name || id },
    triggerId: body.trigger_id,
  }))
