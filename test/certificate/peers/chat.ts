import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createSlackAdapter } from '@chat-adapter/slack'
import { createRedisState } from '@chat-adapter/state-redis'
import { serve } from '@hono/node-server'
import { ToolLoopAgent } from 'ai'
import { Chat, type Message, type MessageContext, type Thread } from 'chat'
import { Hono } from 'hono'

/*
 * Chat SDK as its guides set it up: "How to build an AI agent for Slack with Chat SDK and AI SDK" with Redis state, a route in
 * Hono, and the strategy `queue` of "Overlapping Messages" ("never lose messages"), whose example hands the model all messages
 * that came meanwhile. Entries of the queue are kept for an hour instead of 90 seconds.
 */

const { PORT, MODEL_URL = '' } = process.env
const provider = createOpenAICompatible({ name: 'scripted', baseURL: MODEL_URL, apiKey: 'none' })
const agent = new ToolLoopAgent({
  model: provider('scripted'),
  instructions: 'You are a helpful AI assistant in a Slack workspace.',
})
const bot = new Chat({
  userName: 'clew',
  adapters: { slack: createSlackAdapter() },
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
app.post('/api/webhooks/slack', async ({ req }) => await bot.webhooks.slack(req.raw))
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })
