import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goalOf, lookups, type Move, moves, replies, runOf } from './script.ts'

/*
 * The model's endpoint, in a process of its own: plays the script for each run. Of a request it reads only the number of the
 * run in its goal and which function is forced, and it ends when that one is not due.
 */

const { strategy }: { strategy?: string } = JSON.parse(process.env.CLEW_BENCH ?? '{}')

let calls = 0
/** How often a run was answered, by contract; '' where none is forced. */
const answered = new Map<string, Map<string, number>>()

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') return void response.end('{"data":[{"id":"bench"}]}')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const asked = String(Buffer.concat(chunks))
    const [, forced = ''] = /"tool_choice":\{.{0,40}"name":"(\w+)"/.exec(asked) ?? []
    response.end(reply(runOf(asked), forced))
  })
})

function reply(run: string, forced: string): string {
  calls += 1
  const times = answered.get(run) ?? new Map<string, number>()
  answered.set(run, times)
  const at = times.get(forced) ?? 0
  times.set(forced, at + 1)
  if (forced === 'decision' && at === 0) return completion(null, forced, decision(run))
  if (forced === '')
    return moved((strategy === 'free' ? moves.free : moves.plain)[at] ?? notDue('a move'))
  return completion(null, forced, replies[forced]?.[at] ?? notDue(forced))
}

function notDue(what: string): never {
  throw new Error(`the script has no further ${what}`)
}

const moved = ({ text, call }: Move) =>
  call === undefined
    ? completion(text ?? null)
    : completion(text ?? null, call[0], { input: call[1] })

const decision = (run: string) => {
  const goal = goalOf(Number(run))
  return {
    ...{ decision: 'run', reply: null, runs: null, confidence: 0.9 },
    reason: 'It asks for work in several steps.',
    run: {
      type: 'agent_task',
      title: goal,
      conversation_id: null,
      input: JSON.stringify({ goal }),
    },
    // `step` plans first, so it is offered no calls.
    calls: strategy === 'step' ? null : [{ tool: 'lookup', input: lookups[0] }],
    report: null,
  }
}

function completion(content: string | null, name?: string, value?: object): string {
  const call = {
    id: `call_${calls}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(value) },
  }
  const message = { role: 'assistant', content, ...(name !== undefined && { tool_calls: [call] }) }
  const finish_reason = name === undefined ? 'stop' : 'tool_calls'
  return JSON.stringify({
    ...{ id: `chatcmpl-${calls}`, object: 'chat.completion', created: 0, model: 'bench' },
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  })
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => process.send?.(calls))
process.on('disconnect', () => process.exit(0))
