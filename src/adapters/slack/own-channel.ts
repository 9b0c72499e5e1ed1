import type { OwnChannel } from '../channel-kit/own-channel.ts'
import { traits } from './deps.ts'
import { contradictionsOf, type SlackSettings, slackAccess, slackEntrance } from './settings.ts'

export const slack = {
  platform: 'slack',
  label: 'Slack',
  traits,
  isConnected: ({ SLACK_BOT_TOKEN: token, SLACK_CLIENT_ID: app }) => (token ?? app) !== undefined,
  contradictions: contradictionsOf,

  async open(settings, deps) {
    const [entrance, access] = [slackEntrance(settings), slackAccess(settings)]
    if (entrance === null || access === null) return null
    const { createSlackChannel } = await import('./adapter.ts')
    const { SLACK_API_URL: apiUrl, SLACK_PROGRESS_MS: progressEveryMs } = settings
    const { ALLOWED_APPS: allowedApps } = settings
    const own = { entrance, access, allowedApps, apiUrl, progressEveryMs }
    return createSlackChannel({ ...deps, ...own })
  },

  async openMembers(settings, deps) {
    const {
      SLACK_CLIENT_ID: clientId,
      SLACK_CLIENT_SECRET: clientSecret,
      SLACK_API_URL: apiUrl,
    } = settings
    const access = slackAccess(settings)
    if (access === null || !clientId || !clientSecret) return null
    const { createSlackMembers } = await import('./members.ts')
    return createSlackMembers({ ...deps, clientId, clientSecret, access, apiUrl })
  },
  async openPlaces(settings, deps) {
    const access = slackAccess(settings)
    if (access === null) return null
    const { createSlackPlaces } = await import('./members.ts')
    return createSlackPlaces({ ...deps, access, apiUrl: settings.SLACK_API_URL })
  },
  signIn: {
    settings: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'],
    redirects: ({ slack }) => slack.redirects,
  },

  async guide(words) {
    const { manifest } = await import('./manifest.ts')
    const link = new URL('https://api.slack.com/apps?new_app=1')
    link.searchParams.set('manifest_json', JSON.stringify(manifest({ kind: 'socket' })))
    return {
      link: link.href,
      before: words.slackCreate,
      questions: [
        ['SLACK_BOT_TOKEN', words.slackBot],
        ['SLACK_APP_TOKEN', words.slackApp],
      ],
      after: words.slackInvite,
    }
  },

  async examine(settings) {
    const { examineSlack } = await import('./doctor.ts')
    return await examineSlack({
      apiUrl: settings.SLACK_API_URL,
      botToken: settings.SLACK_BOT_TOKEN ?? null,
      appToken: settings.SLACK_APP_TOKEN ?? null,
      signingSecret: settings.SLACK_SIGNING_SECRET ?? null,
      installs: settings.SLACK_CLIENT_ID !== undefined,
    })
  },
} as const satisfies OwnChannel<SlackSettings>
