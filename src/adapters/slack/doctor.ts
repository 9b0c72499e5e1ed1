import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { z } from 'zod'
import { bad, type Finding, type FindingText, good, note } from '../channel-kit/findings.ts'
import { createWebClient, problemOf } from './api.ts'
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
  const findings: Finding[] = []
  if (patient.botToken === null && !patient.installs)
    return [
      note(({ slack }) => [slack.none, slack.noneMend], {
        env: ['SLACK_BOT_TOKEN=', 'SLACK_APP_TOKEN='],
        manual,
      }),
    ]
  if (patient.botToken !== null)
    findings.push(...(await examineBot(patient.botToken, patient.apiUrl)))
  findings.push(await examineEntrance(patient))
  findings.push(note(({ slack }) => [slack.events, slack.eventsMend], { manual }))
  return findings
}

async function examineBot(token: string, apiUrl: string): Promise<Finding[]> {
  const client = createWebClient(token, apiUrl)
  try {
    const who = AuthTest.parse(await client.auth.test())
    const scopes = who.response_metadata?.scopes ?? []
    const missing = botScopes.filter((scope) => !scopes.includes(scope))
    return [
      good(() => `SLACK_BOT_TOKEN: ${who.user}, ${who.team} (${who.team_id}).`),
      ...missing.map(missingScope),
      ...(missing.length === 0 ? [good(({ slack }) => slack.scopesGranted)] : []),
      ...(missing.includes('channels:read') ? [] : [await examineChannels(client)]),
    ]
  } catch (error) {
    const isRefused = error instanceof WebAPIPlatformError
    return [
      failed('SLACK_BOT_TOKEN', error, ({ slack }) =>
        isRefused ? slack.tokenMend : slack.networkMend,
      ),
    ]
  }
}

function missingScope(scope: string): Finding {
  return bad(
    ({ slack }) => {
      const reasons: Readonly<Record<string, string>> = slack.scopes
      return [slack.scopeMissing(scope, reasons[scope] ?? scope), slack.scopeMend(scope)]
    },
    { manual },
  )
}

async function examineChannels(client: WebClient): Promise<Finding> {
  try {
    const args = { types: 'public_channel,private_channel', exclude_archived: true, limit: 200 }
    const { items } = Channels.parse(await client.users.conversations(args))
    const names = items.map(({ id, name }) => `#${name ?? id}`)
    if (names.length === 0) return note(({ slack }) => [slack.noChannel, slack.noChannelMend])
    return good(({ slack }) => slack.channels(names.slice(0, 8).join(', '), names.length - 8))
  } catch (error) {
    const reason = reasonOf(error)
    return note((words, all) => words.slack.channelsUnknown(reason(words, all)))
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

function failed(setting: string, error: unknown, mend: FindingText): Finding {
  const reason = reasonOf(error)
  return bad((words, all) => [`${setting}: ${reason(words, all)}.`, mend(words, all)], {
    env: [`${setting}=`],
    manual,
  })
}

function reasonOf(error: unknown): FindingText {
  if (error instanceof WebAPIPlatformError) {
    const { error: code, needed } = Refused.parse(error.data)
    return ({ slack }) => slack.answers(code, needed)
  }
  const isAway = problemOf(error).kind === 'later'
  return ({ slack }) => (isAway ? slack.away : slack.unclear)
}

const Refused = z.object({ error: z.string(), needed: z.string().nullable().catch(null) })
