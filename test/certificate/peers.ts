import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Surroundings, System } from './system.ts'

const folder = join(import.meta.dirname, 'peers')
const keys = ({ port, botToken, signingSecret, modelUrl }: Surroundings) => ({
  ...{ EVE_TELEMETRY_DISABLED: '1', MASTRA_TELEMETRY_DISABLED: '1' },
  ...{ NODE_ENV: 'production', PORT: String(port), MODEL_URL: modelUrl },
  ...{ SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret },
})

/** Chat SDK of Vercel, with its Redis state; subscribed as its guide's manifest is. */
export const chat: System = {
  name: 'Chat SDK',
  path: '/api/webhooks/slack',
  events: ['app_mention', 'message.channels', 'message.groups', 'message.im', 'message.mpim'],
  command: (around) => ({
    words: [process.execPath, 'chat.ts'],
    cwd: folder,
    env: { ...keys(around), SLACK_API_URL: around.slackUrl, REDIS_URL: around.redisUrl },
  }),
}

/** Mastra with its Slack channel, a database in a file, and durable agents that are taken up at the start. */
export const mastra: System = {
  name: 'Mastra',
  path: '/api/agents/assistant/channels/slack/webhook',
  events: ['app_mention', 'message.channels', 'message.im'],
  command: (around) => ({
    words: [process.execPath, 'mastra.ts'],
    cwd: folder,
    env: {
      ...keys(around),
      SLACK_API_URL: around.slackUrl,
      DATABASE_URL: `file:${join(around.folder, 'mastra.db')}`,
    },
  }),
}

const environmentOfEve = (around: Surroundings) => ({
  ...keys(around),
  SLACK_URL: around.slackUrl,
})

/** eve as its manual hosts it by oneself: built once, then its server, with its workflow's state on disk. */
export const eve: System = {
  name: 'eve',
  path: '/eve/v1/slack',
  events: ['app_mention', 'message.im'],
  async prepare(around) {
    cpSync(join(folder, 'eve'), around.folder, { recursive: true })
    symlinkSync(join(folder, 'node_modules'), join(around.folder, 'node_modules'))
    const env = { ...process.env, ...environmentOfEve(around) }
    const words = [join(folder, 'node_modules/eve/bin/eve.js'), 'build']
    const { status } = spawnSync(process.execPath, words, {
      ...{ cwd: around.folder, env, stdio: ['ignore', 'ignore', 'inherit'] },
    })
    if (status !== 0) throw new Error(`eve could not be built: ${status}`)
  },
  command: (around) => ({
    words: [process.execPath, join(folder, 'node_modules/eve/bin/eve.js'), 'start'],
    cwd: around.folder,
    env: environmentOfEve(around),
  }),
}
