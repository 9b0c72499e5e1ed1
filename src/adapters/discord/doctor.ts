import { Routes } from 'discord.js'
import { z } from 'zod'
import { bad, type Finding, good, note } from '../channel-kit/findings.ts'
import { type Api, createApi } from './api.ts'
import { types } from './directory.ts'
import { permissions } from './limits.ts'
import { appFlags, Guild, Member, Overwrite, permissionsIn } from './permissions.ts'

export interface DiscordPatient {
  token: string | null
  apiUrl: string | null
  guildIds: readonly string[]
}

const portal = 'https://discord.com/developers/applications (your application)'
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The link by which an admin brings Clew into a server, with exactly the permissions that it uses. */
const inviteLink = (applicationId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`

/** Examines everything about Discord that its API tells; changes nothing. Never throws. */
export async function examineDiscord({ token, apiUrl, guildIds }: DiscordPatient): Promise<Finding[]> {
  if (token === null) return [note('Discord: not set up.', 'docs/discord.md says how, in one page.')]
  const api = createApi({ token, apiUrl, clock: { now: () => 0 }, log: silent, onRefused: () => undefined })
  const application = await get(api, Routes.currentApplication(), Application)
  if (application.kind !== 'ok') return [tokenFinding(application)]
  const { id, name, flags, bot = { id } } = application.value
  const guilds = await get(api, Routes.userGuilds(), z.array(z.object({ id: z.string(), name: z.string() })))
  const list = guilds.kind === 'ok' ? guilds.value : []
  return [
    good(`DISCORD_TOKEN: ${name} (${id}).`),
    intentFinding(flags),
    membersFinding(flags),
    await sessionFinding(api),
    ...(list.length === 0 ? [bad('Discord: Clew is in no server.', `An admin opens ${inviteLink(id)}`)] : []),
    ...(await Promise.all(list.slice(0, 10).map((guild) => permissionFinding(api, guild, bot.id)))),
    ...(await commandFindings(api, id, guildIds, list)),
    note(`Discord: the invite link is ${inviteLink(id)}`),
  ]
}

/** Of old applications the bot has an id of its own. */
const Application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.number().default(0),
  bot: z.object({ id: z.string() }).optional(),
})
type Got<T> = { kind: 'ok'; value: T } | { kind: 'refused'; status: number } | { kind: 'away' }

async function get<S extends z.ZodType>(
  api: Api,
  route: Parameters<Api['call']>[1],
  schema: S,
): Promise<Got<z.infer<S>>> {
  const answer = await api.call('GET', route)
  if (answer.kind === 'refused') return { kind: 'refused', status: answer.status }
  const parsed = answer.kind === 'ok' ? schema.safeParse(answer.value) : undefined
  return parsed?.success ? { kind: 'ok', value: parsed.data } : { kind: 'away' }
}

function tokenFinding(answer: Exclude<Got<unknown>, { kind: 'ok' }>): Finding {
  // A refused token is reported by `createApi` as "later": nothing else is asked with it.
  const mend = `Make a new token (${portal} › Bot › Reset Token) and set DISCORD_TOKEN; if it is right, check DISCORD_API_URL and the network.`
  const why =
    answer.kind === 'refused' ? `Discord answers ${answer.status}` : 'Discord does not take it or cannot be reached'
  return bad(`DISCORD_TOKEN: ${why}.`, mend)
}

function intentFinding(flags: number): Finding {
  if ((flags & appFlags.content) !== 0)
    return good('Discord: Clew may read replies in its threads, and for people (Message Content Intent).')
  return bad(
    'Discord: the Message Content Intent is off. Clew works by mention and in direct messages only, and reads nothing for people.',
    `${portal} › Bot › Privileged Gateway Intents › Message Content Intent`,
  )
}

/** C119: without it the tool that finds people is not offered, and everything else works. */
const membersFinding = (flags: number): Finding =>
  (flags & appFlags.members) !== 0
    ? good('Discord: tasks can find people by name (Server Members Intent).')
    : note(
        'Discord: tasks cannot find people by name, since the Server Members Intent is off.',
        `If they shall: ${portal} › Bot › Privileged Gateway Intents › Server Members Intent`,
      )

async function sessionFinding(api: Api): Promise<Finding> {
  const Info = z.object({ shards: z.number(), session_start_limit: z.object({ remaining: z.number() }) })
  const info = await get(api, Routes.gatewayBot(), Info)
  if (info.kind !== 'ok') return bad('Discord: it does not say where its gateway is.', 'Try again later.')
  const { shards, session_start_limit: limit } = info.value
  if (limit.remaining < 10)
    return bad(
      `Discord: only ${limit.remaining} new connections are left today.`,
      'Find out what starts Clew over and over; the number is renewed every day.',
    )
  return good(
    `Discord: ${shards} connection${shards === 1 ? '' : 's'} recommended, ${limit.remaining} starts left today.`,
  )
}

const names: readonly [bigint, string][] = [
  [1n << 10n, 'View Channel'],
  [1n << 11n, 'Send Messages'],
  [1n << 38n, 'Send Messages in Threads'],
  [1n << 35n, 'Create Public Threads'],
  [1n << 14n, 'Embed Links'],
  [1n << 15n, 'Attach Files'],
  [1n << 16n, 'Read Message History'],
  [1n << 6n, 'Add Reactions'],
]

const Channel = z.object({
  id: z.string(),
  name: z.string(),
  type: z.number(),
  permission_overwrites: z.array(Overwrite).default([]),
})

/** What is missing, channel by channel. */
async function permissionFinding(api: Api, guild: { id: string; name: string }, botId: string): Promise<Finding> {
  const [about, member, channels] = await Promise.all([
    get(api, Routes.guild(guild.id), Guild),
    get(api, Routes.guildMember(guild.id, botId), Member),
    get(api, Routes.guildChannels(guild.id), z.array(Channel)),
  ])
  if (about.kind !== 'ok' || member.kind !== 'ok' || channels.kind !== 'ok')
    return note(`${guild.name}: its permissions could not be looked at.`)
  const bot = { id: botId, roles: member.value.roles }
  const written = [types.text, types.announcement, types.forum] as const
  const lacking = channels.value
    .filter(({ type }) => written.some((one) => one === type))
    .flatMap((channel) => {
      const held = permissionsIn(guild.id, bot, about.value, channel.permission_overwrites)
      const missing = names.filter(([bit]) => (held & bit) === 0n).map(([, name]) => name)
      return missing.length === 0 ? [] : [`#${channel.name} lacks ${missing.join(', ')}`]
    })
  if (lacking.length === 0) return good(`${guild.name}: Clew may do everything it needs in all channels.`)
  const shown = [...lacking.slice(0, 8), ...(lacking.length > 8 ? [`and ${lacking.length - 8} more channels`] : [])]
  return bad(
    `${guild.name}: ${shown.join('; ')}.`,
    'In the channel: Edit Channel › Permissions › the role of Clew. A channel that is none of its business may stay as it is.',
  )
}

async function commandFindings(
  api: Api,
  id: string,
  guildIds: readonly string[],
  guilds: readonly { id: string; name: string }[],
): Promise<Finding[]> {
  const Names = z.array(z.object({ name: z.string() }))
  const stray = guildIds
    .filter((one) => !guilds.some((guild) => guild.id === one))
    .map((one) => bad(`DISCORD_GUILD_IDS: Clew is not in ${one}.`, `An admin there opens ${inviteLink(id)}`))
  const routes =
    guildIds.length === 0
      ? [Routes.applicationCommands(id)]
      : guildIds.map((guild) => Routes.applicationGuildCommands(id, guild))
  const found = await Promise.all(routes.map((route) => get(api, route, Names)))
  const registered = found.flatMap((one) => (one.kind === 'ok' ? one.value.map(({ name }) => `/${name}`) : []))
  const line: Finding =
    registered.length === 0
      ? note('Discord: no commands are registered yet.', 'Clew registers them when it starts.')
      : good(`Discord: the commands ${[...new Set(registered)].join(', ')} are registered.`)
  return [...stray, line]
}
