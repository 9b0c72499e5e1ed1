import { z } from 'zod'
import type { Members, Places, PlacesSource, Reach } from '../../agent/ports/members.ts'
import { authorizeUrl, grantOf, type Provider } from '../channel-kit/oauth.ts'
import { createApi, type Problem } from './api.ts'
import type { SlackDeps } from './deps.ts'
import { workspaceOf } from './installations.ts'
import { limits } from './limits.ts'
import { type Ask, Channels, readAll } from './paging.ts'
import { peopleNamed } from './reader.ts'
import { createStoredInstallations } from './stored-installations.ts'

/** Claims about a person in Slack's `id_token`. */
const Claims = z.looseObject({
  'https://slack.com/team_id': z.string(),
  'https://slack.com/user_id': z.string(),
  name: z.string().default(''),
})
const Test = z.looseObject({ team_id: z.string() })
const Info = z.looseObject({
  user: z.looseObject({
    name: z.string().default(''),
    real_name: z.string().nullish(),
    profile: z.looseObject({ display_name: z.string().nullish() }).nullish(),
    is_bot: z.boolean().nullish(),
    deleted: z.boolean().nullish(),
    is_restricted: z.boolean().nullish(),
    is_ultra_restricted: z.boolean().nullish(),
    is_stranger: z.boolean().nullish(),
  }),
})
const Opened = z.looseObject({ channel: z.looseObject({ id: z.string() }) })
const Place = z.looseObject({
  channel: z.looseObject({ is_member: z.boolean().nullish(), is_archived: z.boolean().nullish() }),
})
/**
 * True if the account is closed, a guest's or an outsider's. The page is for members only (S35).
 */
const isNoMember = ({ user }: z.infer<typeof Info>) =>
  [user.deleted, user.is_restricted, user.is_ultra_restricted, user.is_stranger].includes(true)

type PlacesDeps = Pick<SlackDeps, 'apiUrl' | 'access' | 'alarms' | 'notes' | 'clock' | 'log'>
type MembersDeps = PlacesDeps & Pick<Provider, 'clientId' | 'clientSecret'>

function apiOf({ apiUrl, access, ...deps }: PlacesDeps) {
  const tokens =
    access.kind === 'token'
      ? { of: async () => ({ botToken: access.botToken, callsFor: null }) }
      : createStoredInstallations({ ...deps, apiUrl }, access)
  return createApi({ ...deps, apiUrl, tokens })
}

/** Asks Slack as the bot what people see now, in any process and without a socket (S26, S83). */
export const createSlackPlaces = (deps: PlacesDeps): PlacesSource => placesBy(apiOf(deps))

const placesBy = (api: ReturnType<typeof createApi>): PlacesSource => ({
  platform: 'slack',
  async places(workspace, person) {
    const theirs = await channelsOf(askIn(api, workspace), workspace, person)
    return theirs === null || theirs === 'away' ? theirs : placesIn(theirs)
  },
  async reach(workspace, person) {
    const ask = askIn(api, workspace)
    const theirs = await channelsOf(ask, workspace, person)
    return theirs === null || theirs === 'away' ? theirs : reachIn(ask, theirs)
  },
})

const askIn =
  (api: ReturnType<typeof createApi>, workspace: string): Ask =>
  (...request) =>
    api.call(workspace, ...request, { minor: true })

/** Reads a member's account; null: they are none. */
async function memberIn(ask: Ask, user: string) {
  const info = await ask('users.info', { user }, Info)
  if (info.kind !== 'ok') return unseen(info)
  return isNoMember(info.value) ? null : info.value.user
}

/**
 * Signs people in with Slack (OpenID Connect), and asks Slack as the bot what they can see. Works
 * in any process, without a socket (S25, S26).
 */
export function createSlackMembers({ clientId, clientSecret, ...deps }: MembersDeps): Members {
  const { apiUrl, access } = deps
  const api = apiOf(deps)
  const { origin } = new URL(apiUrl)
  const provider: Provider = {
    issuer: origin,
    authorize: `${origin}/openid/connect/authorize`,
    token: new URL('openid.connect.token', apiUrl).href,
    clientId,
    clientSecret,
    scope: 'openid profile',
    // Slack accepts PKCE only from apps that are declared as public clients.
    binds: 'nonce',
  }

  async function isHere(team: string): Promise<boolean> {
    const test = await api.call(workspaceOf(team), 'auth.test', {}, Test, { minor: true })
    return test.kind === 'ok' && (access.kind !== 'token' || test.value.team_id === team)
  }

  return {
    platform: 'slack',
    label: 'Slack',
    begin: (signIn) => authorizeUrl(provider, signIn),
    async finish(signIn, back) {
      const granted = await grantOf(provider, signIn, back)
      if (granted.kind !== 'granted') return granted
      const claims = Claims.safeParse(granted.claims).data
      if (claims === undefined) return { kind: 'failed' }
      const { 'https://slack.com/team_id': team, 'https://slack.com/user_id': id, name } = claims
      if (!(await isHere(team))) return { kind: 'stranger' }
      const args = { user: id }
      const info = await api.call(workspaceOf(team), 'users.info', args, Info, { minor: true })
      // S38: a person whom Slack does not identify cannot sign in.
      if (info.kind !== 'ok') return { kind: 'failed' }
      if (isNoMember(info.value)) return { kind: 'stranger' }
      const person = { id, name: name === '' ? id : name }
      const workspace = workspaceOf(team)
      const key = `${workspace}:${id}`
      return { kind: 'member', member: { platform: 'slack', key, person, workspaces: [workspace] } }
    },
    rooms: placesBy(api).places,
  }
}

/**
 * Converts a problem: `null` if Slack refuses the person, `away` if it may work again later, such
 * as after a scope is added.
 */
const unseen = (problem: Problem) => (problem.kind === 'refused' ? null : 'away')

/**
 * Returns the channels that both the person and the bot are in, and public ones of the person's. Of
 * direct messages, only those with this person count.
 */
async function channelsOf(ask: Ask, workspace: string, person: string) {
  const member = await memberIn(ask, person)
  if (member === null || member === 'away') return member
  const args = {
    user: person,
    team_id: workspace.slice(workspaceOf('').length),
    types: 'public_channel,private_channel,mpim,im',
    limit: 999,
  }
  const list = { method: 'users.conversations', args, page: Channels }
  const { items, problem } = await readAll(ask, list, (count) => count === limits.memberPages)
  if (problem !== null) return unseen(problem)
  return items.filter(
    ({ id, is_im: isDirect, user }) =>
      (isDirect !== true && !id.startsWith('D')) || user === person,
  )
}

type Theirs = Exclude<Awaited<ReturnType<typeof channelsOf>>, null | 'away'>

function placesIn(theirs: Theirs): Places {
  const seen = new Map(theirs.map((one) => [one.id, one]))
  return {
    has: async (channel) => seen.has(channel),
    async isOpenTo(by, { channel }) {
      if (by === channel) return true
      // People of another company read along in a shared channel.
      const isOurs = seen.get(by)?.is_ext_shared === false
      return isOurs && seen.get(channel)?.is_private === false
    },
  }
}

/** Slack does not tell the bot who may write where only some may (C840). */
const reachIn = (ask: Ask, theirs: Theirs): Reach => ({
  channels: theirs.flatMap(({ id, name, is_im: isDirect }) =>
    name == null || isDirect === true ? [] : [{ id, name }],
  ),
  async isOurs(channel) {
    const info = await ask('conversations.info', { channel }, Place)
    if (info.kind !== 'ok') return info.kind === 'refused' ? false : 'away'
    const { is_member: isMember, is_archived: isArchived } = info.value.channel
    return isMember === true && isArchived !== true
  },
  async people(name) {
    const found = await peopleNamed(ask, name)
    return found.kind === 'people' ? found : 'away'
  },
  async person(id) {
    const member = await memberIn(ask, id)
    if (member === null || member === 'away') return member
    const { is_bot: isBot, name, real_name: real, profile } = member
    return isBot === true ? null : { id, name: profile?.display_name || real || name || id }
  },
  async direct(users) {
    const opened = await ask('conversations.open', { users }, Opened)
    if (opened.kind === 'ok') return opened.value.channel.id
    return opened.kind === 'refused' ? null : 'away'
  },
})
