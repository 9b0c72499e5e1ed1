import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { DiscordSide, SlackSide, Surroundings, System } from './system.ts'

const folder = join(import.meta.dirname, 'peers')
const environmentOf = ({ port, keys, modelUrl }: Surroundings) => ({
  EVE_TELEMETRY_DISABLED: '1',
  MASTRA_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'production',
  PORT: String(port),
  MODEL_URL: modelUrl,
  ...keys,
})

const slackKeys: SlackSide['keys'] = ({ url, botToken, signingSecret }) => ({
  SLACK_API_URL: url,
  SLACK_BOT_TOKEN: botToken,
  SLACK_SIGNING_SECRET: signingSecret,
})

/** Discord's adapter of Chat SDK, which Mastra takes too. Nothing is signed with the key: the gateway tells of everything. */
const discord: DiscordSide = {
  ownRules: false,
  keys: ({ url, botToken, applicationId }) => ({
    DISCORD_API_URL: `${url}/v10`,
    DISCORD_BOT_TOKEN: botToken,
    DISCORD_APPLICATION_ID: applicationId,
    DISCORD_PUBLIC_KEY: '0'.repeat(64),
  }),
}

/** Chat SDK of Vercel, with its Redis state; subscribed as its guide's manifest is. */
export const chat: System = {
  name: 'Chat SDK',
  slack: {
    path: '/api/webhooks/slack',
    events: ['app_mention', 'message.channels', 'message.groups', 'message.im', 'message.mpim'],
    keys: slackKeys,
  },
  discord,
  command: (around) => ({
    words: [process.execPath, 'chat.ts'],
    cwd: folder,
    env: { ...environmentOf(around), REDIS_URL: around.redisUrl },
  }),
}

/** Mastra with its Slack channel, a database in a file, and durable agents that are taken up at the start. */
export const mastra: System = {
  name: 'Mastra',
  slack: {
    path: '/api/agents/assistant/channels/slack/webhook',
    events: ['app_mention', 'message.channels', 'message.im'],
    keys: slackKeys,
  },
  discord,
  command: (around) => ({
    words: [process.execPath, 'mastra.ts'],
    cwd: folder,
    env: {
      ...environmentOf(around),
      DATABASE_URL: `file:${join(around.folder, 'mastra.db')}`,
    },
  }),
}

/** eve as its manual hosts it by oneself: built once, then its server, with its workflow's state on disk. Its Discord channel takes commands, no messages. */
export const eve: System = {
  name: 'eve',
  slack: { path: '/eve/v1/slack', events: ['app_mention', 'message.im'], keys: slackKeys },
  async prepare(around) {
    cpSync(join(folder, 'eve'), around.folder, { recursive: true })
    symlinkSync(join(folder, 'node_modules'), join(around.folder, 'node_modules'))
    const env = { ...process.env, ...environmentOf(around) }
    const words = [join(folder, 'node_modules/eve/bin/eve.js'), 'build']
    const { status } = spawnSync(process.execPath, words, {
      ...{ cwd: around.folder, env, stdio: ['ignore', 'ignore', 'inherit'] },
    })
    if (status !== 0) throw new Error(`eve could not be built: ${status}`)
  },
  command: (around) => ({
    words: [process.execPath, join(folder, 'node_modules/eve/bin/eve.js'), 'start'],
    cwd: around.folder,
    env: environmentOf(around),
  }),
}
