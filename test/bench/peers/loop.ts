import { Redis } from 'ioredis'
import { redisUrl } from './contender.ts'
import { system, tools } from './script.ts'

/** A message as the endpoint writes and takes it; the loop looks only at what it needs. */
export interface Message {
  role: string
  content: string | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}
export interface Called {
  message: Message
  call: { id: string; tool: string; input: string } | null
}

export const redis = new Redis(redisUrl, { maxRetriesPerRequest: null })

/**
 * The least that a loop of this kind can do, written by hand: one call of the model and one append a step. Ends with the question
 * or the report; with an answer it goes on from what was appended.
 */
export async function work(
  key: string,
  callModel: (messages: Message[]) => Promise<Called>,
  { goal = '', answer }: { goal?: string | undefined; answer?: string | undefined },
): Promise<void> {
  const messages: Message[] =
    answer === undefined ? [] : (await redis.lrange(key, 0, -1)).map((row) => JSON.parse(row))
  const add = async (...more: Message[]) => {
    messages.push(...more)
    await redis.rpush(key, ...more.map((one) => JSON.stringify(one)))
  }
  if (answer === undefined)
    await add({ role: 'system', content: system }, { role: 'user', content: goal })
  else
    await add({
      role: 'tool',
      content: answer,
      tool_call_id: messages.at(-1)?.tool_calls?.[0]?.id ?? '',
    })
  for (;;) {
    const { message, call } = await callModel(messages)
    const tool = tools.find(({ name }) => name === call?.tool)
    if (call === null || tool === undefined) return await add(message)
    const result = { role: 'tool', content: tool.run(call.input), tool_call_id: call.id }
    if (tool.name === 'note') await add(message, result)
    else {
      await add(message)
      await add(result)
    }
  }
}
