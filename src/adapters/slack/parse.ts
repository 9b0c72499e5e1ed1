import { z } from 'zod'
import type { Home } from './installations.ts'
import { flag, id, list, Message, messageOf, Said, type SlackMessage, text } from './message.ts'

/**
 * What Slack sends, as a union of what Clew knows what to do with. Bodies are untrusted: whatever does not have the form
 * that its kind needs is `unsupported`, and nothing else is read of it.
 */
export type Parsed = (Happened & { home: Home }) | { kind: 'unsupported'; what: string }

type Happened =
  | { kind: 'said'; message: SlackMessage }
  /** `before`: its text until now. */
  | { kind: 'edited'; message: SlackMessage; editedTs: string; before: string }
  | { kind: 'deleted'; channel: string; ts: string; thread: string; user: string }
  | { kind: 'clicked'; click: Click }
  | { kind: 'submitted'; form: Form }
  | { kind: 'command'; command: SlashCommand }
  | {
      kind: 'shortcut'
      name: string
      user: Named
      message: SlackMessage
      actionTs: string
      triggerId: string
    }
  | { kind: 'home_opened'; user: string; channel: string | null }
  | { kind: 'messages_opened'; user: string; channel: string }
  | { kind: 'member_joined'; channel: string; user: string; inviter: string | null }
  /** `author`: who wrote the message. */
  | { kind: 'reacted'; channel: string; ts: string; author: string; user: string }
  | { kind: 'session_stopped'; channel: string; thread: string; user: string; eventId: string }
  /** `at`: when it was done, in seconds since the epoch. */
  | { kind: 'uninstalled'; at: number }

export interface Named {
  id: string
  name: string
}
export type Form = ReturnType<typeof formOf>
export type Click = ReturnType<typeof clickOf>
export type SlashCommand = ReturnType<typeof commandOf>

export function parse(body: unknown): Parsed {
  const envelope = Envelope.safeParse(body).data
  if (envelope !== undefined) {
    const { event, event_id: eventId, event_time: at } = envelope
    const read = events.get(event.type)?.safeParse({ ...event, eventId, at }).data
    return parsed(homeOfEvent(envelope), read, `${event.type} ${event.subtype ?? ''}`.trim())
  }
  const command = Command.safeParse(body).data
  if (command !== undefined)
    return { kind: 'command', home: homeOfCommand(command), command: commandOf(command) }
  const gesture = Gesture.safeParse(body).data
  if (gesture === undefined) return parsed(null, null, 'something')
  return parsed(
    homeOfGesture(gesture),
    gestures.get(gesture.type)?.safeParse(body).data,
    gesture.type,
  )
}

/** Null or nothing: it has no use, has not the form that it needs, or belongs to no workspace. */
const parsed = (home: Home | null, happened: Happened | null | undefined, what: string): Parsed =>
  home === null || happened == null ? { kind: 'unsupported', what } : { ...happened, home }

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
}: z.infer<typeof Changed>): Happened | null {
  const read = messageOf({ ...message, channel, channel_type })
  // Of a deleted message that has replies, Slack keeps the place.
  if (message.subtype === 'tombstone')
    return { kind: 'deleted', channel, ts: read.ts, thread: read.thread, user: old?.user ?? '' }
  const before = old?.text ?? ''
  // A preview that was added to a link, or a reply count that changed, is no edit of anybody's.
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
}: z.infer<typeof Deleted>): Happened {
  return { kind: 'deleted', channel, ts, thread: before?.thread_ts ?? ts, user: before?.user ?? '' }
}

const Envelope = z.object({
  type: z.literal('event_callback'),
  team_id: text,
  enterprise_id: text,
  context_team_id: text,
  event_id: z.string().default(''),
  /** Without one, all that was before is meant. */
  event_time: z.number().default(Number.MAX_SAFE_INTEGER),
  authorizations: list(
    z.object({ team_id: text, enterprise_id: text, is_enterprise_install: flag }),
  ),
  event: z.looseObject({ type: z.string(), subtype: text }),
})

/** The first authorization is the one that the event is for; in a shared channel the sender's workspace is another one. */
function homeOfEvent({ authorizations, ...envelope }: z.infer<typeof Envelope>): Home | null {
  const [authorization] = authorizations ?? []
  const team = authorization?.team_id ?? envelope.context_team_id ?? envelope.team_id
  if (team === null) return null
  return {
    team,
    enterprise: authorization?.enterprise_id ?? envelope.enterprise_id,
    isOrg: authorization?.is_enterprise_install ?? false,
  }
}

/** How something is read; null for what Clew has no use for. */
type Reading = z.ZodType<Happened | null>
const readings = (all: Record<string, Reading>) => new Map(Object.entries(all))

/** Events by their type; each is told its id and when it was, in seconds. */
const events = readings({
  message: z.union([
    Changed.transform(changed),
    Deleted.transform(deleted),
    Said.transform((message) => ({ kind: 'said' as const, message: messageOf(message) })),
  ]),
  // Editing a mention announces it a second time; the edit itself comes as `message_changed`.
  app_mention: Said.transform((message) =>
    message.edited == null ? { kind: 'said' as const, message: messageOf(message) } : null,
  ),
  app_home_opened: z
    .object({ user: id, tab: text, channel: text })
    .transform(({ user, tab, channel }) => {
      if ((tab ?? 'home') === 'home') return { kind: 'home_opened' as const, user, channel }
      return tab === 'messages' && channel !== null
        ? { kind: 'messages_opened' as const, user, channel }
        : null
    }),
  member_joined_channel: z
    .object({ channel: id, user: id, inviter: text })
    .transform((joined) => ({ kind: 'member_joined' as const, ...joined })),
  // To a file, or to what an integration wrote: nothing of Clew's.
  reaction_added: z
    .object({
      user: id,
      item_user: z.string(),
      item: z.object({ type: z.literal('message'), channel: id, ts: id }),
    })
    .transform(({ user, item_user: author, item: { channel, ts } }) => {
      return { kind: 'reacted' as const, channel, ts, author, user }
    }),
  agent_session_stopped: z
    .object({
      channel: text,
      channel_id: text,
      thread_ts: id,
      user: text,
      user_id: text,
      eventId: z.string(),
    })
    .transform(({ thread_ts: thread, eventId, ...stopped }) => {
      const channel = stopped.channel ?? stopped.channel_id
      const user = stopped.user ?? stopped.user_id
      if (channel === null || user === null) return null
      return { kind: 'session_stopped' as const, channel, thread, user, eventId }
    }),
  app_uninstalled: z
    .object({ at: z.number() })
    .transform(({ at }) => ({ kind: 'uninstalled' as const, at })),
  // People may take back tokens of their own; only the bot's matters here.
  tokens_revoked: z
    .object({ at: z.number(), tokens: z.object({ bot: z.array(z.string()).min(1) }) })
    .transform(({ at }) => ({ kind: 'uninstalled' as const, at })),
})

const User = z
  .object({ id, name: text, username: text })
  .transform(({ id, name, username }): Named => ({ id, name: name ?? username ?? id }))
const Gesture = z.object({
  type: z.string(),
  team: z.object({ id, enterprise_id: text }).nullish(),
  enterprise: z.object({ id }).nullish(),
  is_enterprise_install: flag,
  user: z.object({ team_id: text }),
})

function homeOfGesture({
  team,
  enterprise,
  is_enterprise_install: isOrg,
  user,
}: z.infer<typeof Gesture>): Home | null {
  const id = team?.id ?? user.team_id
  if (id === null) return null
  return {
    team: id,
    enterprise: enterprise?.id ?? team?.enterprise_id ?? null,
    isOrg: isOrg ?? false,
  }
}

const Action = z.object({ action_id: z.string(), value: text, action_ts: z.string().default('') })
const Clicked = z.object({
  user: User,
  channel: z.object({ id }).nullish(),
  message: z.object({ ts: z.string(), thread_ts: text }).nullish(),
  view: z.object({ type: z.string() }).nullish(),
  trigger_id: z.string().default(''),
  actions: z.tuple([Action], z.unknown()),
})

function clickOf({
  user,
  channel,
  message,
  view,
  trigger_id: triggerId,
  actions,
}: z.infer<typeof Clicked>) {
  const [{ action_id: actionId, value, action_ts: actionTs }] = actions
  return {
    user,
    /** Null on the Home tab, like `thread`. */
    channel: channel?.id ?? null,
    thread: message?.thread_ts ?? message?.ts ?? null,
    ...{ actionId, value: value ?? '', actionTs, triggerId },
    onHome: view?.type === 'home',
  }
}

const Submitted = z.object({
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

function formOf({ user, view }: z.infer<typeof Submitted>) {
  const { id, callback_id: name, private_metadata: about, state } = view
  const fields = Object.entries(state.values).map(([block, elements]) => {
    const [element] = Object.values(elements)
    return [block, element?.value ?? ''] as const
  })
  return { user, id, name, about, fields: new Map(fields) }
}

/** What people do other than writing, by its type. */
const gestures = readings({
  block_actions: Clicked.transform((body) => ({ kind: 'clicked' as const, click: clickOf(body) })),
  view_submission: Submitted.transform((body) => ({
    kind: 'submitted' as const,
    form: formOf(body),
  })),
  message_action: z
    .object({
      ...{ user: User, callback_id: z.string(), action_ts: z.string().default('') },
      ...{ channel: z.object({ id }), message: Message.omit({ channel: true }) },
      trigger_id: z.string().default(''),
    })
    .transform(({ user, callback_id: name, action_ts: actionTs, channel, ...given }) => {
      const message = messageOf({ ...given.message, channel: channel.id })
      return { kind: 'shortcut', name, user, message, actionTs, triggerId: given.trigger_id }
    }),
})

const Command = z.object({
  command: z.string().startsWith('/'),
  text: z.string().default(''),
  team_id: id,
  enterprise_id: text,
  is_enterprise_install: z.union([z.boolean(), z.string()]).nullish(),
  channel_id: id,
  user_id: id,
  user_name: z.string().default(''),
  trigger_id: z.string().default(''),
})

const homeOfCommand = ({
  team_id,
  enterprise_id,
  is_enterprise_install,
}: z.infer<typeof Command>): Home => ({
  team: team_id,
  enterprise: enterprise_id,
  isOrg: String(is_enterprise_install) === 'true',
})

const commandOf = (body: z.infer<typeof Command>) => ({
  /** With its slash. */
  name: body.command,
  text: body.text,
  channel: body.channel_id,
  user: { id: body.user_id, name: body.user_name || body.user_id },
  triggerId: body.trigger_id,
})
