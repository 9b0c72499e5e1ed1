import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createSlackAdapter } from '@chat-adapter/slack'
import { serve } from '@hono/node-server'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { type HonoBindings, type HonoVariables, MastraServer } from '@mastra/hono'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { Hono } from 'hono'
import { createLocalDiscord } from './discord.ts'

/*
 * Mastra as its manual sets it up: "Slack" and "Discord" of its channels, storage as "Channels" recommends it, and of "Durable agents" the
 * flag, the checkpoints and the recovery of what a crash cut off, called at the start as its own server does.
 */

const { PORT, MODEL_URL = '', DATABASE_URL = '', DISCORD_BOT_TOKEN } = process.env
const provider = createOpenAICompatible({ name: 'scripted', baseURL: MODEL_URL, apiKey: 'none' })
const assistant = new Agent({
  id: 'assistant',
  name: 'Clew',
  instructions: 'You are a helpful assistant.',
  model: provider('scripted'),
  memory: new Memory(),
  durable: true,
  channels: {
    adapters:
      DISCORD_BOT_TOKEN === undefined
        ? { slack: createSlackAdapter() }
        : { discord: createLocalDiscord() },
  },
})
const mastra = new Mastra({
  agents: { assistant },
  storage: new LibSQLStore({ id: 'mastra-storage', url: DATABASE_URL }),
  recovery: { durableAgents: 'auto' },
})

const app = new Hono<{ Bindings: HonoBindings; Variables: HonoVariables }>()
const server = new MastraServer({ app, mastra })
await server.init()
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })
await mastra.recoverAllDurableAgents()
