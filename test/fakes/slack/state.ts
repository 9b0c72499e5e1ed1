import { botEvents, botScopes } from '../../../src/adapters/slack/manifest.ts'
import { createAuthorizations } from '../authorizations.ts'

/** What a workspace holds. */

export interface FakeUser {
  id: string
  name: string
  locale: string
  tz: string
  is_bot?: boolean
  /** Guests, strangers, and people of another workspace or organisation, as `users.info` tells them. */
  is_restricted?: boolean
  is_ultra_restricted?: boolean
  is_stranger?: boolean
  team_id?: string
  enterprise_user?: { enterprise_id: string }
  /** The workspace that they are of, where it is another one. */
  team?: string
  /** Their account was closed. */
  deleted?: boolean
}

export interface FakeMessage {
  ts: string
  thread_ts?: string
  user: string
  bot_id?: string
  app_id?: string
  text: string
  blocks: unknown[]
  client_msg_id?: string
  metadata?: { event_type: string; event_payload: Record<string, unknown> }
  edited?: { ts: string }
  files?: FakeFile[]
  attachments?: Record<string, unknown>[]
  reactions: Map<string, Set<string>>
  /** What the poster asked for. */
  unfurl: { links: boolean; media: boolean }
}

export interface FakeFile {
  id: string
  name: string
  mimetype: string
  size: number
  url_private_download: string
  content: Buffer
  /** All that messages tell of it. */
  told?: Record<string, unknown>
}

/** A file as messages tell it. */
export const toldOf = ({ content: _, told, ...file }: FakeFile): Record<string, unknown> =>
  told ?? file

export interface FakeChannel {
  id: string
  kind: 'channel' | 'group' | 'im' | 'mpim'
  members: Set<string>
  archived: boolean
  messages: FakeMessage[]
}

export interface Ephemeral {
  channel: string
  user: string
  thread_ts: string | null
  text: string
  blocks: unknown[]
}

export interface Form {
  id: string
  view: { callback_id: string; private_metadata: string; blocks: Record<string, unknown>[] }
}

export interface FakeCanvas {
  title: string
  markdown: string
  channels: string[]
  users: string[]
}

export interface FakeState {
  team: string
  enterprise: string | null
  /** The app as our manifest asks for it: what it may do, and which events it is subscribed to. */
  bot: {
    token: string
    user: string
    id: string
    scopes: Set<string>
    events: Set<string>
    revoked: boolean
    /** The token is that of a whole organisation. */
    org: boolean
    /** Of an app whose tokens end: what the token is renewed with, and how long it lasts. */
    rotation: { refreshToken: string; seconds: number } | null
  }
  appToken: string
  users: Map<string, FakeUser>
  channels: Map<string, FakeChannel>
  ephemerals: Ephemeral[]
  views: Map<string, unknown>
  /** That the app thinks, by thread. */
  thinking: { channel: string; thread: string; status: string; at: number; until: number | null }[]
  /** By channel with one person. */
  prompts: Map<string, { title?: string; message?: string }[]>
  /** The form that each person has open. */
  forms: Map<string, Form>
  /** Who may be shown a form by it, once and for three seconds. */
  triggers: Map<string, { user: string; passed: () => number }>
  sessions: { channel: string; thread: string; status: string }[]
  /** Standalone canvases of the bot, and who else may read each: channels, or people. */
  canvases: Map<string, FakeCanvas>
  /** A workspace without a paid plan has no standalone canvases. */
  isFree: boolean
  uploads: Map<string, { name: string; content: Buffer | null }>
  /** Of a list of channels: how many come at a time. */
  pageMost: number
  /** Who signs in with Slack, at other sites. */
  authorizations: ReturnType<typeof createAuthorizations>
}

export function createState(team = 'T1'): FakeState {
  const app = { scopes: new Set(botScopes), events: new Set<string>(botEvents), revoked: false }
  const bot = {
    token: `xoxb-canary-${team}`,
    user: 'U0CLEW',
    id: 'B0CLEW',
    org: false,
    rotation: null,
    ...app,
  }
  const users: FakeUser[] = [
    { id: 'U0CLEW', name: 'Clew', locale: 'en-US', tz: 'Etc/UTC' },
    { id: 'UOTHERBOT', name: 'Jeeves', locale: 'en-US', tz: 'Etc/UTC', is_bot: true },
    { id: 'UANA', name: 'Ana', locale: 'en-US', tz: 'Europe/Lisbon' },
    { id: 'UBEN', name: 'Ben', locale: 'en-US', tz: 'America/New_York' },
    { id: 'ULI', name: '李雷', locale: 'zh-CN', tz: 'Asia/Shanghai' },
    { id: 'UDAN', name: 'Dan', locale: 'en-US', tz: 'Europe/Lisbon' },
    { id: 'UWEI', name: '王伟', locale: 'zh-CN', tz: 'Asia/Shanghai' },
  ]
  const everyone = users.map(({ id }) => id)
  const channels = ['C1', 'C2'].map(
    (id): FakeChannel => ({
      ...{ id, kind: 'channel', members: new Set(everyone), archived: false, messages: [] },
    }),
  )
  return {
    team,
    enterprise: null,
    bot,
    appToken: 'xapp-canary-1',
    users: new Map(users.map((user) => [user.id, user])),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    ephemerals: [],
    views: new Map(),
    thinking: [],
    prompts: new Map(),
    forms: new Map(),
    triggers: new Map(),
    sessions: [],
    canvases: new Map(),
    isFree: false,
    uploads: new Map(),
    pageMost: 1_000,
    authorizations: createAuthorizations({ id: 'client', secret: 'secret' }),
  }
}

/** Timestamps that only rise, as Slack gives them. */
export function createTimestamps(clock: () => number = Date.now): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.floor(clock() * 1_000))
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`
  }
}

/** The channel between the bot and one person; made when it is first used. */
export function directChannel(state: FakeState, user: string): FakeChannel {
  const id = `D${user.slice(1)}`
  const known = state.channels.get(id)
  if (known !== undefined) return known
  const made: FakeChannel = {
    id,
    kind: 'im',
    members: new Set([user, state.bot.user]),
    archived: false,
    messages: [],
  }
  state.channels.set(id, made)
  return made
}
