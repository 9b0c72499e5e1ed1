import { ChannelType, Routes } from 'discord.js'
import { z } from 'zod'
import { present } from '../../agent/domain/present.ts'
import { silent } from '../../agent/ports/log.ts'
import { bad, type Finding, good, note } from '../channel-kit/findings.ts'
import { isWrapped } from '../channel-kit/token.ts'
import { type Api, createApi, type Failure, get } from './api.ts'

import { appFlags, heldBy, Overwrite, permissions } from './permissions.ts'

export interface DiscordPatient {
  token: string | null
  apiUrl: string | null
  guildIds: readonly string[]
}

const manual = 'discord'
const application = 'discord/1-make-the-application'
const ofToken = { env: ['DISCORD_TOKEN='], manual: application }

/** Builds the link that invites Clew to a server, with exactly the permissions that it uses. */
const inviteLink = (applicationId: string) =>
  `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`

/** Checks the Discord settings against its API. Changes nothing. Never throws. */
export async function examineDiscord({
  token,
  apiUrl,
  guildIds,
}: DiscordPatient): Promise<Finding[]> {
  if (token === null) return [note(({ discord }) => [discord.none, discord.noneMend], ofToken)]
  if (isWrapped(token))
    return [bad(({ discord }) => [discord.wrapped, discord.wrappedMend], ofToken)]
  let isWrong = false
  const api = createApi({
    token,
    apiUrl,
    clock: { now: () => 0 },
    log: silent,
    onRefused: () => {
      isWrong = true
    },
  })
  const application = await get(api, Routes.currentApplication(), Application)
  if (application.kind !== 'ok') return [tokenFinding(application, isWrong)]
  const { id, name, flags, bot = { id } } = application.value
  const guilds = await get(
    api,
    Routes.userGuilds(),
    z.array(z.object({ id: z.string(), name: z.string() })),
  )
  const list = guilds.kind === 'ok' ? guilds.value : []
  const own = { botId: bot.id, invite: inviteLink(id) }
  const permissionsOf = await Promise.all(
    list.slice(0, lookedAt).map((guild) => permissionFindings(api, guild, own)),
  )
  return present([
    good(() => `DISCORD_TOKEN: ${name} (${id}).`),
    intentFinding(flags),
    membersFinding(flags),
    await sessionFinding(api),
    list.length === 0 && noGuild(id),
    ...permissionsOf.flat(),
    list.length > lookedAt && note(({ discord }) => discord.lookedAt(lookedAt, list.length)),
    ...(await commandFindings(api, id, guildIds, list)),
    note(({ discord }) => discord.link(inviteLink(id))),
  ])
}

/** Application. In old applications the bot has its own id. */
const Application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.number().default(0),
  bot: z.object({ id: z.string() }).optional(),
})

const noGuild = (id: string): Finding =>
  bad(({ discord }) => [discord.noGuild, discord.invite(inviteLink(id))], {
    manual: 'discord/3-invite-it',
  })

/** Most servers whose permissions are checked. */
const lookedAt = 10

/**
 * Builds the finding about a failed check of the token.
 *
 * @param isWrong true if Discord does not know the token.
 */
function tokenFinding(answer: Failure, isWrong: boolean): Finding {
  if (isWrong) return bad(({ discord }) => [discord.wrongToken, discord.tokenMend], ofToken)
  return answer.kind === 'refused'
    ? bad(({ discord }) => [discord.refused(answer.status), discord.networkMend], { manual })
    : bad(({ discord }) => [discord.away, discord.networkMend], { manual })
}

const intentFinding = (flags: number): Finding =>
  (flags & appFlags.content) !== 0
    ? good(({ discord }) => discord.reads)
    : bad(({ discord }) => [discord.noReads, discord.noReadsMend], { manual: application })

/**
 * C119: builds the finding about the Server Members Intent. Without it, only the tool that finds
 * people is missing.
 */
const membersFinding = (flags: number): Finding =>
  (flags & appFlags.members) !== 0
    ? good(({ discord }) => discord.finds)
    : note(({ discord }) => [discord.noFinds, discord.noFindsMend], { manual: application })

async function sessionFinding(api: Api): Promise<Finding> {
  const Info = z.object({
    shards: z.number(),
    session_start_limit: z.object({ remaining: z.number() }),
  })
  const info = await get(api, Routes.gatewayBot(), Info)
  if (info.kind !== 'ok') return bad(({ discord }) => [discord.noGateway, discord.later])
  const { shards, session_start_limit: limit } = info.value
  if (limit.remaining >= 10) return good(({ discord }) => discord.starts(shards, limit.remaining))
  return bad(({ discord }) => [discord.fewStarts(limit.remaining), discord.fewStartsMend])
}

const Channel = z.object({
  id: z.string(),
  name: z.string(),
  type: z.number(),
  permission_overwrites: z.array(Overwrite).default([]),
})

const written = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
] as const

/**
 * Finds missing permissions: those that the role lacks in general once, the rest for each channel.
 */
async function permissionFindings(
  api: Api,
  guild: { id: string; name: string },
  { botId, invite }: { botId: string; invite: string },
): Promise<Finding[]> {
  const [held, channels] = await Promise.all([
    heldBy(api, guild.id, botId),
    get(api, Routes.guildChannels(guild.id), z.array(Channel)),
  ])
  if (held.kind !== 'ok' || channels.kind !== 'ok')
    return [note(({ discord }) => discord.unseen(guild.name))]
  const byRole = held.value([]).lacks
  const lacking = channels.value
    .filter(({ type }) => written.some((one) => one === type))
    .flatMap((channel) => {
      const { lacks } = held.value(channel.permission_overwrites)
      const missing = lacks.filter((name) => !byRole.includes(name)).join(', ')
      return missing === '' ? [] : [{ channel: channel.name, missing }]
    })
  const { name } = guild
  const findings = present([
    byRole.length > 0 && roleFinding(name, byRole, invite),
    lacking.length > 0 && channelsFinding(name, lacking),
  ])
  return findings.length === 0 ? [good(({ discord }) => discord.mayAll(name))] : findings
}

const roleFinding = (guild: string, missing: readonly string[], invite: string): Finding =>
  bad(({ discord }) => [
    discord.lacking(guild, discord.roleLacks(missing.join(', '))),
    discord.roleMend(invite),
  ])

const channelsFinding = (
  guild: string,
  lacking: readonly { channel: string; missing: string }[],
): Finding =>
  bad(({ discord }) => {
    const shown = lacking.slice(0, 8).map(({ channel, missing }) => discord.lacks(channel, missing))
    const more = lacking.length > 8 ? [discord.moreChannels(lacking.length - 8)] : []
    return [discord.lacking(guild, [...shown, ...more].join('; ')), discord.lackingMend]
  })

async function commandFindings(
  api: Api,
  id: string,
  guildIds: readonly string[],
  guilds: readonly { id: string; name: string }[],
): Promise<Finding[]> {
  const Names = z.array(z.object({ name: z.string() }))
  const stray = guildIds
    .filter((one) => !guilds.some((guild) => guild.id === one))
    .map((one) => bad(({ discord }) => [discord.stray(one), discord.inviteThere(inviteLink(id))]))
  const routes =
    guildIds.length === 0
      ? [Routes.applicationCommands(id)]
      : guildIds.map((guild) => Routes.applicationGuildCommands(id, guild))
  const found = await Promise.all(routes.map((route) => get(api, route, Names)))
  const registered = found.flatMap((one) =>
    one.kind === 'ok' ? one.value.map(({ name }) => `/${name}`) : [],
  )
  const line =
    registered.length === 0
      ? note(({ discord }) => [discord.noCommands, discord.noCommandsMend])
      : good(({ discord }) => discord.commands([...new Set(registered)].join(', ')))
  return [...stray, line]
}
