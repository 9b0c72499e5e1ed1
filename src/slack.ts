import type { SlackDeps } from './adapters/slack/deps.ts'
import { createHomeSections } from './adapters/slack/home-sections.ts'
import type { CommandEndpoint } from './agent/command-endpoint.ts'
import { scopeBy } from './agent/commands/scope.ts'
import type { Clock } from './agent/ports/clock.ts'
import type { Documents } from './agent/ports/documents.ts'
import type { Log } from './agent/ports/log.ts'
import type { Model } from './agent/ports/model.ts'
import type { Store } from './agent/ports/store.ts'
import { type Config, slackEntrance } from './config.ts'

/**
 * Slack from the settings; null when they name none or this process does not play its role. The SDK is loaded only here:
 * it takes a sixth of a second.
 */
export async function openSlack(
  config: Config,
  parts: { clock: Clock; log: Log; store: Store; endpoint: CommandEndpoint; model: Model; documents: Documents },
) {
  const entrance = slackEntrance(config)
  const access = accessOf(config)
  if (!config.ROLES.includes('slack') || entrance === null || access === null) return null
  const { createSlackChannel } = await import('./adapters/slack/adapter.ts')
  const { store } = parts
  const { see } = parts.model
  return createSlackChannel({
    ...parts,
    ...(see === undefined ? {} : { see }),
    home: createHomeSections({ ...store, scopeOf: scopeBy(config.TODO_SCOPE), clock: parts.clock }),
    entrance,
    access,
    notes: store.notes,
    conversations: store.conversations,
    runs: store.runs,
    inbox: store.inbox,
    apiUrl: config.SLACK_API_URL,
    linkHosts: config.LINK_HOSTS,
    defaults: { locale: config.DEFAULT_LOCALE, timeZone: config.DEFAULT_TIME_ZONE },
    progressEveryMs: config.SLACK_PROGRESS_MS,
  })
}

function accessOf(config: Config): SlackDeps['access'] | null {
  const { SLACK_BOT_TOKEN: botToken } = config
  if (botToken !== undefined) return { kind: 'token', botToken }
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = config
  const { SLACK_STATE_SECRET: stateSecret, ENCRYPTION_KEY: encryptionKey } = config
  if (!clientId || !clientSecret || !stateSecret || !encryptionKey) return null
  return { kind: 'oauth', clientId, clientSecret, stateSecret, encryptionKey }
}
