import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { z } from 'zod'
import { bad, type Finding, good, note } from '../channel-kit/findings.ts'
import { createWebClient, problemOf } from './api.ts'
import { botScopes, scopeReasons } from './manifest.ts'

export interface SlackPatient {
  apiUrl: string
  botToken: string | null
  appToken: string | null
  signingSecret: string | null
  /** The app installs itself in workspaces; there is no token to look at. */
  installs: boolean
}

const page = 'https://api.slack.com/apps (your app)'
const oauthPage = `${page} › OAuth & Permissions`
const AuthTest = z.looseObject({
  team: z.string().default(''),
  team_id: z.string(),
  user: z.string().default(''),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).default([]) }).optional(),
})
const Channels = z.looseObject({ channels: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })) })

/** Examines everything about Slack that its API tells. Never throws. */
export async function examineSlack(patient: SlackPatient): Promise<Finding[]> {
  const findings: Finding[] = []
  if (patient.botToken === null && !patient.installs)
    return [note('Slack: not set up.', 'docs/slack.md says how, in one page.')]
  if (patient.botToken !== null) findings.push(...(await examineBot(patient.botToken, patient.apiUrl)))
  findings.push(await examineEntrance(patient))
  findings.push(
    note(
      'Slack: which events the app is subscribed to cannot be asked with these tokens.',
      `Compare ${page} › App Manifest with the output of \`npm run manifest\`.`,
    ),
  )
  return findings
}

async function examineBot(token: string, apiUrl: string): Promise<Finding[]> {
  const client = createWebClient(token, apiUrl)
  try {
    const who = AuthTest.parse(await client.auth.test())
    const scopes = who.response_metadata?.scopes ?? []
    const missing = botScopes.filter((scope) => !scopes.includes(scope))
    return [
      good(`SLACK_BOT_TOKEN: ${who.user} in ${who.team} (${who.team_id}).`),
      ...missing.map(missingScope),
      ...(missing.length === 0 ? [good('Slack: all scopes are granted.')] : []),
      ...(missing.includes('channels:read') ? [] : [await examineChannels(client)]),
    ]
  } catch (error) {
    return [bad(`SLACK_BOT_TOKEN: ${reasonOf(error)}.`, mendToken(error))]
  }
}

function missingScope(scope: string): Finding {
  const reason = Object.entries(scopeReasons).find(([name]) => name === scope)?.[1] ?? 'work'
  return bad(
    `Slack: the scope ${scope} is missing; Clew cannot ${reason}.`,
    `${oauthPage} › Bot Token Scopes › Add an OAuth Scope › ${scope}, then "Reinstall to Workspace".`,
  )
}

async function examineChannels(client: WebClient): Promise<Finding> {
  try {
    const args = { types: 'public_channel,private_channel', exclude_archived: true, limit: 200 }
    const { channels } = Channels.parse(await client.users.conversations(args))
    const names = channels.map(({ id, name }) => `#${name ?? id}`)
    if (names.length === 0) return note('Slack: Clew is in no channel.', 'Write /invite @Clew in a channel.')
    const more = names.length > 8 ? ` and ${names.length - 8} more` : ''
    return good(`Slack: Clew is in ${names.slice(0, 8).join(', ')}${more}.`)
  } catch (error) {
    return note(`Slack: its channels could not be listed (${reasonOf(error)}).`)
  }
}

async function examineEntrance({ appToken, apiUrl, signingSecret }: SlackPatient): Promise<Finding> {
  if (appToken === null) {
    if (signingSecret !== null)
      return note(
        'Slack: events come over HTTP; whether SLACK_SIGNING_SECRET is right shows with the first one.',
        `${page} › Event Subscriptions: the Request URL ends in /slack/events and says "Verified".`,
      )
    return bad(
      'Slack: neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set, so no event can come in.',
      `${page} › Basic Information › App-Level Tokens (Socket Mode) or Signing Secret (HTTP).`,
    )
  }
  try {
    await createWebClient(appToken, apiUrl).apps.connections.open()
    return good('SLACK_APP_TOKEN: Socket Mode can be opened.')
  } catch (error) {
    return bad(
      `SLACK_APP_TOKEN: ${reasonOf(error)}.`,
      `${page} › Basic Information › App-Level Tokens: one with the scope connections:write; and Socket Mode › Enable.`,
    )
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WebAPIPlatformError) {
    const needed: unknown = 'needed' in error.data ? error.data.needed : null
    const scope = typeof needed === 'string' ? ` (it needs ${needed})` : ''
    return `Slack answers ${error.data.error}${scope}`
  }
  return problemOf(error).kind === 'later' ? 'Slack cannot be reached from here' : 'Slack gave no usable answer'
}

function mendToken(error: unknown): string {
  if (error instanceof WebAPIPlatformError)
    return `${oauthPage} › Bot User OAuth Token: copy it again (it begins with xoxb-); after "Reinstall" it is another one.`
  return 'Check the network and SLACK_API_URL.'
}
