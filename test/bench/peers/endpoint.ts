import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goalOf, modelCalls, moves, report, runOf, steps } from './script.ts'

/*
 * The model's endpoint, in a process of its own: plays the script for each run. Of a request it reads only the number of the
 * run in its goal and which function is forced, and it ends when that one is not due.
 */

let calls = 0
interface Play {
  run: string
  at: number
  due: Record<string, object[]>
}
const plays = new Map<string, Play>()

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') return void response.end('{"data":[{"id":"bench"}]}')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const asked = String(Buffer.concat(chunks))
    const [, forced] = /"tool_choice":\{.{0,40}"name":"(\w+)"/.exec(asked) ?? []
    response.end(reply(runOf(asked), forced))
  })
})

function reply(run: string, forced: string | undefined): string {
  calls += 1
  const play = plays.get(run) ?? { run, at: 0, due: structuredClone(steps) as Play['due'] }
  plays.set(run, play)
  const at = play.at++
  if (play.at === modelCalls) plays.delete(run)
  const [tool, input] = moves[at] ?? []
  if (forced !== undefined) return completion(null, forced, underContract(forced, at, play))
  return tool === undefined ? completion(report) : completion(null, tool, { input })
}

/** What Clew is told under each of its contracts. */
function underContract(contract: string, at: number, { run, due }: Play): object {
  if (contract === 'decision' && at === 0) return decision(goalOf(Number(run)))
  const [tool, args] = moves[at] ?? []
  const round = tool === undefined ? null : [{ tool, arguments: args, purpose: null }]
  if (contract === 'plan_tool_call' && at > 0)
    return { steps: round, reasoning: null, estimated_steps: null }
  if (contract === 'think' && at > 1)
    return {
      ...{
        internal_analysis: null,
        task_completed: round === null,
        next_steps_preview: null,
        next_round: round,
      },
      user_summary: round === null ? report : 'On it.',
    }
  const next = due[contract]?.shift()
  if (next === undefined) throw new Error(`call ${at + 1} of the script cannot be ${contract}`)
  return next
}

const decision = (goal: string) => ({
  ...{
    decision: 'run',
    reply: null,
    runs: null,
    confidence: 0.9,
    reason: 'It asks for work in several steps.',
  },
  run: { type: 'agent_task', title: goal, conversation_id: null, input: JSON.stringify({ goal }) },
})

function completion(content: string | null, name?: string, value?: object): string {
  const call = {
    id: `call_${calls}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(value) },
  }
  const message = { role: 'assistant', content, ...(name !== undefined && { tool_calls: [call] }) }
  return JSON.stringify({
    ...{ id: `chatcmpl-${calls}`, object: 'chat.completion', created: 0, model: 'bench' },
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: name === undefined ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  })
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => process.send?.(calls))
process.on('disconnect', () => process.exit(0))
