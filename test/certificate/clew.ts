import { join } from 'node:path'
import { botEvents } from '../../src/adapters/slack/manifest.ts'
import type { System } from './system.ts'

/** Clew as `npm start` starts it, with a Redis, as its manual says for production. */
export const clew: System = {
  name: 'Clew',
  path: '/slack/events',
  events: botEvents,
  command: ({ port, slackUrl, botToken, signingSecret, modelUrl, redisUrl, folder }) => ({
    words: [process.execPath, 'start.mjs'],
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      REDIS_URL: redisUrl,
      LOG_LEVEL: 'error',
      OPENAI_BASE_URL: modelUrl,
      OPENAI_MODEL: 'scripted',
      SLACK_API_URL: slackUrl,
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
    },
  }),
}
