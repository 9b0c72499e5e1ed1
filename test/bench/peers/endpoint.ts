import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goal, modelCalls, moves, report, steps } from './script.ts'

/*
 * The model's endpoint, in a process of its own: plays the script over and over, for one run at a time. Of a request it reads
 * only which function is forced, and it ends when that one is not due.
 */

let calls = 0
let due: Record<string, object[]> = {}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') return void response.end('{"data":[{"id":"bench"}]}')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [, forced] = /"tool_choice":\{.{0,40}"name":"(\w+)"/.exec(String(Buffer.concat(chunks))) ?? []
    response.end(reply(forced))
  })
})

function reply(forced: string | undefined): string {
  const at = calls++ % modelCalls
  const [tool, input] = moves[at] ?? []
  if (forced !== undefined) return completion(null, forced, underContract(forced, at))
  return tool === undefined ? completion(report) : completion(null, tool, { input })
}

/** What Clew is told under each of its contracts. */
function underContract(contract: string, at: number): object {
  if (at === 0) due = structuredClone(steps) as typeof due
  if (contract === 'decision' && at === 0) return decision
  const [tool, args] = moves[at] ?? []
  const round = tool === undefined ? null : [{ tool, arguments: args, purpose: null }]
  if (contract === 'plan_tool_call' && at > 0) return { steps: round, reasoning: null, estimated_steps: null }
  if (contract === 'think' && at > 1)
    return {
      ...{ internal_analysis: null, task_completed: round === null, next_steps_preview: null, next_round: round },
      user_summary: round === null ? report : 'On it.',
    }
  const next = due[contract]?.shift()
  if (next === undefined) throw new Error(`call ${at + 1} of the script cannot be ${contract}`)
  return next
}

const decision = {
  ...{ decision: 'run', reply: null, runs: null, confidence: 0.9, reason: 'It asks for work in several steps.' },
  run: { type: 'agent_task', title: goal, conversation_id: null, input: JSON.stringify({ goal }) },
}

function completion(content: string | null, name?: string, value?: object): string {
  const call = { id: `call_${calls}`, type: 'function', function: { name, arguments: JSON.stringify(value) } }
  const message = { role: 'assistant', content, ...(name !== undefined && { tool_calls: [call] }) }
  return JSON.stringify({
    ...{ id: `chatcmpl-${calls}`, object: 'chat.completion', created: 0, model: 'bench' },
    choices: [{ index: 0, message, logprobs: null, finish_reason: name === undefined ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  })
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => process.send?.(calls))
process.on('disconnect', () => process.exit(0))
