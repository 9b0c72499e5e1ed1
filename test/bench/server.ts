import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { readGoal, replyTo } from './script.ts'

/*
 * The model's endpoint of the bench, in a process of its own. It does as little as such an endpoint can: what it spent would
 * count for the floor as well as for Clew, and so flatter their ratio.
 */

let calls = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    // Clew asks at its start which models there are.
    if (request.method === 'GET')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"data":[{"id":"bench"}]}')
    calls += 1
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const contract: string = body.tool_choice?.function?.name ?? body.tools[0].function.name
    const prompt: string = body.messages[1].content
    const { delayMs } = readGoal(prompt)
    if (delayMs > 0 && contract !== 'decision') await wait(delayMs)
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: contract, arguments: JSON.stringify(replyTo(contract, prompt)) },
    }
    const message = { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 0,
        model: body.model,
        choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      }),
    )
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
})
process.on('message', () => process.send?.(calls))
process.on('disconnect', () => process.exit(0))
