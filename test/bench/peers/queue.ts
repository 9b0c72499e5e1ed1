import { randomUUID } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { OpenAI } from 'openai'
import { z } from 'zod'
import { contend, redisUrl, url } from './contender.ts'
import { answer, functions, system, tools } from './script.ts'

/** The floor's way with the libraries that one takes for it: openai, zod, ioredis and BullMQ, a job up to the question and one after it. */
const redis = new Redis(redisUrl, { maxRetriesPerRequest: null })
const client = new OpenAI({ baseURL: url, apiKey: 'none' })
const Input = z.object({ input: z.string() })
const Job = z.object({ key: z.string(), said: z.string(), isAnswer: z.boolean() })

type Message = OpenAI.ChatCompletionMessageParam
type Job = z.infer<typeof Job>

function opening({ said, isAnswer }: Job, before: readonly Message[]): Message[] {
  const last = before.at(-1)
  const call = last?.role === 'assistant' ? last.tool_calls?.[0] : undefined
  if (isAnswer) return [{ role: 'tool', content: said, tool_call_id: call?.id ?? '' }]
  return [
    { role: 'system', content: system },
    { role: 'user', content: said },
  ]
}

/** Works to the question or the report; each call and its result are one append. */
async function work(job: Job): Promise<void> {
  const messages: Message[] = (await redis.lrange(job.key, 0, -1)).map((row) => JSON.parse(row))
  const add = async (...more: Message[]) => {
    messages.push(...more)
    await redis.rpush(job.key, ...more.map((one) => JSON.stringify(one)))
  }
  await add(...opening(job, messages))
  for (;;) {
    const { choices } = await client.chat.completions.create({
      ...{ model: 'bench', messages, tools: functions },
    })
    const { message } = choices[0] as OpenAI.ChatCompletion.Choice
    const [call] = message.tool_calls ?? []
    const called = call?.type === 'function' ? call.function : undefined
    const tool = tools.find(({ name }) => name === called?.name)
    if (call === undefined || called === undefined || tool === undefined) return await add(message)
    const { input } = Input.parse(JSON.parse(called.arguments))
    await add(message, { role: 'tool', content: tool.run(input), tool_call_id: call.id })
  }
}

const queue = new Queue('peers', {
  connection: redis,
  defaultJobOptions: { removeOnComplete: true, attempts: 3 },
})
const worker = new Worker('peers', async ({ data }) => await work(Job.parse(data)), {
  ...{ connection: redis, concurrency: 20 },
})
await worker.waitUntilReady()

const waiting = new Map<string | undefined, () => void>()
worker.on('completed', ({ id }) => waiting.get(id)?.())

async function done(data: Job): Promise<void> {
  const jobId = randomUUID()
  const completed = new Promise<void>((resolve) => waiting.set(jobId, resolve))
  await queue.add('leg', data, { jobId })
  await completed
  waiting.delete(jobId)
}

contend(async (id, goal) => {
  const key = `queue:${id}`
  await done({ key, said: goal, isAnswer: false })
  await done({ key, said: answer, isAnswer: true })
})
