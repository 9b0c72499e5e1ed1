import { Redis } from 'ioredis'
import { ask } from '../ask.ts'
import { contend, redisUrl, url } from './contender.ts'
import { answer, functions, system, tools } from './script.ts'

/*
 * The floor, the least that a loop of this kind can do, written by hand: a request over undici whose messages are joined as the
 * texts that are stored, and one append a step. It checks nothing, tries nothing again, shows nothing and counts nothing.
 */

interface Answer {
  choices: [{ message: { tool_calls?: [{ id: string; function: Called }] } }]
}
interface Called {
  name: string
  arguments: string
}

const redis = new Redis(redisUrl)
const offered = JSON.stringify(functions)
const messageOf = (role: string, content: string) => JSON.stringify({ role, content })
const resultOf = (id: string, content: string) =>
  JSON.stringify({ role: 'tool', content, tool_call_id: id })

/** Works on to the question or the report; answers the id of the call that asks. */
async function work(key: string, messages: string[]): Promise<string> {
  for (;;) {
    const asked = `{"model":"bench","messages":[${messages.join()}],"tools":${offered}}`
    const [{ message }] = ((await ask(url, asked)) as Answer).choices
    const [call] = message.tool_calls ?? []
    const tool = tools.find(({ name }) => name === call?.function.name)
    const said = JSON.stringify(message)
    if (call === undefined || tool === undefined) {
      await redis.rpush(key, said)
      return call?.id ?? ''
    }
    const { input } = JSON.parse(call.function.arguments)
    const result = resultOf(call.id, tool.run(input))
    messages.push(said, result)
    await redis.rpush(key, said, result)
  }
}

contend(async (id, goal) => {
  const key = `floor:${id}`
  const opening = [messageOf('system', system), messageOf('user', goal)]
  await redis.rpush(key, ...opening)
  const asking = await work(key, opening)
  await redis.rpush(key, resultOf(asking, answer))
  await work(key, await redis.lrange(key, 0, -1))
})
