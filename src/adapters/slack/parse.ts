import type { z } from 'zod'
import type { Home } from './installations.ts'
import {
  BlockActions,
  Changed,
  Command,
  Deleted,
  Envelope,
  type Gesture,
  Joined,
  Message,
  MessageAction,
  Opened,
  Reacted,
  Revoked,
  Stopped,
  type User,
  ViewSubmission,
} from './payload.ts'

/**
 * What Slack sends, as a union of what Clew knows what to do with. Bodies are untrusted: whatever does not have the form
 * that its kind needs is `unsupported`, and nothing else is read of it.
 */
export type Parsed =
  | { kind: 'said'; home: Home; message: SlackMessage }
  /** `before`: its text until now. */
  | { kind: 'edited'; home: Home; message: SlackMessage; editedTs: string; before: string }
  | { kind: 'deleted'; home: Home; channel: string; ts: string; thread: string; user: string }
  | { kind: 'clicked'; home: Home; click: Click }
  | { kind: 'submitted'; home: Home; form: Form }
  | { kind: 'command'; home: Home; command: SlashCommand }
  | { kind: 'shortcut'; home: Home; name: string; user: Named; message: SlackMessage; actionTs: string }
  | { kind: 'home_opened'; home: Home; user: string; channel: string | null }
  | { kind: 'messages_opened'; home: Home; user: string; channel: string }
  | { kind: 'member_joined'; home: Home; channel: string; user: string; inviter: string | null }
  /** `author`: who wrote the message. */
  | { kind: 'reacted'; home: Home; channel: string; ts: string; author: string; user: string }
  | { kind: 'session_stopped'; home: Home; channel: string; thread: string; user: string; eventId: string }
  /** `at`: when it was done, in seconds since the epoch. */
  | { kind: 'uninstalled'; home: Home; at: number }
  | { kind: 'unsupported'; what: string }

export interface Named {
  id: string
  name: string
}
export type SlackMessage = ReturnType<typeof messageOf>
export type Form = ReturnType<typeof formOf>
export type Click = ReturnType<typeof clickOf>
export type SlashCommand = ReturnType<typeof commandOf>

export function parse(body: unknown): Parsed {
  const envelope = Envelope.safeParse(body)
  if (envelope.success) return parseEvent(envelope.data)
  const clicked = BlockActions.safeParse(body)
  if (clicked.success) return parseClick(clicked.data)
  const submitted = ViewSubmission.safeParse(body)
  if (submitted.success) return parseForm(submitted.data)
  const command = Command.safeParse(body)
  if (command.success) return parseCommand(command.data)
  const shortcut = MessageAction.safeParse(body)
  if (shortcut.success) return parseShortcut(shortcut.data)
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : null
  return { kind: 'unsupported', what: typeof type === 'string' ? type : 'something' }
}

function parseEvent(envelope: Envelope): Parsed {
  const { event } = envelope
  const home = homeOfEvent(envelope)
  if (home === null) return { kind: 'unsupported', what: `${event.type} of no workspace` }
  switch (event.type) {
    case 'message':
    case 'app_mention':
      return parseMessage(home, event)
    case 'app_home_opened': {
      const opened = Opened.safeParse(event)
      if (!opened.success) break
      const { user, channel, tab } = opened.data
      if ((tab ?? 'home') === 'home') return { kind: 'home_opened', home, user, channel: channel ?? null }
      if (tab !== 'messages' || channel == null) break
      return { kind: 'messages_opened', home, user, channel }
    }
    case 'member_joined_channel': {
      const joined = Joined.safeParse(event)
      if (!joined.success) break
      const { channel, user, inviter } = joined.data
      return { kind: 'member_joined', home, channel, user, inviter: inviter ?? null }
    }
    case 'reaction_added':
      return parseReaction(home, event)
    case 'agent_session_stopped':
      return parseStop(home, event, envelope.event_id)
    case 'app_uninstalled':
      return { kind: 'uninstalled', home, at: envelope.event_time }
    case 'tokens_revoked':
      // People may take back tokens of their own; only the bot's matters here.
      if ((Revoked.safeParse(event).data?.tokens.bot ?? []).length === 0) break
      return { kind: 'uninstalled', home, at: envelope.event_time }
    default:
      // Slack's words; of what else it tells nothing is needed.
      break
  }
  return { kind: 'unsupported', what: event.type }
}

function parseReaction(home: Home, event: Envelope['event']): Parsed {
  const { user, item_user: author, item } = Reacted.safeParse(event).data ?? {}
  // To a file, or to what an integration wrote: nothing of Clew's.
  if (item === undefined || user === undefined || author == null) return { kind: 'unsupported', what: event.type }
  return { kind: 'reacted', home, channel: item.channel, ts: item.ts, author, user }
}

function parseStop(home: Home, event: Envelope['event'], eventId: string): Parsed {
  const stopped = Stopped.safeParse(event).data
  const channel = stopped?.channel ?? stopped?.channel_id
  const user = stopped?.user ?? stopped?.user_id
  if (stopped === undefined || channel == null || user == null) return { kind: 'unsupported', what: event.type }
  return { kind: 'session_stopped', home, channel, thread: stopped.thread_ts, user, eventId }
}

/** Kinds of messages in which somebody says something; the others tell of joins, pins, topics and the like. */
const said = ['', 'thread_broadcast', 'file_share', 'me_message', 'bot_message']

function parseMessage(home: Home, event: Envelope['event']): Parsed {
  const what = `${event.type} ${event.subtype ?? ''}`.trim()
  if (event.subtype === 'message_changed') return parseChange(home, event, what)
  if (event.subtype === 'message_deleted') {
    const deleted = Deleted.safeParse(event)
    if (!deleted.success) return { kind: 'unsupported', what }
    const { channel, deleted_ts: ts, previous_message: before } = deleted.data
    return { kind: 'deleted', home, channel, ts, thread: before?.thread_ts ?? ts, user: before?.user ?? '' }
  }
  const message = Message.safeParse(event)
  if (!message.success || !said.includes(event.subtype ?? '')) return { kind: 'unsupported', what }
  // Editing a mention announces it a second time; the edit itself comes as `message_changed`.
  if (event.type === 'app_mention' && message.data.edited != null)
    return { kind: 'unsupported', what: 'edited mention' }
  return { kind: 'said', home, message: messageOf(message.data) }
}

/** A message as Slack's history tells it; null for what nobody said. */
export function parseSaid(raw: object, channel: string): SlackMessage | null {
  const message = Message.safeParse({ ...raw, channel })
  return message.success && said.includes(message.data.subtype ?? '') ? messageOf(message.data) : null
}

function parseChange(home: Home, event: Envelope['event'], what: string): Parsed {
  const changed = Changed.safeParse(event)
  if (!changed.success) return { kind: 'unsupported', what }
  const { channel, channel_type, message, previous_message: before } = changed.data
  const read = messageOf({ ...message, channel, channel_type })
  // Of a deleted message that has replies, Slack keeps the place.
  if (message.subtype === 'tombstone')
    return { kind: 'deleted', home, channel, ts: read.ts, thread: read.thread, user: before?.user ?? '' }
  // A preview that was added to a link, or a reply count that changed, is no edit of anybody's.
  if ((before?.text ?? '') === read.text || message.edited == null) return { kind: 'unsupported', what }
  return { kind: 'edited', home, message: read, editedTs: message.edited.ts, before: before?.text ?? '' }
}

function messageOf(message: z.infer<typeof Message>) {
  const { channel, ts, user } = message
  return {
    channel,
    ts,
    /** The thread it belongs to, or would open. */
    thread: message.thread_ts ?? ts,
    user: user ?? '',
    text: message.text ?? '',
    clientId: message.client_msg_id ?? null,
    /** Written by a bot or an integration. */
    bot: message.bot_id != null || message.subtype === 'bot_message' || user == null || user === 'USLACKBOT',
    direct: message.channel_type === 'im' || (message.channel_type == null && channel.startsWith('D')),
    /** Of a reply: who wrote the thread's first message. */
    parentUser: message.parent_user_id ?? null,
    /** What stands beside its text: the words of most alerts, and of what it shares. */
    attached: (message.attachments ?? []).map((one) => one.text || one.fallback || ''),
    /** Other people's messages that it shares. */
    shared: (message.attachments ?? [])
      .filter((one) => one.is_share === true || one.is_msg_unfurl === true)
      .map((one) => ({ author: one.author_name ?? '', text: one.text || one.fallback || '' })),
    files: (message.files ?? []).map((file) => ({
      id: file.id,
      name: file.name ?? file.id,
      mimetype: file.mimetype ?? 'application/octet-stream',
      size: file.size ?? 0,
      url: file.url_private_download ?? file.url_private ?? null,
    })),
  }
}

/** The first authorization is the one that the event is for; in a shared channel the sender's workspace is another one. */
function homeOfEvent(envelope: Envelope): Home | null {
  const [authorization] = envelope.authorizations ?? []
  const team = authorization?.team_id ?? envelope.context_team_id ?? envelope.team_id
  if (team == null) return null
  return {
    team,
    enterprise: authorization?.enterprise_id ?? envelope.enterprise_id ?? null,
    isOrg: authorization?.is_enterprise_install ?? false,
  }
}

function homeOfGesture(body: z.infer<typeof Gesture>): Home | null {
  const team = body.team?.id ?? body.user.team_id
  if (team == null) return null
  const enterprise = body.enterprise?.id ?? body.team?.enterprise_id ?? null
  return { team, enterprise, isOrg: body.is_enterprise_install ?? false }
}

const named = (user: z.infer<typeof User>): Named => ({ id: user.id, name: user.name ?? user.username ?? user.id })

function parseClick(body: z.infer<typeof BlockActions>): Parsed {
  const home = homeOfGesture(body)
  const [action] = body.actions
  if (home === null || action === undefined) return { kind: 'unsupported', what: 'block_actions of no workspace' }
  return { kind: 'clicked', home, click: clickOf(body, action) }
}

function clickOf(
  { user, channel, message, view, trigger_id: triggerId }: z.infer<typeof BlockActions>,
  action: z.infer<typeof BlockActions>['actions'][number],
) {
  return {
    user: named(user),
    /** Null on the Home tab, like `thread`. */
    channel: channel?.id ?? null,
    thread: message?.thread_ts ?? message?.ts ?? null,
    actionId: action.action_id,
    value: action.value ?? '',
    actionTs: action.action_ts,
    triggerId,
    onHome: view?.type === 'home',
  }
}

function parseForm(body: z.infer<typeof ViewSubmission>): Parsed {
  const home = homeOfGesture(body)
  if (home === null) return { kind: 'unsupported', what: 'view_submission of no workspace' }
  return { kind: 'submitted', home, form: formOf(body) }
}

function formOf({ user, view }: z.infer<typeof ViewSubmission>) {
  const fields = Object.entries(view.state.values).map(([block, elements]) => {
    const [element] = Object.values(elements)
    return [block, element?.value ?? ''] as const
  })
  const { id, callback_id: name, private_metadata: about } = view
  return { user: named(user), id, name, about, fields: new Map(fields) }
}

function parseCommand(body: z.infer<typeof Command>): Parsed {
  const { team_id: team, enterprise_id: enterprise = null, is_enterprise_install: isOrg } = body
  return { kind: 'command', home: { team, enterprise, isOrg: String(isOrg) === 'true' }, command: commandOf(body) }
}

const commandOf = (body: z.infer<typeof Command>) => ({
  /** With its slash. */
  name: body.command,
  text: body.text,
  channel: body.channel_id,
  user: { id: body.user_id, name: body.user_name || body.user_id },
  triggerId: body.trigger_id,
})

function parseShortcut(body: z.infer<typeof MessageAction>): Parsed {
  const home = homeOfGesture(body)
  if (home === null) return { kind: 'unsupported', what: 'message_action of no workspace' }
  const message = messageOf({ ...body.message, channel: body.channel.id })
  return { kind: 'shortcut', home, name: body.callback_id, user: named(body.user), message, actionTs: body.action_ts }
}
