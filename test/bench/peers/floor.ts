import { contend, url } from './contender.ts'
import { type Called, type Message, work } from './loop.ts'
import { answer, functions } from './script.ts'

/** Checks nothing, tries nothing again, shows nothing and counts nothing. */
async function callModel(messages: Message[]): Promise<Called> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'bench', messages, tools: functions }),
  })
  const { message } = ((await response.json()) as { choices: [{ message: Message }] }).choices[0]
  const [call] = message.tool_calls ?? []
  if (call === undefined) return { message, call: null }
  return {
    message,
    call: { id: call.id, tool: call.function.name, ...JSON.parse(call.function.arguments) },
  }
}

contend(async (id, goal) => {
  await work(`floor:${id}`, callModel, { goal })
  await work(`floor:${id}`, callModel, { answer })
})
