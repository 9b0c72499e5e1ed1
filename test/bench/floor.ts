import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Redis } from 'ioredis'
import { ask } from './ask.ts'
import { callsPerItem, goalOf, toolResult } from './script.ts'

/*
 * The floor: the least that a loop of this kind can do, written by hand. For each model call one HTTP request, for each step
 * one append. It checks nothing, survives nothing, shows nothing and counts nothing.
 */

const { url, redisUrl } = JSON.parse(process.env.CLEW_BENCH ?? '{}') as {
  url: string
  redisUrl: string
}
const redis = new Redis(redisUrl)
const system = JSON.stringify({ role: 'system', content: 'You are an agent.' })

async function callModel(
  contract: string,
  prompt: string,
): Promise<{ text: string; reply: ReturnType<typeof JSON.parse> }> {
  const said = JSON.stringify(prompt)
  const tool = JSON.stringify({ name: contract, parameters: { type: 'object' } })
  const body = (await ask(
    url,
    `{"model":"bench","messages":[${system},{"role":"user","content":${said}}],"tools":[{"type":"function","function":${tool}}]}`,
  )) as {
    choices: [{ message: { tool_calls: [{ function: { arguments: string } }] } }]
  }
  const text = body.choices[0].message.tool_calls[0].function.arguments
  return { text, reply: JSON.parse(text) }
}

/** The bench's task from its plan to its report. */
async function work(key: string, items: number): Promise<void> {
  const append = (text: string) => redis.rpush(key, text)
  const goal = goalOf(items, 0)
  const planned = await callModel('plan', goal)
  await append(planned.text)
  let plan: string[] = planned.reply.plan
  let history = goal
  while (plan.length > 0) {
    const [item = '', ...rest] = plan
    let folded = history
    for (let calls = 0; calls <= callsPerItem; calls++) {
      const thought = await callModel('thought', `${folded}\n\nThe current item:\nitem: ${item}`)
      await append(thought.text)
      const { next_action: action } = thought.reply
      if (action === null) break
      const result = toolResult(action.input)
      await append(result)
      folded += `\n\nA tool call succeeded.\ninput: ${action.input}\nresult: ${result}`
    }
    const remains = rest.map((one) => `- ${one}`).join('\n')
    const replan = await callModel('replan', `${folded}\n\nWhat remains of the plan:\n${remains}`)
    await append(replan.text)
    history += `\n\nDone: ${item}`
    plan = replan.reply.plan
  }
}

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', async ({ runs = 0, items = 0 }: { runs?: number; items?: number }) => {
  const idle = { p99: delay.percentile(99) / 1e6 }
  delay.reset()
  const before = process.cpuUsage()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: runs }, (_, index) => work(`floor:${began}:${index}`, items)),
  )
  process.send?.({ ms: performance.now() - began, cpu: process.cpuUsage(before), loop: idle })
})
process.on('disconnect', () => process.exit(0))
process.send?.(null)
