import { once } from 'node:events'
import { Queue, Worker } from 'bullmq'
import { OpenAI } from 'openai'
import { z } from 'zod'
import { contend, url } from './contender.ts'
import { type Called, type Message, redis, work } from './loop.ts'
import { answer, functions } from './script.ts'

/** The floor's way with the libraries that one takes for it: openai, zod, ioredis and BullMQ, a job up to the question and one after it. */
const client = new OpenAI({ baseURL: url, apiKey: 'none' })
const Input = z.object({ input: z.string() })
const Job = z.object({
  key: z.string(),
  goal: z.string().optional(),
  answer: z.string().optional(),
})

async function callModel(messages: Message[]): Promise<Called> {
  const { choices } = await client.chat.completions.create({
    model: 'bench',
    messages: messages as OpenAI.ChatCompletionMessageParam[],
    tools: functions,
  })
  const message = choices[0]?.message as Message
  const [call] = message.tool_calls ?? []
  if (call === undefined) return { message, call: null }
  const { input } = Input.parse(JSON.parse(call.function.arguments))
  return { message, call: { id: call.id, tool: call.function.name, input } }
}

const queue = new Queue('peers', {
  connection: redis,
  defaultJobOptions: { removeOnComplete: true, attempts: 3 },
})
const worker = new Worker(
  'peers',
  async ({ data }) => {
    const { key, ...said } = Job.parse(data)
    await work(key, callModel, said)
  },
  { connection: redis },
)
await worker.waitUntilReady()

async function done(data: z.infer<typeof Job>): Promise<void> {
  const completed = once(worker, 'completed')
  await queue.add('leg', data)
  await completed
}

contend(async (id, goal) => {
  await done({ key: `queue:${id}`, goal })
  await done({ key: `queue:${id}`, answer })
})
