import type { Gateway } from './gateway.ts'
import type { Interaction, Interactions } from './interactions.ts'
import { flags } from './validate.ts'
import {
  type Attachment,
  type Channel,
  isForum,
  isThread,
  type Message,
  makeChannel,
  makeMessage,
  rolesIn,
  showChannel,
  showMessage,
  type User,
  unread,
  type World,
} from './world.ts'

type Json = Record<string, unknown>
export interface Request {
  method: string
  path: string
  query: URLSearchParams
  body: Json
  list: Json[]
  files: { name: string; type: string; bytes: Buffer }[]
}
export interface Reply {
  status: number
  body?: unknown
}

export interface Site {
  world: World
  gateway: Gateway
  interactions: Interactions
  url: () => string
  commands: Map<string, Json[]>
  commandWrites: string[]
}

const ok = (body: unknown): Reply => ({ status: 200, body })
const none: Reply = { status: 204 }
const error = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message },
})
const unknownChannel = error(404, 10003, 'Unknown Channel')
const unknownMessage = error(404, 10008, 'Unknown Message')
const missingAccess = error(403, 50001, 'Missing Access')
const missingPermissions = error(403, 50013, 'Missing Permissions')

/** How long a nonce is remembered: "the past few minutes". */
const nonceMs = 3 * 60_000
const oldEditsPerMinute = 5

type Handler = (site: Site, request: Request, ids: string[]) => Reply

const table: [string, RegExp, Handler][] = [
  ['GET', /^\/gateway\/bot$/, gatewayBot],
  ['GET', /^\/users\/@me$/, ({ world }) => ok(world.bot)],
  ['GET', /^\/applications\/@me$/, application],
  [
    'GET',
    /^\/users\/@me\/guilds$/,
    ({ world }) => ok([...world.guilds.values()].map(({ id, name }) => ({ id, name }))),
  ],
  ['GET', /^\/guilds\/(\d+)$/, aboutGuild],
  [
    'GET',
    /^\/guilds\/(\d+)\/members\/(\d+)$/,
    ({ world }, _, [guild = '', id = '']) => {
      if (id === world.bot.id) return ok({ user: world.bot, roles: [`${guild}1`] })
      const { members, left } = world.guilds.get(guild) ?? {}
      const everyone = world.users.has(id) && !left?.has(id) ? [] : undefined
      const roles = members === undefined ? everyone : members.get(id)
      return roles === undefined
        ? error(404, 10007, 'Unknown Member')
        : ok({ user: world.users.get(id), roles })
    },
  ],
  ['GET', /^\/guilds\/(\d+)\/members\/search$/, searchMembers],
  [
    'GET',
    /^\/channels\/(\d+)\/thread-members\/(\d+)$/,
    withChannel((_, __, { joined }, [, id = '']) =>
      joined?.has(id) ? ok({}) : error(404, 10007, 'Unknown Member'),
    ),
  ],
  ['GET', /^\/guilds\/(\d+)\/channels$/, guildChannels],
  ['GET', /^\/guilds\/(\d+)\/threads\/active$/, activeThreads],
  ['POST', /^\/users\/@me\/channels$/, openDm],
  ['GET', /^\/channels\/(\d+)$/, withChannel((_, __, channel) => ok(showChannel(channel)))],
  ['PATCH', /^\/channels\/(\d+)$/, withChannel(changeThread)],
  ['GET', /^\/channels\/(\d+)\/messages$/, withChannel(history)],
  ['POST', /^\/channels\/(\d+)\/messages$/, withChannel(post)],
  ['POST', /^\/channels\/(\d+)\/typing$/, withChannel(() => none)],
  ['POST', /^\/channels\/(\d+)\/threads$/, withChannel(openThread)],
  ['GET', /^\/channels\/(\d+)\/messages\/(\d+)$/, withMessage(tellMessage)],
  ['PATCH', /^\/channels\/(\d+)\/messages\/(\d+)$/, withMessage(edit)],
  ['DELETE', /^\/channels\/(\d+)\/messages\/(\d+)$/, withMessage(remove)],
  ['POST', /^\/channels\/(\d+)\/messages\/(\d+)\/threads$/, withChannel(threadFromMessage)],
  [
    'PUT',
    /^\/channels\/(\d+)\/messages\/(\d+)\/reactions\/([^/]+)\/@me$/,
    withMessage(react(true)),
  ],
  [
    'DELETE',
    /^\/channels\/(\d+)\/messages\/(\d+)\/reactions\/([^/]+)\/@me$/,
    withMessage(react(false)),
  ],
  [
    'GET',
    /^\/applications\/(\d+)(?:\/guilds\/(\d+))?\/commands$/,
    (site, _, [, guild]) => ok(site.commands.get(guild ?? '') ?? []),
  ],
  ['PUT', /^\/applications\/(\d+)(?:\/guilds\/(\d+))?\/commands$/, register],
  ['POST', /^\/interactions\/(\d+)\/([^/]+)\/callback$/, callback],
  ['POST', /^\/webhooks\/(\d+)\/([^/]+)$/, followUp],
  ['GET', /^\/webhooks\/(\d+)\/([^/]+)\/messages\/(?:@|%40)original$/, original],
  ['PATCH', /^\/webhooks\/(\d+)\/([^/]+)\/messages\/(?:@|%40)original$/, editOriginal],
  ['DELETE', /^\/webhooks\/(\d+)\/([^/]+)\/messages\/(?:@|%40)original$/, dropOriginal],
]

export function answer(site: Site, request: Request): Reply {
  for (const [method, pattern, handler] of table) {
    const ids = method === request.method ? pattern.exec(request.path) : null
    if (ids !== null) return handler(site, request, ids.slice(1))
  }
  return error(404, 0, '404: Not Found')
}

type OnChannel = (site: Site, request: Request, channel: Channel, ids: string[]) => Reply
type OnMessage = (
  site: Site,
  request: Request,
  channel: Channel,
  message: Message,
  ids: string[],
) => Reply

function withChannel(handle: OnChannel): Handler {
  return (site, request, ids) => {
    const channel = site.world.channels.get(ids[0] ?? '')
    if (channel === undefined) return unknownChannel
    const parent = site.world.channels.get(channel.parent_id ?? '')
    return channel.denied.has('view') || (isThread(channel) && parent?.denied.has('view'))
      ? missingAccess
      : handle(site, request, channel, ids)
  }
}

function withMessage(handle: OnMessage): Handler {
  return withChannel((site, request, channel, ids) => {
    const message = channel.messages.find(({ id }) => id === ids[1])
    return message === undefined ? unknownMessage : handle(site, request, channel, message, ids)
  })
}

function gatewayBot({ gateway, url }: Site): Reply {
  const limit = { total: 1000, remaining: 1000, reset_after: 1, max_concurrency: 16 }
  return ok({
    url: url().replace('http', 'ws'),
    shards: gateway.settings.shards,
    session_start_limit: limit,
  })
}

function application({ world, gateway }: Site): Reply {
  return ok({ id: world.applicationId, name: 'Clew', flags: gateway.flags(), bot: world.bot })
}

/** Names that begin with it; refused without the intent for it. */
function searchMembers({ world, gateway }: Site, { query }: Request, [id = '']: string[]): Reply {
  if (!gateway.settings.members) return missingAccess
  const part = (query.get('query') ?? '').toLowerCase()
  const found = [...(world.guilds.get(id)?.members ?? [])].flatMap(([user, roles]) => {
    const one = world.users.get(user)
    return one?.username.toLowerCase().startsWith(part) ? [{ user: one, nick: null, roles }] : []
  })
  return ok(found.slice(0, Number(query.get('limit') ?? 1)))
}

function aboutGuild({ world }: Site, _: Request, [id = '']: string[]): Reply {
  const guild = world.guilds.get(id)
  if (guild === undefined) return error(404, 10004, 'Unknown Guild')
  const roles = [
    { id, name: '@everyone', permissions: guild.everyone ?? '0' },
    { id: `${id}1`, name: 'Clew', permissions: guild.permissions ?? '309237763136' },
  ]
  return ok({ id, name: guild.name, owner_id: '100000000000000001', roles })
}

function guildChannels({ world }: Site, _: Request, [id = '']: string[]): Reply {
  const guild = world.guilds.get(id)
  if (guild === undefined) return error(404, 10004, 'Unknown Guild')
  return ok([...guild.channels.values()].filter((one) => !isThread(one)).map(showChannel))
}

function activeThreads({ world }: Site, _: Request, [id = '']: string[]): Reply {
  const channels = [...(world.guilds.get(id)?.channels.values() ?? [])]
  return ok({
    threads: channels
      .filter((one) => isThread(one) && !one.thread_metadata?.archived)
      .map(showChannel),
    members: [],
  })
}

function openDm({ world }: Site, { body }: Request): Reply {
  const user = world.users.get(String(body.recipient_id))
  if (user === undefined) return error(400, 50033, 'Invalid Recipient(s)')
  const known = [...world.channels.values()].find(
    (one) => one.type === 1 && one.recipients?.some(({ id }) => id === user.id),
  )
  return ok(showChannel(known ?? makeChannel(world, { type: 1, recipients: [user] })))
}

function changeThread({ world, gateway }: Site, { body }: Request, channel: Channel): Reply {
  if (channel.thread_metadata === undefined) return missingPermissions
  if (channel.thread_metadata.locked) return missingPermissions
  if (typeof body.archived === 'boolean') channel.thread_metadata.archived = body.archived
  if (typeof body.name === 'string') channel.name = body.name
  gateway.tell(channel, 'THREAD_UPDATE', showChannel(channel))
  world.changed()
  return ok(showChannel(channel))
}

function tellMessage(_: Site, __: Request, channel: Channel, message: Message): Reply {
  return channel.denied.has('history') ? missingAccess : ok(showMessage(message))
}

/** Without the permission for it nothing of the history is told; without the intent, only what is meant for the bot. */
function history({ world, gateway }: Site, { query }: Request, channel: Channel): Reply {
  if (channel.denied.has('history')) return ok([])
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return error(400, 50035, 'Invalid Form Body')
  const after = query.get('after')
  const before = query.get('before')
  const all = channel.messages.filter(
    ({ id }) =>
      (after === null || BigInt(id) > BigInt(after)) &&
      (before === null || BigInt(id) < BigInt(before)),
  )
  const chosen = after === null ? all.slice(-limit) : all.slice(0, limit)
  const isBlank = (message: Message) =>
    !gateway.settings.messageContent &&
    channel.type !== 1 &&
    message.author.id !== world.bot.id &&
    !message.mentions.some(({ id }) => id === world.bot.id)
  return ok(
    chosen
      .toReversed()
      .map((message) => ({ ...showMessage(message), ...(isBlank(message) ? unread : {}) })),
  )
}

/** What keeps the bot from writing here; null when nothing does. */
function whyNotWrite({ world }: Site, channel: Channel): Reply | null {
  const place = isThread(channel)
    ? (world.channels.get(channel.parent_id ?? '') ?? channel)
    : channel
  if (isForum(channel)) return error(400, 50008, 'Cannot send messages in a non-text channel')
  if (channel.thread_metadata?.locked) return error(403, 160005, 'Thread is locked')
  if (channel.denied.has('send') || place.denied.has('send')) return missingPermissions
  if (isThread(channel) && place.denied.has('in threads')) return missingPermissions
  return channel.denied.has('dm') ? error(403, 50007, 'Cannot send messages to this user') : null
}

function post(site: Site, request: Request, channel: Channel): Reply {
  const { world, gateway } = site
  const { body } = request
  const refusal = whyNotWrite(site, channel)
  if (refusal !== null) return refusal
  if (request.files.length > 0 && channel.denied.has('attach')) return missingPermissions
  const nonce = body.nonce === undefined ? null : String(body.nonce)
  const twin = channel.messages.find(
    (one) =>
      nonce !== null &&
      body.enforce_nonce === true &&
      one.nonce === nonce &&
      world.now() - Date.parse(one.timestamp) < nonceMs,
  )
  if (twin !== undefined) return ok(showMessage(twin, { nonce: true }))
  const reference = body.message_reference as
    | { message_id: string; fail_if_not_exists?: boolean }
    | undefined
  const home = isThread(channel) ? world.channels.get(channel.parent_id ?? '') : channel
  if (reference && (channel.denied.has('history') || home?.denied.has('history')))
    return error(403, 160002, 'Cannot reply without permission to read message history')
  if (isBlocked(world, channel, body.content)) return blockedMessage
  const message = write(site, channel, request, body, {
    nonce,
    ...(reference ? { message_reference: reference } : {}),
  })
  if (channel.thread_metadata !== undefined) channel.thread_metadata.archived = false
  gateway.tellMessage(channel, message)
  world.changed()
  return ok(showMessage(message, { nonce: true }))
}

const blockedMessage = error(400, 200000, 'Message was blocked by automatic moderation')
const blockedTitle = error(400, 200001, 'Title was blocked by automatic moderation')

const isBlocked = ({ guilds }: World, { guild_id: id = '' }: Channel, words: unknown): boolean =>
  guilds.get(id)?.blocked?.test(String(words)) === true

function write(
  site: Site,
  channel: Channel,
  request: Request,
  body: Json,
  part: Partial<Message> = {},
): Message {
  return makeMessage(site.world, channel, site.world.bot, {
    ...shownOf(body),
    attachments: request.files.map((file) => attach(site, file)),
    ...part,
  })
}

function shownOf(body: Json): Partial<Message> {
  const shown: Partial<Message> = {}
  if (typeof body.content === 'string') shown.content = body.content
  if (Array.isArray(body.components)) shown.components = body.components as Json[]
  if (Array.isArray(body.embeds)) shown.embeds = body.embeds
  if (typeof body.flags === 'number') shown.flags = body.flags
  if (body.allowed_mentions)
    shown.allowed_mentions = body.allowed_mentions as { parse: string[]; users?: string[] }
  return shown
}

export function attach(site: Site, { name, type, bytes }: Request['files'][number]): Attachment {
  const id = site.world.nextId()
  return {
    id,
    filename: name,
    content_type: type,
    size: bytes.length,
    url: `${site.url()}/attachments/${id}/${name}`,
    bytes,
  }
}

const oldEdits = new WeakMap<Channel, number[]>()

function edit(site: Site, request: Request, channel: Channel, message: Message): Reply {
  const { world, gateway } = site
  if (message.author.id !== world.bot.id)
    return error(403, 50005, 'Cannot edit a message authored by another user')
  if (channel.thread_metadata?.archived) return error(400, 50083, 'Thread is archived')
  const now = world.now()
  if (now - Date.parse(message.timestamp) > 60 * 60_000) {
    const recent = (oldEdits.get(channel) ?? []).filter((at) => now - at < 60_000)
    if (recent.length >= oldEditsPerMinute)
      return error(429, 30046, 'Maximum number of edits to messages older than 1 hour reached')
    oldEdits.set(channel, [...recent, now])
  }
  if (
    typeof request.body.flags === 'number' &&
    (message.flags & flags.componentsV2) !== 0 &&
    (request.body.flags & flags.componentsV2) === 0
  )
    return error(400, 50035, 'Invalid Form Body')
  Object.assign(message, shownOf(request.body), { edited_timestamp: new Date(now).toISOString() })
  gateway.tellMessage(channel, message, 'MESSAGE_UPDATE')
  world.changed()
  return ok(showMessage(message))
}

function remove({ world, gateway }: Site, _: Request, channel: Channel, message: Message): Reply {
  channel.messages.splice(channel.messages.indexOf(message), 1)
  gateway.tell(channel, 'MESSAGE_DELETE', {
    id: message.id,
    channel_id: channel.id,
    guild_id: channel.guild_id,
  })
  world.changed()
  return none
}

function react(on: boolean): OnMessage {
  return (site, _, channel, message, ids) => {
    if (on && channel.denied.has('react')) return missingPermissions
    const { world } = site
    const emoji = decodeURIComponent(ids[2] ?? '')
    const who = message.reactions.get(emoji) ?? new Set<string>()
    if (on) return addReaction(site, world.bot, message, emoji)
    who.delete(world.bot.id)
    if (who.size === 0) message.reactions.delete(emoji)
    world.changed()
    return none
  }
}

/** A mark on a message, of which everybody is told who asks for it, the bot of its own too. */
export function addReaction(
  { world, gateway }: Site,
  user: User,
  message: Message,
  name: string,
): Reply {
  const channel = world.channels.get(message.channel_id)
  message.reactions.set(name, (message.reactions.get(name) ?? new Set()).add(user.id))
  const guild =
    channel?.guild_id === undefined
      ? {}
      : {
          guild_id: channel.guild_id,
          member: { user, roles: rolesIn(world, channel.guild_id, user.id) },
        }
  if (channel !== undefined)
    gateway.tell(channel, 'MESSAGE_REACTION_ADD', {
      ...{
        user_id: user.id,
        channel_id: channel.id,
        message_id: message.id,
        message_author_id: message.author.id,
      },
      ...{ ...guild, emoji: { id: null, name }, burst: false, type: 0 },
    })
  world.changed()
  return none
}

const metadata = (world: World) => ({
  archived: false,
  locked: false,
  auto_archive_duration: 1440,
  archive_timestamp: new Date(world.now()).toISOString(),
})

const tooManyThreads = error(400, 160006, 'Maximum number of active threads reached')
const tooManyAnnouncements = error(400, 160007, 'Maximum number of active announcement threads')

/** A server has a thousand open threads at most. */
function hasTooMany({ guilds }: World, { guild_id: id = '' }: Channel): boolean {
  const guild = guilds.get(id)
  const open = [...(guild?.channels.values() ?? [])].filter(
    (one) => isThread(one) && !one.thread_metadata?.archived,
  )
  return open.length >= (guild?.threadsMost ?? 1_000)
}

function threadFromMessage(
  site: Site,
  { body }: Request,
  channel: Channel,
  [, messageId = '']: string[],
): Reply {
  const { world, gateway } = site
  if (channel.type !== 0 && channel.type !== 5)
    return error(400, 50024, 'Cannot execute action on this channel type')
  if (channel.denied.has('threads')) return missingPermissions
  if (world.channels.has(messageId))
    return error(400, 160004, 'A thread has already been created for this message')
  if (!channel.messages.some(({ id }) => id === messageId)) return unknownMessage
  if (isBlocked(world, channel, body.name)) return blockedTitle
  if (hasTooMany(world, channel)) return channel.type === 5 ? tooManyAnnouncements : tooManyThreads
  const thread = makeChannel(world, {
    id: messageId,
    type: 11,
    ...(channel.guild_id === undefined ? {} : { guild_id: channel.guild_id }),
    parent_id: channel.id,
    name: String(body.name),
    owner_id: world.bot.id,
    thread_metadata: metadata(world),
  })
  gateway.tell(thread, 'THREAD_CREATE', { ...showChannel(thread), newly_created: true })
  world.changed()
  return { status: 201, body: showChannel(thread) }
}

/** In a forum a post: the thread and its first message in one. */
function openThread(site: Site, request: Request, channel: Channel): Reply {
  const { world, gateway } = site
  const { body } = request
  if (channel.denied.has('threads') || channel.denied.has('send')) return missingPermissions
  const tags = Array.isArray(body.applied_tags) ? body.applied_tags.map(String) : []
  if (isForum(channel) && ((channel.flags ?? 0) & (1 << 4)) !== 0 && tags.length === 0)
    return error(400, 40067, 'A tag is required to create a forum post in this channel')
  // Only who manages threads may set these.
  if (channel.available_tags?.some(({ id, moderated }) => moderated && tags.includes(id)))
    return missingPermissions
  if (request.files.length > 0 && channel.denied.has('attach')) return missingPermissions
  if (isBlocked(world, channel, body.name)) return blockedTitle
  if (isBlocked(world, channel, ((body.message ?? {}) as Json).content)) return blockedMessage
  if (hasTooMany(world, channel)) return tooManyThreads
  const thread = makeChannel(world, {
    type: 11,
    ...(channel.guild_id === undefined ? {} : { guild_id: channel.guild_id }),
    parent_id: channel.id,
    name: String(body.name),
    owner_id: world.bot.id,
    applied_tags: tags,
    thread_metadata: metadata(world),
  })
  gateway.tell(thread, 'THREAD_CREATE', { ...showChannel(thread), newly_created: true })
  if (!isForum(channel)) return { status: 201, body: showChannel(thread) }
  const message = write(site, thread, request, (body.message ?? {}) as Json, { id: thread.id })
  thread.last_message_id = message.id
  gateway.tellMessage(thread, message)
  world.changed()
  return { status: 201, body: { ...showChannel(thread), message: showMessage(message) } }
}

function register(site: Site, { list }: Request, [, guild = '']: string[]): Reply {
  site.commandWrites.push(guild)
  const commands = list.map((one) => ({
    ...one,
    id: site.world.nextId(),
    application_id: site.world.applicationId,
    version: '1',
  }))
  site.commands.set(guild, commands)
  site.world.changed()
  return ok(commands)
}

function callback(site: Site, request: Request, [, token = '']: string[]): Reply {
  const { world, interactions } = site
  const found = interactions.mayAnswer(token)
  if (found === 'unknown') return error(404, 10062, 'Unknown interaction')
  if (found === 'twice') return error(400, 40060, 'Interaction has already been acknowledged.')
  const data = (request.body.data ?? {}) as Json
  const type = Number(request.body.type)
  found.answered = { type, afterMs: world.now() - found.at - found.waited(), data }
  const hidden = (Number(data.flags ?? 0) & flags.ephemeral) !== 0
  if (type === 4) respond(site, found, request, data, hidden)
  if (type === 5) found.thinking = hidden ? 'ephemeral' : 'public'
  if (type === 7 && found.message !== null) Object.assign(found.message, shownOf(data))
  world.changed()
  return none
}

function respond(
  site: Site,
  interaction: Interaction,
  request: Request,
  data: Json,
  hidden: boolean,
): Reply {
  const { world, gateway } = site
  interaction.thinking = null
  if (hidden) {
    interaction.ephemeral.push(String(data.content ?? ''))
    interaction.files.push(...request.files.map(({ name }) => name))
    return ok({
      id: world.nextId(),
      channel_id: interaction.channelId,
      type: 20,
      flags: flags.ephemeral,
    })
  }
  const channel = world.channels.get(interaction.channelId)
  if (channel === undefined) return unknownChannel
  const message = write(site, channel, request, data)
  interaction.original ??= message
  gateway.tellMessage(channel, message)
  world.changed()
  return ok(showMessage(message))
}

const invalidToken = error(401, 50027, 'Invalid Webhook Token')

function followUp(site: Site, request: Request, [, token = '']: string[]): Reply {
  const interaction = site.interactions.alive(token)
  if (interaction === null) return invalidToken
  const hidden =
    interaction.thinking === 'ephemeral' ||
    (Number(request.body.flags ?? 0) & flags.ephemeral) !== 0
  const reply = respond(site, interaction, request, request.body, hidden)
  site.world.changed()
  return reply
}

function original(site: Site, _: Request, [, token = '']: string[]): Reply {
  const interaction = site.interactions.alive(token)
  if (interaction === null) return invalidToken
  return interaction.original === null ? unknownMessage : ok(showMessage(interaction.original))
}

function editOriginal(site: Site, request: Request, [, token = '']: string[]): Reply {
  const interaction = site.interactions.alive(token)
  if (interaction === null) return invalidToken
  if (interaction.thinking !== null)
    return respond(site, interaction, request, request.body, interaction.thinking === 'ephemeral')
  if (interaction.original === null) {
    interaction.ephemeral.splice(-1, 1, String(request.body.content ?? ''))
    site.world.changed()
    return ok({ id: site.world.nextId(), channel_id: interaction.channelId })
  }
  Object.assign(interaction.original, shownOf(request.body))
  site.world.changed()
  return ok(showMessage(interaction.original))
}

function dropOriginal(site: Site, _: Request, [, token = '']: string[]): Reply {
  const interaction = site.interactions.alive(token)
  if (interaction === null) return invalidToken
  interaction.thinking = null
  interaction.ephemeral.pop()
  site.world.changed()
  return none
}
