import { z } from 'zod'
import { list, optional, whole } from '../../config/values.ts'
import { missingToSignIn, type SharedSettings } from '../channel-kit/own-channel.ts'
import { isWrapped, unwrapped } from '../channel-kit/token.ts'
import type { SlackAccess, SlackDeps } from './deps.ts'

/**
 * Token that begins with a prefix, and nothing around it. The error names the other setting if the
 * two are swapped (C446).
 */
const tokenOf = (kind: string, prefix: string, other: { setting: string; prefix: string }) =>
  optional.refine(
    (token) => token === undefined || (token.startsWith(prefix) && !isWrapped(token)),
    {
      error: ({ input }) => {
        const token = String(input)
        if (unwrapped(token).startsWith(other.prefix))
          return `holds the token of ${other.setting} (${other.prefix}): the two are swapped`
        const fault = `is not ${kind} (it begins with ${prefix})`
        return isWrapped(token)
          ? `${fault}: write the token alone, without quotes, “Bearer” or “Bot”`
          : fault
      },
    },
  )
const bot = { setting: 'SLACK_BOT_TOKEN', prefix: 'xoxb-' }
const app = { setting: 'SLACK_APP_TOKEN', prefix: 'xapp-' }

export const slackSettings = {
  SLACK_BOT_TOKEN: tokenOf('a bot token', bot.prefix, app),
  SLACK_APP_TOKEN: tokenOf('an app-level token', app.prefix, bot),
  SLACK_SIGNING_SECRET: optional,
  ALLOWED_APPS: list
    .pipe(z.array(z.string().regex(/^[AB][A-Z0-9]+$/, 'is not a list of app ids (A…)')))
    .default([]),
  SLACK_CLIENT_ID: optional,
  SLACK_CLIENT_SECRET: optional,
  SLACK_STATE_SECRET: z.string().min(16, 'is shorter than 16 characters').optional(),
  SLACK_API_URL: z.url('is not a URL').default('https://slack.com/api/'),
  SLACK_PROGRESS_MS: whole(0, 60_000).default(1_500),
}
export type SlackSettings = z.infer<z.ZodObject<typeof slackSettings>> & SharedSettings

/**
 * Returns the transport of events: sockets with an app-level token, else signed requests, else
 * `null`.
 */
export function slackEntrance(settings: SlackSettings): SlackDeps['entrance'] | null {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = settings
  if (appToken !== undefined) return { kind: 'socket', appToken }
  return signingSecret === undefined ? null : { kind: 'http', signingSecret }
}

/** Returns the access to Slack, or `null` if a setting is missing. */
export function slackAccess(settings: SlackSettings): SlackAccess | null {
  const { SLACK_BOT_TOKEN: botToken } = settings
  if (botToken !== undefined) return { kind: 'token', botToken }
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = settings
  const { SLACK_STATE_SECRET: stateSecret, ENCRYPTION_KEY: encryptionKey } = settings
  if (!clientId || !clientSecret || !stateSecret || !encryptionKey) return null
  return { kind: 'oauth', clientId, clientSecret, stateSecret, encryptionKey }
}

/**
 * True if the app's id and secret serve only to sign people in on the page, not to install it in
 * several workspaces.
 */
const onlySignsIn = ({ WEB_URL, SLACK_BOT_TOKEN, SLACK_STATE_SECRET }: SlackSettings) =>
  WEB_URL !== undefined && SLACK_BOT_TOKEN !== undefined && SLACK_STATE_SECRET === undefined

/** Lists settings that make no sense without another one. */
export function contradictionsOf(settings: SlackSettings): string[] {
  const problems: string[] = []
  const {
    SLACK_BOT_TOKEN,
    SLACK_CLIENT_ID,
    SLACK_CLIENT_SECRET,
    SLACK_STATE_SECRET,
    ENCRYPTION_KEY,
  } = settings
  const entrance = slackEntrance(settings)
  const oauth = { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_STATE_SECRET, ENCRYPTION_KEY }
  const hasApp = SLACK_CLIENT_ID !== undefined || SLACK_CLIENT_SECRET !== undefined
  const installs = hasApp && !onlySignsIn(settings)
  if ((SLACK_BOT_TOKEN !== undefined || installs) && entrance === null)
    problems.push(
      'SLACK_APP_TOKEN: is missing (Socket Mode), or SLACK_SIGNING_SECRET (HTTP): Slack needs one of them',
    )
  if (SLACK_BOT_TOKEN === undefined && !installs && entrance !== null)
    problems.push(
      'SLACK_BOT_TOKEN: is missing; it is on the page "OAuth & Permissions" of your Slack app',
    )
  if (installs) {
    for (const [name, value] of Object.entries(oauth))
      if (value === undefined)
        problems.push(`${name}: is missing; installing in several workspaces needs it`)
    if (SLACK_BOT_TOKEN !== undefined)
      problems.push(
        'SLACK_BOT_TOKEN: is for one workspace; leave it out where SLACK_CLIENT_ID installs in several',
      )
  }
  const needsWeb = entrance?.kind === 'http' || installs
  if (needsWeb && settings.ROLES.includes('slack') && !settings.ROLES.includes('web'))
    problems.push('ROLES: slack over HTTP is served by the role web, so a process needs both')
  if (hasApp && !installs)
    problems.push(...missingToSignIn({ SLACK_CLIENT_ID, SLACK_CLIENT_SECRET }))
  return problems
}
