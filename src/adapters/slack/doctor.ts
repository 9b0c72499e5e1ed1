import { WebAPIPlatformError, WebAPIRequestError, type WebClient } from '@slack/web-api'
import { z } from 'zod'
import { present } from '../../agent/domain/present.ts'
import { bad, type Finding, type FindingText, good, note } from '../channel-kit/findings.ts'
import { createWebClient } from './api.ts'
import { botScopes } from './manifest.ts'
import { Channels } from './paging.ts'

export interface SlackPatient {
  apiUrl: string
  botToken: string | null
  appToken: string | null
  signingSecret: string | null
  /** True if workspaces install the app by OAuth, so no token can be checked. */
  installs: boolean
}

const manual = 'slack'
const AuthTest = z.looseObject({
  team: z.string().default(''),
  team_id: z.string(),
  user: z.string().default(''),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).default([]) }).optional(),
})

/** Checks the Slack settings against its API. Never throws. */
export async function examineSlack(patient: SlackPatient): Promise<Finding[]> {
  if (patient.botToken === null && !patient.installs)
    return [
      note(({ slack }) => [slack.none, slack.noneMend], {
        env: ['SLACK_BOT_TOKEN=', 'SLACK_APP_TOKEN='],
        manual,
      }),
    ]
  const bot =
    patient.botToken === null
      ? [note(({ slack }) => slack.unlooked)]
      : await examineBot(patient.botToken, patient.apiUrl)
  const findings = new Set([...bot, await examineEntrance(patient)])
  return [...findings, note(({ slack }) => [slack.events, slack.eventsMend], { manual })]
}

async function examineBot(token: string, apiUrl: string): Promise<Finding[]> {
  const client = createWebClient(token, apiUrl)
  try {
    const who = AuthTest.parse(await client.auth.test())
    const scopes = who.response_metadata?.scopes ?? []
    const missing = botScopes.filter((scope) => !scopes.includes(scope))
    return present([
      good(() => `SLACK_BOT_TOKEN: ${who.user}, ${who.team} (${who.team_id}).`),
      ...missing.map(missingScope),
      missing.length === 0 && good(({ slack }) => slack.scopesGranted),
      ...(await examineChannels(client, scopes)),
    ])
  } catch (error) {
    return [failed('SLACK_BOT_TOKEN', error, ({ slack }) => slack.tokenMend)]
  }
}

/** Scopes without which all but one kind of request works. */
const optional = ['canvases:write']

function missingScope(scope: string): Finding {
  const finding = optional.includes(scope) ? note : bad
  return finding(
    ({ slack }) => {
      const reasons: Readonly<Record<string, string>> = slack.scopes
      return [slack.scopeMissing(scope, reasons[scope] ?? scope), slack.scopeMend(scope)]
    },
    { manual },
  )
}

/** Lists the channels of the kinds that the scopes allow: a missing scope is told once. */
async function examineChannels(client: WebClient, scopes: readonly string[]): Promise<Finding[]> {
  const kinds = ['public_channel', 'private_channel'].filter((kind) =>
    scopes.includes(kind === 'public_channel' ? 'channels:read' : 'groups:read'),
  )
  if (kinds.length === 0) return []
  try {
    const args = { types: kinds.join(','), exclude_archived: true, limit: 200 }
    const { items } = Channels.parse(await client.users.conversations(args))
    const names = items.map(({ id, name }) => `#${name ?? id}`)
    if (names.length === 0) return [note(({ slack }) => [slack.noChannel, slack.noChannelMend])]
    return [good(({ slack }) => slack.channels(names.slice(0, 8).join(', '), names.length - 8))]
  } catch (error) {
    const reason = reasonOf(error)
    return [note((words, all) => words.slack.channelsUnknown(reason(words, all)))]
  }
}

async function examineEntrance({
  appToken,
  apiUrl,
  signingSecret,
}: SlackPatient): Promise<Finding> {
  if (appToken === null) {
    if (signingSecret !== null)
      return note(({ slack }) => [slack.overHttp, slack.overHttpMend], { manual })
    return bad(({ slack }) => [slack.noEntrance, slack.noEntranceMend], {
      env: ['SLACK_APP_TOKEN='],
      manual,
    })
  }
  try {
    await createWebClient(appToken, apiUrl).apps.connections.open()
    return good(({ slack }) => slack.socket)
  } catch (error) {
    return failed('SLACK_APP_TOKEN', error, ({ slack }) => slack.socketMend)
  }
}

/**
 * Findings about a network without Slack, where the tokens may be right. Told once for all of them.
 */
const away = bad(({ slack }) => [`${slack.away}.`, slack.networkMend], { manual })
const unclear = bad(({ slack }) => [`${slack.unclear}.`, slack.networkMend], { manual })

function failed(setting: string, error: unknown, mend: FindingText): Finding {
  if (error instanceof WebAPIRequestError) return away
  if (!(error instanceof WebAPIPlatformError)) return unclear
  const reason = reasonOf(error)
  return bad((words, all) => [`${setting}: ${reason(words, all)}.`, mend(words, all)], {
    env: [`${setting}=`],
    manual,
  })
}

function reasonOf(error: unknown): FindingText {
  if (error instanceof WebAPIRequestError) return ({ slack }) => slack.away
  if (!(error instanceof WebAPIPlatformError)) return ({ slack }) => slack.unclear
  const { error: code, needed } = Refused.parse(error.data)
  return ({ slack }) => slack.answers(code, needed)
}

const Refused = z.object({ error: z.string(), needed: z.string().nullable().catch(null) })
