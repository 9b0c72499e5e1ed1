import { mentionsOf, refuseBlocks, refuseForm, refuseHome } from './blocks.ts'
import {
  directChannel,
  type FakeChannel,
  type FakeMessage,
  type FakeState,
  type Form,
  toldOf,
} from './state.ts'

export type Args = Readonly<Record<string, string>>
export type Result = { ok: true } & Record<string, unknown>

/** What a method answers when it refuses. */
export class Refusal extends Error {
  readonly body: Record<string, unknown>
  constructor(error: string, more: Record<string, unknown> = {}) {
    super(error)
    this.body = { ok: false, error, ...more }
  }
}

export interface MethodContext {
  state: FakeState
  args: Args
  baseUrl: string
  nextTs(): string
  /** A ticket for a socket. */
  ticket(): string
  /** Tells the app of a message, as Slack tells it of its own ones too. */
  announce(channel: FakeChannel, message: FakeMessage): void
  announceReaction(channel: FakeChannel, message: FakeMessage, user: string, name: string): void
}

interface Method {
  /** `history` and `read`: by the kind of the channel; `types`: by the kinds that are asked for. */
  scope: string | null | 'history' | 'read' | 'types'
  run(context: MethodContext): Record<string, unknown>
}

const refuse = (error: string, more?: Record<string, unknown>): never => {
  throw new Refusal(error, more)
}
const need = (args: Args, name: string): string => args[name] || refuse('invalid_arguments')
const json = (text: string | undefined): unknown =>
  text === undefined || text === '' ? undefined : JSON.parse(text)

function channelOf({ state, args }: MethodContext, name = 'channel'): FakeChannel {
  const channel = state.channels.get(need(args, name)) ?? refuse('channel_not_found')
  const member = channel.members.has(state.bot.user)
  if (!member && channel.kind !== 'channel') return refuse('channel_not_found')
  return channel
}

function writable(context: MethodContext, name?: string): FakeChannel {
  const channel = channelOf(context, name)
  if (channel.archived) return refuse('is_archived')
  return channel.members.has(context.state.bot.user) ? channel : refuse('not_in_channel')
}

function messageIn(channel: FakeChannel, ts: string): FakeMessage {
  return channel.messages.find((message) => message.ts === ts) ?? refuse('message_not_found')
}

/** Text and blocks as Slack would take them. */
function contentOf(args: Args): { text: string; blocks: unknown[] } {
  const text = args.text ?? args.markdown_text ?? ''
  if (text.length > 40_000) refuse('msg_too_long')
  const blocks = json(args.blocks)
  if (blocks === undefined || (Array.isArray(blocks) && blocks.length === 0)) {
    if (text === '') refuse('no_text')
    return { text, blocks: [] }
  }
  const bad = refuseBlocks(blocks)
  if (bad !== null)
    refuse(bad.error, {
      response_metadata: { messages: bad.details.map((one) => `[ERROR] ${one}`) },
    })
  return { text, blocks: blocks as unknown[] }
}

function metadataOf(args: Args): Pick<FakeMessage, 'metadata'> {
  const given = json(args.metadata) as FakeMessage['metadata']
  if (given === undefined) return {}
  if (typeof given.event_type !== 'string' || typeof given.event_payload !== 'object')
    return refuse('metadata_must_be_sent_as_json')
  return { metadata: given }
}

/** A message as the API shows it. */
function shown(
  message: FakeMessage,
  channel: FakeChannel,
  withMetadata: boolean,
): Record<string, unknown> {
  const { reactions, metadata, unfurl: _, files, ...rest } = message
  const replies = channel.messages.filter(
    (one) => one.thread_ts === message.ts && one.ts !== message.ts,
  )
  return {
    type: 'message',
    ...rest,
    ...(files === undefined ? {} : { files: files.map(toldOf) }),
    ...(replies.length > 0
      ? { thread_ts: message.ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts }
      : {}),
    ...(withMetadata && metadata !== undefined ? { metadata } : {}),
    reactions: Array.from(reactions, ([name, users]) => ({
      name,
      users: [...users],
      count: users.size,
    })),
  }
}

/** Each kind of channel has scopes of its own. */
const families = { channel: 'channels', group: 'groups', im: 'im', mpim: 'mpim' } as const
const types: Record<string, string> = {
  ...{ public_channel: 'channels', private_channel: 'groups', im: 'im', mpim: 'mpim' },
}

const typeNames = {
  channel: 'public_channel',
  group: 'private_channel',
  im: 'im',
  mpim: 'mpim',
} as const

/** What hearing or reading what is said in a channel takes. */
export const historyScope = ({ kind }: Pick<FakeChannel, 'kind'>): string =>
  `${families[kind]}:history`

/** The scopes that a call needs. */
export function scopesOf({ scope }: Method, state: FakeState, args: Args): string[] {
  const { kind } = state.channels.get(args.channel ?? '') ?? { kind: 'channel' as const }
  if (scope === 'history') return [historyScope({ kind })]
  if (scope === 'read') return [`${families[kind]}:read`]
  if (scope === 'types')
    return (args.types ?? 'public_channel').split(',').map((one) => `${types[one]}:read`)
  return scope === null ? [] : [scope]
}

function page(
  context: MethodContext,
  channel: FakeChannel,
  messages: FakeMessage[],
): Record<string, unknown> {
  const { args } = context
  const limit = Number(args.limit ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) refuse('invalid_limit')
  for (const name of ['oldest', 'latest'])
    if (!/^\d+(\.\d+)?$/.test(args[name] ?? '0')) refuse(`invalid_ts_${name}`)
  const from = Number(args.oldest ?? 0)
  const to = Number(args.latest ?? Infinity)
  const inclusive = args.inclusive === 'true'
  const parent = args.ts
  const within = messages.filter(({ ts }) => {
    const at = Number(ts)
    // A thread's first message is always among its replies.
    return ts === parent || (inclusive ? at >= from && at <= to : at > from && at < to)
  })
  const start = Number(args.cursor ?? 0)
  const size = Math.min(limit, 999)
  const next = start + size < within.length ? String(start + size) : ''
  const list = within
    .slice(start, start + size)
    .map((one) => shown(one, channel, args.include_all_metadata === 'true'))
  return { messages: list, has_more: next !== '', response_metadata: { next_cursor: next } }
}

/** Of an app with token rotation. */
function rotationOf({ bot: { rotation } }: FakeState) {
  if (rotation === null) return {}
  return { refresh_token: rotation.refreshToken, expires_in: rotation.seconds }
}

/** A refresh token is good for one time; the bot's old token is taken no more. */
function renew({ bot }: FakeState, args: Args): void {
  if (bot.rotation === null) return
  if (args.refresh_token !== bot.rotation.refreshToken) refuse('invalid_refresh_token')
  bot.token = `${bot.token}-next`
  bot.rotation = { ...bot.rotation, refreshToken: `${bot.rotation.refreshToken}-next` }
}

/** Lists that belong to a workspace: with the token of an organisation it has to be named. */
const ofWorkspace = ['users.list', 'users.conversations', 'conversations.list', 'views.publish']
export const lacksTeam = (state: FakeState, method: string, args: Args): boolean =>
  state.bot.org && ofWorkspace.includes(method) && args.team_id === undefined

export const methods: Readonly<Record<string, Method>> = {
  'auth.test': {
    scope: null,
    run: ({ state }) => ({
      url: 'https://team.slack.test/',
      team: `Team ${state.team}`,
      team_id: state.team,
      enterprise_id: state.enterprise,
      user: 'clew',
      user_id: state.bot.user,
      bot_id: state.bot.id,
    }),
  },
  'apps.connections.open': { scope: null, run: (context) => ({ url: context.ticket() }) },
  'users.info': {
    scope: 'users:read',
    run({ state, args }) {
      const user = state.users.get(need(args, 'user')) ?? refuse('user_not_found')
      const locale = args.include_locale === 'true' ? { locale: user.locale } : {}
      return {
        user: {
          ...user,
          team_id: user.team_id ?? user.team ?? state.team,
          ...locale,
          real_name: user.name,
          profile: { display_name: user.name },
        },
      }
    },
  },
  'chat.postMessage': {
    scope: 'chat:write',
    run(context) {
      const { args } = context
      const channel = writable(context)
      const message = post(context, channel, { ...contentOf(args), ...metadataOf(args) })
      return { channel: channel.id, ts: message.ts, message: shown(message, channel, true) }
    },
  },
  'chat.startStream': {
    scope: 'chat:write',
    run(context) {
      need(context.args, 'thread_ts')
      const channel = writable(context)
      const { ts } = post(context, channel, { text: piecesOf(context.args), blocks: [] })
      return { channel: channel.id, ts }
    },
  },
  'chat.appendStream': { scope: 'chat:write', run: append },
  'chat.stopStream': { scope: 'chat:write', run: append },
  'chat.update': {
    scope: 'chat:write',
    run(context) {
      const { state, args } = context
      const channel = writable(context)
      const message = messageIn(channel, need(args, 'ts'))
      if (message.user !== state.bot.user) refuse('cant_update_message')
      Object.assign(message, contentOf(args))
      return { channel: channel.id, ts: message.ts, text: message.text }
    },
  },
  'chat.postEphemeral': {
    scope: 'chat:write',
    run(context) {
      const { state, args, nextTs } = context
      const channel = writable(context)
      const user = need(args, 'user')
      if (!channel.members.has(user)) refuse('user_not_in_channel')
      const { text, blocks } = contentOf(args)
      const thread_ts = args.thread_ts ?? null
      state.ephemerals.push({ channel: channel.id, user, thread_ts, text, blocks })
      return { message_ts: nextTs() }
    },
  },
  'reactions.add': {
    scope: 'reactions:write',
    run(context) {
      const { user } = context.state.bot
      const users = reactionsOf(context)
      if (users.has(user)) refuse('already_reacted')
      users.add(user)
      const channel = writable(context)
      context.announceReaction(
        channel,
        messageIn(channel, need(context.args, 'timestamp')),
        user,
        `${context.args.name}`,
      )
      return {}
    },
  },
  'reactions.remove': {
    scope: 'reactions:write',
    run(context) {
      if (!reactionsOf(context).delete(context.state.bot.user)) refuse('no_reaction')
      return {}
    },
  },
  'chat.delete': {
    scope: 'chat:write',
    run(context) {
      const channel = writable(context)
      const message = messageIn(channel, need(context.args, 'ts'))
      if (message.user !== context.state.bot.user) refuse('cant_delete_message')
      channel.messages.splice(channel.messages.indexOf(message), 1)
      return { channel: channel.id, ts: message.ts }
    },
  },
  'conversations.info': {
    scope: 'read',
    run(context) {
      const channel = channelOf(context)
      const { id, kind, members, archived } = channel
      const member = members.has(context.state.bot.user)
      return {
        channel: {
          id,
          is_im: kind === 'im',
          is_mpim: kind === 'mpim',
          is_private: kind !== 'channel',
          is_member: member,
          is_archived: archived,
          name: id.toLowerCase(),
        },
      }
    },
  },
  'users.conversations': {
    scope: 'types',
    run({ state, args }) {
      const types = (args.types ?? 'public_channel').split(',')
      const mine = [...state.channels.values()].filter(
        ({ members, kind, archived }) =>
          types.includes(typeNames[kind]) &&
          !(archived && args.exclude_archived === 'true') &&
          members.has(state.bot.user) &&
          (args.user === undefined || members.has(args.user)),
      )
      const [from, limit] = [
        Number(args.cursor ?? 0),
        Math.min(Number(args.limit ?? 100), state.pageMost),
      ]
      return {
        channels: mine.slice(from, from + limit).map(({ id, kind, members }) =>
          kind === 'im'
            ? { id, is_im: true, user: [...members].find((one) => one !== state.bot.user) }
            : {
                id,
                name: id.toLowerCase(),
                is_private: kind !== 'channel',
                is_ext_shared: false,
              },
        ),
        response_metadata: { next_cursor: from + limit < mine.length ? String(from + limit) : '' },
      }
    },
  },
  'conversations.members': {
    scope: 'read',
    run(context) {
      const { members } = channelOf(context)
      return { members: [...members], response_metadata: { next_cursor: '' } }
    },
  },
  'users.list': {
    scope: 'users:read',
    run({ state, args }) {
      const [from, limit] = [Number(args.cursor ?? 0), Number(args.limit ?? 200)]
      const members = Array.from(state.users.values(), ({ id, name }) => ({
        ...{
          id,
          name: name.toLowerCase(),
          deleted: false,
          is_bot: false,
          profile: { display_name: name },
        },
      }))
      const next = from + limit < members.length ? String(from + limit) : ''
      return {
        members: members.slice(from, from + limit),
        response_metadata: { next_cursor: next },
      }
    },
  },
  'oauth.v2.access': {
    scope: null,
    run({ state, args }) {
      if (args.client_id !== 'client' || args.client_secret !== 'secret')
        return refuse('bad_client_secret')
      if (args.grant_type === 'refresh_token') renew(state, args)
      else if (args.code !== 'code') return refuse('invalid_code')
      return {
        ...rotationOf(state),
        access_token: state.bot.token,
        token_type: 'bot',
        scope: [...state.bot.scopes].join(','),
        bot_user_id: state.bot.user,
        app_id: 'A1',
        team: state.enterprise === null ? { id: state.team, name: `Team ${state.team}` } : null,
        enterprise: state.enterprise === null ? null : { id: state.enterprise, name: 'Org' },
        is_enterprise_install: state.enterprise !== null,
        authed_user: { id: 'UANA' },
      }
    },
  },
  'openid.connect.token': {
    scope: null,
    run({ state, args, baseUrl }) {
      const granted = state.authorizations.exchange(args)
      if ('error' in granted) return refuse(granted.error)
      const seconds = Math.floor(Date.now() / 1_000)
      const claims = {
        ...{
          iss: baseUrl,
          sub: granted.user,
          aud: args.client_id,
          iat: seconds,
          exp: seconds + 300,
        },
        ...{ nonce: granted.nonce, name: state.users.get(granted.user)?.name },
        'https://slack.com/team_id': state.users.get(granted.user)?.team ?? state.team,
        'https://slack.com/user_id': granted.user,
      }
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const id_token = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${part('signed')}`
      return { access_token: granted.accessToken, token_type: 'Bearer', id_token }
    },
  },
  'conversations.open': {
    scope: 'im:write',
    run({ state, args }) {
      const user = state.users.get(need(args, 'users')) ?? refuse('user_not_found')
      return { channel: { id: directChannel(state, user.id).id } }
    },
  },
  'conversations.history': {
    scope: 'history',
    run(context) {
      const channel = readable(context)
      const top = channel.messages.filter(
        ({ ts, thread_ts: thread }) => thread === undefined || thread === ts,
      )
      return page(context, channel, top.reverse())
    },
  },
  'conversations.replies': {
    scope: 'history',
    run(context) {
      const channel = readable(context)
      const ts = need(context.args, 'ts')
      messageInThread(channel, ts)
      const thread = channel.messages.filter(
        (message) => message.ts === ts || message.thread_ts === ts,
      )
      return page(context, channel, thread)
    },
  },
  'views.publish': {
    scope: null,
    run({ state, args }) {
      const view = json(args.view)
      const bad = refuseHome(view)
      if (bad !== null) refuse(bad.error, { response_metadata: { messages: bad.details } })
      state.views.set(need(args, 'user_id'), view)
      return { view }
    },
  },
  'views.open': {
    scope: null,
    run({ state, args, nextTs }) {
      const trigger = state.triggers.get(need(args, 'trigger_id')) ?? refuse('invalid_trigger_id')
      state.triggers.delete(args.trigger_id ?? '')
      if (trigger.passed() > 3_000) refuse('expired_trigger_id')
      const view = json(args.view)
      const bad = refuseForm(view)
      if (bad !== null) refuse(bad.error, { response_metadata: { messages: bad.details } })
      const id = `V${nextTs()}`
      state.forms.set(trigger.user, { id, view: view as Form['view'] })
      return { view: { id } }
    },
  },
  'assistant.threads.setStatus': {
    scope: 'chat:write',
    run(context) {
      const { state, args } = context
      const channel = readable(context, 'channel_id')
      messageInThread(channel, need(args, 'thread_ts'))
      const line = {
        channel: channel.id,
        thread: args.thread_ts ?? '',
        status: args.status ?? refuse('invalid_arguments'),
      }
      // Shown until it is blank, until the app says something there, or for two minutes.
      for (const one of state.thinking)
        if (one.channel === line.channel && one.thread === line.thread) one.until ??= Date.now()
      if (line.status !== '') state.thinking.push({ ...line, at: Date.now(), until: null })
      return {}
    },
  },
  'assistant.threads.setSuggestedPrompts': {
    scope: 'assistant:write',
    run({ state, args }) {
      // For an agent a call that names a thread changes nothing, and does not say so.
      if (args.thread_ts !== undefined) return {}
      const prompts = json(need(args, 'prompts')) as { title?: string; message?: string }[]
      if (prompts.length > 4 || prompts.some(({ title, message }) => !title || !message))
        refuse('invalid_arguments')
      state.prompts.set(need(args, 'channel_id'), prompts)
      return {}
    },
  },
  'agents.sessions.setStatus': {
    scope: 'assistant:write',
    run({ state, args }) {
      const status = need(args, 'status')
      if (!['active', 'processing', 'suspended', 'closed'].includes(status))
        refuse('invalid_arguments')
      state.sessions.push({
        channel: need(args, 'channel_id'),
        thread: need(args, 'thread_ts'),
        status,
      })
      return {}
    },
  },
  'files.info': {
    scope: 'files:read',
    run({ state, args }) {
      const all = [...state.channels.values()].flatMap(({ messages }) =>
        messages.flatMap(({ files }) => files ?? []),
      )
      const file = all.find(({ id }) => id === need(args, 'file'))
      if (file === undefined) throw new Refusal('file_not_found')
      const { told: _, ...whole } = file
      return { file: toldOf(whole) }
    },
  },
  'files.list': {
    scope: 'files:read',
    run({ state, args }) {
      if (args.types !== 'canvas') return refuse('unknown_type')
      if (args.user !== undefined && args.user !== state.bot.user) return { files: [] }
      const files = [...state.canvases].map(([id, { title }]) => ({ id, title, filetype: 'quip' }))
      return { files: files.reverse().slice(0, Number(args.count ?? 100)) }
    },
  },
  'canvases.create': {
    scope: 'canvases:write',
    run({ state, args }) {
      if (state.isFree && args.channel_id === undefined)
        refuse('free_teams_cannot_create_non_tabbed_canvases')
      const markdown = markdownOf(args.document_content)
      if (markdown.length > 1_048_576) refuse('canvas_creation_failed')
      const id = `F0CANVAS${state.canvases.size + 1}`
      state.canvases.set(id, { title: args.title ?? '', markdown, channels: [], users: [] })
      return { canvas_id: id }
    },
  },
  'canvases.edit': {
    scope: 'canvases:write',
    run(context) {
      const canvas = canvasOf(context)
      const [change] = (json(context.args.changes) ?? []) as Record<string, unknown>[]
      if (change?.operation !== 'rename') return refuse('invalid_arguments')
      canvas.title = markdownOf(JSON.stringify(change.title_content))
      return {}
    },
  },
  'canvases.access.set': {
    scope: 'canvases:write',
    run(context) {
      const { state, args } = context
      const canvas = canvasOf(context)
      const channels = json(args.channel_ids) as string[] | undefined
      const users = json(args.user_ids) as string[] | undefined
      const most = 20
      if ((channels === undefined) === (users === undefined)) refuse('invalid_parameters')
      if (!['read', 'write'].includes(args.access_level ?? '')) refuse('invalid_arguments')
      const count = (channels ?? users ?? []).length
      if (count < 1 || count > most) refuse('invalid_arguments')
      // Direct messages are shared with their people instead.
      for (const id of channels ?? [])
        if (!['channel', 'group'].includes(state.channels.get(id)?.kind ?? ''))
          refuse('channel_not_found')
      for (const id of users ?? [])
        if (!state.users.has(id) || id === state.bot.user) refuse('failed_to_update_user_ids')
      canvas.channels.push(...(channels ?? []))
      canvas.users.push(...(users ?? []))
      return {}
    },
  },
  'canvases.delete': {
    scope: 'canvases:write',
    run(context) {
      canvasOf(context)
      context.state.canvases.delete(need(context.args, 'canvas_id'))
      return {}
    },
  },
  'files.getUploadURLExternal': {
    scope: 'files:write',
    run({ state, args, baseUrl }) {
      const id = `F${state.uploads.size + 1}`
      state.uploads.set(id, { name: need(args, 'filename'), content: null })
      return { upload_url: `${baseUrl}/upload/${state.team}/${id}`, file_id: id }
    },
  },
  'files.completeUploadExternal': {
    scope: 'files:write',
    run(context) {
      const { state, args, nextTs, baseUrl } = context
      const channel = writable(context, 'channel_id')
      const list = json(args.files) as { id: string; title?: string }[]
      const files = list.map(({ id }) => {
        const upload = state.uploads.get(id)
        const content = upload?.content ?? refuse('file_not_found')
        const name = upload?.name ?? ''
        const url = `${baseUrl}/files/${state.team}/${id}`
        return {
          id,
          name,
          mimetype: 'text/markdown',
          size: content.length,
          url_private_download: url,
          content,
        }
      })
      // Of what an app uploads Slack names only its user, as of anybody else who shares a file.
      const message: FakeMessage = {
        ts: nextTs(),
        ...(args.thread_ts === undefined ? {} : { thread_ts: args.thread_ts }),
        user: state.bot.user,
        text: '',
        blocks: [],
        files,
        reactions: new Map(),
        unfurl: { links: false, media: false },
      }
      channel.messages.push(message)
      context.announce(channel, message)
      return { files: files.map(({ id, name }) => ({ id, name })) }
    },
  },
}

const canvasOf = ({ state, args }: MethodContext) =>
  state.canvases.get(need(args, 'canvas_id')) ?? refuse('canvas_not_found')

function markdownOf(text: string | undefined): string {
  const given = json(text) as { type?: string; markdown?: string } | undefined
  if (given?.type !== 'markdown' || typeof given.markdown !== 'string')
    return refuse('invalid_arguments')
  return given.markdown
}

type Content = Pick<FakeMessage, 'text' | 'blocks' | 'metadata'>

function post(context: MethodContext, channel: FakeChannel, content: Content): FakeMessage {
  const { state, args, nextTs } = context
  // Below a message that is gone Slack posts in the channel, without a word.
  const parent = channel.messages.find(({ ts }) => ts === args.thread_ts)
  const message: FakeMessage = {
    ts: nextTs(),
    ...(parent === undefined ? {} : { thread_ts: parent.ts }),
    user: state.bot.user,
    bot_id: state.bot.id,
    ...content,
    reactions: new Map(),
    unfurl: { links: args.unfurl_links !== 'false', media: args.unfurl_media !== 'false' },
  }
  channel.messages.push(message)
  for (const line of state.thinking)
    if (line.channel === channel.id && line.thread === args.thread_ts) line.until ??= Date.now()
  context.announce(channel, message)
  return message
}

/** Text that a call adds to a message which is written piece by piece. */
function piecesOf(args: Args): string {
  const chunks = (json(args.chunks) ?? []) as { text?: string }[]
  return (args.markdown_text ?? '') + chunks.map(({ text }) => text ?? '').join('')
}

function append(context: MethodContext): Record<string, unknown> {
  const channel = writable(context)
  const message = messageIn(channel, need(context.args, 'ts'))
  message.text += piecesOf(context.args)
  return { channel: channel.id, ts: message.ts }
}

function readable(context: MethodContext, name?: string): FakeChannel {
  const channel = channelOf(context, name)
  return channel.members.has(context.state.bot.user) ? channel : refuse('not_in_channel')
}

function messageInThread(channel: FakeChannel, ts: string): FakeMessage {
  return channel.messages.find((message) => message.ts === ts) ?? refuse('thread_not_found')
}

function reactionsOf(context: MethodContext): Set<string> {
  const message = messageIn(writable(context), need(context.args, 'timestamp'))
  const name = need(context.args, 'name')
  const users = message.reactions.get(name) ?? new Set<string>()
  message.reactions.set(name, users)
  return users
}

/** Everything in a workspace that calls somebody out although nobody but the app wrote it. */
export function calledOut(state: FakeState): string[] {
  const posted = [...state.channels.values()].flatMap(({ messages }) =>
    messages
      .filter(({ user }) => user === state.bot.user)
      .flatMap(({ text, blocks }) => mentionsOf(text, blocks)),
  )
  return [...posted, ...state.ephemerals.flatMap(({ text }) => mentionsOf(text, []))]
}
