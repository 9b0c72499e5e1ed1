import { setTimeout as wait } from 'node:timers/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createSlackAdapter } from '@chat-adapter/slack'
import { createRedisState } from '@chat-adapter/state-redis'
import { serve } from '@hono/node-server'
import { ToolLoopAgent } from 'ai'
import { Chat, type Message, type MessageContext, type Thread } from 'chat'
import { Hono } from 'hono'
import { createLocalDiscord } from './discord.ts'

/*
 * Chat SDK as its guides set it up: "How to build an AI agent for Slack with Chat SDK and AI SDK" with Redis state, a route in
 * Hono, and the strategy `queue` of "Overlapping Messages" ("never lose messages"), whose example hands the model all messages
 * that came meanwhile. Entries of the queue are kept for an hour instead of 90 seconds. On Discord the gateway's listener of the
 * adapter's manual for a process that stays: without `webhookUrl`, begun again when it ends.
 */

const { PORT, MODEL_URL = '', DISCORD_BOT_TOKEN } = process.env
const provider = createOpenAICompatible({ name: 'scripted', baseURL: MODEL_URL, apiKey: 'none' })
const agent = new ToolLoopAgent({
  model: provider('scripted'),
  instructions: 'You are a helpful AI assistant in a Slack workspace.',
})
const discord = DISCORD_BOT_TOKEN === undefined ? null : createLocalDiscord()
const bot = new Chat({
  userName: 'clew',
  adapters: discord === null ? { slack: createSlackAdapter() } : { discord },
  state: createRedisState(),
  concurrency: { strategy: 'queue', maxQueueSize: 1_000, queueEntryTtlMs: 3_600_000 },
  dedupeTtlMs: 3_600_000,
  logger: 'warn',
})

async function answer(thread: Thread, message: Message, context?: MessageContext): Promise<void> {
  const prompt = [...(context?.skipped ?? []), message].map(({ text }) => text).join('\n\n')
  const result = await agent.stream({ prompt })
  await thread.post(result.fullStream)
}
bot.onNewMention(async (thread, message, context) => {
  await thread.subscribe()
  await answer(thread, message, context)
})
bot.onSubscribedMessage(answer)

const app = new Hono()
app.post('/api/webhooks/:platform', async ({ req }) => {
  const webhook = (bot.webhooks as Record<string, typeof bot.webhooks.slack>)[req.param('platform')]
  return webhook === undefined ? new Response(null, { status: 404 }) : await webhook(req.raw)
})
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })

if (discord !== null) {
  await bot.initialize()
  for (;;) {
    let listening: Promise<unknown> = Promise.resolve()
    const waitUntil = (task: Promise<unknown>) => {
      listening = task
    }
    await discord.startGatewayListener({ waitUntil }, 24 * 60 * 60 * 1_000)
    await listening
    await wait(500)
  }
}
