import { join } from 'node:path'
import { botEvents } from '../../src/adapters/slack/manifest.ts'
import type { System } from './system.ts'

/** Clew as `npm start` starts it, with a Redis, as its manual says for production. */
export const clew: System = {
  name: 'Clew',
  slack: {
    path: '/slack/events',
    events: botEvents,
    keys: ({ url, botToken, signingSecret }) => ({
      SLACK_API_URL: url,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
    }),
  },
  discord: {
    ownRules: true,
    keys: ({ url, botToken }) => ({ DISCORD_API_URL: url, DISCORD_TOKEN: botToken }),
  },
  command: ({ port, keys, modelUrl, redisUrl, folder }) => ({
    words: [process.execPath, 'start.mjs'],
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      REDIS_URL: redisUrl,
      LOG_LEVEL: 'error',
      OPENAI_BASE_URL: modelUrl,
      OPENAI_MODEL: 'scripted',
      ...keys,
    },
  }),
}
