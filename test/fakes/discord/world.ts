/** What a Discord holds: people, guilds, channels, threads and messages, as the API shows them. */

export interface User {
  id: string
  username: string
  global_name: string | null
  bot?: boolean
  locale: string
}
export interface Attachment {
  id: string
  filename: string
  content_type: string
  size: number
  url: string
  bytes: Buffer
}
export interface Message {
  id: string
  type: number
  channel_id: string
  author: User
  content: string
  timestamp: string
  edited_timestamp: string | null
  mentions: User[]
  components: Record<string, unknown>[]
  embeds: unknown[]
  attachments: Attachment[]
  flags: number
  message_reference?: { type?: number; channel_id?: string; message_id: string }
  /** What it replies to, as it is now. */
  replied?: Message
  message_snapshots?: { message: Record<string, unknown> }[]
  allowed_mentions?: { parse: string[]; users?: string[] }
  /** emoji → who */
  reactions: Map<string, Set<string>>
  nonce: string | null
  /** Whom it really called out to. */
  called: string[]
}
export interface Channel {
  id: string
  /** 0 text, 1 DM, 5 announcements, 11 public thread, 15 forum, 16 media. */
  type: number
  guild_id?: string
  parent_id?: string | null
  name?: string
  owner_id?: string
  last_message_id: string | null
  recipients?: User[]
  thread_metadata?: {
    archived: boolean
    locked: boolean
    auto_archive_duration: number
    archive_timestamp: string
  }
  /** Forums: a post must carry a tag (40067). */
  flags?: number
  available_tags?: { id: string; name: string; moderated?: boolean }[]
  applied_tags?: string[]
  permission_overwrites?: { id: string; type: number; allow: string; deny: string }[]
  messages: Message[]
  /** Who is in a private thread. */
  joined?: Set<string>
  /** What the bot may not do here, by name. */
  denied: Set<string>
}
export interface Guild {
  id: string
  name: string
  channels: Map<string, Channel>
  /** When the bot came, and where the server greets people. */
  joinedAt?: string
  systemChannelId?: string
  /** How many threads may be open at once. */
  threadsMost?: number
  /** Who is in it, with their roles, and what everybody may do. */
  members?: Map<string, string[]>
  everyone?: string
  /** Who left, where nobody says who is in it: then it is everybody else. */
  left?: Set<string>
  /** Words that AutoMod lets nobody write, in titles neither. */
  blocked?: RegExp
  /** What people are called here. */
  nicks?: Map<string, string>
  /** Of the bot's role; everything that the invite link asks for unless it is changed. */
  permissions?: string
}

export interface World {
  bot: User
  applicationId: string
  users: Map<string, User>
  guilds: Map<string, Guild>
  /** Every channel and thread, DMs too. */
  channels: Map<string, Channel>
  /** The time, which a test may move. */
  now(): number
  advance(ms: number): void
  nextId(): string
  /** Tells everyone who waits that something has changed. */
  changed(): void
  onChange(look: () => void): () => void
}

const epoch = 1_420_070_400_000

export function createWorld(): World {
  let shift = 0
  let sequence = 0
  let last = 0
  const looks = new Set<() => void>()
  const now = () => Date.now() + shift
  const nextId = () => {
    // Ids rise strictly, like the ids of one of Discord's own workers.
    const ms = Math.max(now(), last)
    sequence = ms === last ? sequence + 1 : 0
    last = ms
    return String((BigInt(ms - epoch) << 22n) | BigInt(sequence & 0xfff))
  }
  const bot: User = {
    id: nextId(),
    username: 'clew',
    global_name: 'Clew',
    bot: true,
    locale: 'en-US',
  }
  return {
    bot,
    applicationId: bot.id,
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    now,
    advance(ms) {
      shift += ms
    },
    nextId,
    changed() {
      for (const look of [...looks]) look()
    },
    onChange(look) {
      looks.add(look)
      return () => void looks.delete(look)
    },
  }
}

export const isThread = (channel: Channel) =>
  channel.type === 11 || channel.type === 12 || channel.type === 10

export const isForum = ({ type }: Channel) => type === 15 || type === 16

/** A new channel of the world, without telling anybody. */
export function makeChannel(world: World, part: Partial<Channel> & { type: number }): Channel {
  const channel: Channel = {
    id: world.nextId(),
    last_message_id: null,
    messages: [],
    denied: new Set(),
    ...part,
  }
  world.channels.set(channel.id, channel)
  if (channel.guild_id !== undefined)
    world.guilds.get(channel.guild_id)?.channels.set(channel.id, channel)
  return channel
}

/** Nothing in code calls anybody. */
const withoutCode = (content: string): string => content.replace(/(`+)[^`][\s\S]*?\1/g, '')
const callsEverybody = (content: string): boolean =>
  /(?<![\w.])@(?:everyone|here)(?![\w-]|\.\w)/.test(withoutCode(content))

/** The people whom a text mentions, as Discord says with the message and with each of its edits. */
export const namedIn = (world: World, content: string): User[] =>
  [...withoutCode(content).matchAll(/<@!?(\d+)>/g)].flatMap(
    ([, id = '']) => world.users.get(id) ?? [],
  )

export function makeMessage(
  world: World,
  channel: Channel,
  author: User,
  part: Partial<Message> & { content?: string },
): Message {
  const content = (part.content ?? '').trim()
  const named = namedIn(world, content)
  const allowed = part.allowed_mentions
  const everyone =
    callsEverybody(content) && (allowed === undefined || allowed.parse.includes('everyone'))
  const roles =
    /<@&\d+>/.test(content) && (allowed === undefined || allowed.parse.includes('roles'))
  const users = named.filter(
    ({ id }) =>
      allowed === undefined || allowed.parse.includes('users') || allowed.users?.includes(id),
  )
  const message: Message = {
    id: world.nextId(),
    type: 0,
    channel_id: channel.id,
    author,
    timestamp: new Date(world.now()).toISOString(),
    edited_timestamp: null,
    mentions: named,
    components: [],
    embeds: [],
    attachments: [],
    flags: 0,
    reactions: new Map(),
    nonce: null,
    called: [
      ...(everyone ? ['everyone'] : []),
      ...(roles ? ['roles'] : []),
      ...users.map(({ id }) => id),
    ],
    ...part,
    content,
  }
  channel.messages.push(message)
  channel.last_message_id = message.id
  return message
}

/** A message as the API shows it. `nonce` is only in the answer to its creation and in its event, never in the history. */
export function showMessage(
  message: Message,
  options: { nonce?: boolean } = {},
): Record<string, unknown> {
  const {
    reactions,
    nonce,
    called: _called,
    allowed_mentions: _allowed,
    attachments,
    replied,
    ...rest
  } = message
  return {
    ...rest,
    ...(replied && { referenced_message: showMessage(replied) }),
    attachments: attachments.map(({ bytes: _bytes, ...shown }) => shown),
    mention_everyone: callsEverybody(message.content),
    mention_roles: [],
    pinned: false,
    tts: false,
    reactions: [...reactions].map(([name, who]) => ({
      emoji: { id: null, name },
      count: who.size,
    })),
    ...(options.nonce && nonce !== null ? { nonce } : {}),
  }
}

/** Reads nothing without the intent for it. */
export const unread = {
  content: '',
  embeds: [],
  attachments: [],
  components: [],
  message_snapshots: undefined,
}

/** A forward as Discord makes it: what was said and not by whom. */
export function forwardOf(
  message: Message,
): Pick<Message, 'message_reference' | 'message_snapshots'> {
  const { content, embeds, attachments, components, mentions, type, timestamp } =
    showMessage(message)
  const { edited_timestamp, flags, channel_id, id } = message
  const said = { content, embeds, attachments, components, mentions, type, timestamp }
  return {
    message_reference: { type: 1, channel_id, message_id: id },
    message_snapshots: [{ message: { ...said, edited_timestamp, flags } }],
  }
}

export function showChannel(channel: Channel): Record<string, unknown> {
  const { messages: _messages, denied: _denied, joined: _joined, ...rest } = channel
  return rest
}

/** Roles of somebody in a server. */
export const rolesIn = ({ guilds }: World, guild: string, person: string): string[] =>
  guilds.get(guild)?.members?.get(person) ?? []
