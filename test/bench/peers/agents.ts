import {
  Agent,
  OpenAIChatCompletionsModel,
  RunState,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { Redis } from 'ioredis'
import { OpenAI } from 'openai'
import { z } from 'zod'
import { contend, redisUrl, url } from './contender.ts'
import { answer, askTool, report, system, tools } from './script.ts'

/** OpenAI's Agents SDK: its own loop; what it stores is the state at the question and the report. */
setTracingDisabled(true)
const redis = new Redis(redisUrl)
const parameters = z.object({ input: z.string() })
const agent = new Agent({
  name: 'Bench',
  instructions: system,
  model: new OpenAIChatCompletionsModel(new OpenAI({ baseURL: url, apiKey: 'none' }), 'bench'),
  tools: [
    ...tools.map(({ name, description, run }) =>
      tool({ name, description, parameters, execute: async ({ input }) => run(input) }),
    ),
    tool({ ...askTool, parameters, needsApproval: true, execute: async () => answer }),
  ],
})

contend(async (id, goal) => {
  const asked = await run(agent, goal, { maxTurns: 20 })
  await redis.set(`agents:${id}`, asked.state.toString())
  const state = await RunState.fromString(agent, (await redis.get(`agents:${id}`)) ?? '')
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  const { finalOutput } = await run(agent, state, { maxTurns: 20 })
  if (finalOutput !== report) throw new Error(`the Agents SDK ended with ${finalOutput}`)
  await redis.set(`agents:${id}`, finalOutput)
})
