import { callable } from '../../../src/agent/contracts/calls.ts'
import { type ContractInputs, readReply } from '../../../src/agent/contracts.ts'
import type { Limits } from '../../../src/agent/domain/budget.ts'
import type { StrategyName, Task } from '../../../src/agent/domain/task.ts'
import { recallOf } from '../../../src/agent/drive/recall-tool.ts'
import { requestBody } from '../../../src/agent/model/forms.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import type { PromptLayout } from '../../../src/agent/model/rules.ts'
import { functionOf } from '../../../src/agent/model/tool-functions.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { TaskContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import { shownCards } from '../../../src/agent/tools/find-tool.ts'
import { cardOf } from '../../../src/agent/tools/registry.ts'
import type { Bill, createMeter } from './meter.ts'
import { play } from './player.ts'
import { type createWorld, day } from './world.ts'

export const limits: Limits = {
  maxSteps: 1_000,
  maxModelCalls: 1_000,
  maxToolCalls: 1_000,
  maxTokens: 1e9,
  maxWallMs: 1e9,
  maxToolFailures: 3,
  maxContractFailures: 2,
  maxUnavailable: 5,
  maxRounds: 20,
}

/** How requests are made and what a loop may leave out; each lever can be set back by itself. */
export interface Way {
  layout: PromptLayout
  limits: Partial<Limits>
  /** A Decision carries the first calls, and last calls their report. */
  isAhead: boolean
}
export const firstDesign: Way = { layout: 'apart', limits: {}, isAhead: false }
export const economical: Way = {
  layout: 'shared',
  isAhead: true,
  limits: { callsEndItems: true, replanSkips: 100, thinkPlans: true },
}

export type World = ReturnType<typeof createWorld>
export type Meter = ReturnType<typeof createMeter>
export interface Outcome {
  bill: Bill
  toolCalls: number
  steps: number
  report: string
}

/** A clock on the wall that goes on by some seconds with each request. */
function createClock() {
  let at = Date.UTC(2026, 2, 4, 10)
  return () => {
    at += 20_000
    return `${new Date(at).toISOString().slice(0, 16)}+00:00`
  }
}

const ana = { id: 'ana', name: 'Ana' }

export async function drive(
  name: StrategyName,
  way: Way,
  world: World,
  meter: Meter,
  goal: string,
): Promise<Outcome> {
  const { bill, add } = meter.bill()
  const now = createClock()
  let task: Task = strategies[name].start(goal, { ...limits, ...way.limits }, false)
  for (;;) {
    const strategy = strategyOf(task)
    const action = strategy.next(task)
    if (action.kind === 'finish')
      return { bill, toolCalls: task.spent.toolCalls, steps: task.spent.steps, report: action.text }
    if (action.kind === 'wait')
      task = strategy.apply(task, {
        kind: 'answered',
        question: task.lastQuestion?.text ?? '',
        text: day,
        author: ana,
      })
    else if (action.kind === 'call_tool') {
      const known = recallOf(task)
      const context = { signal: new AbortController().signal } as never
      const { ok, text } =
        action.tool === 'recall' && known !== null
          ? await known.run(action.input, context)
          : await world.call(action.tool, action.input)
      task = strategy.apply(task, { kind: 'observed', ok, result: text, ms: 1 })
    } else if (action.kind === 'call_model') {
      const { contract } = action
      const recall = recallOf(task)
      const tools = shownCards([...world.cards, ...(recall === null ? [] : [cardOf(recall)])])
      const surroundings = {
        tools,
        installation: world.installation,
        locale: 'en',
        timeZone: 'UTC',
        now: now(),
      }
      const input = {
        ...surroundings,
        ...strategy.view(task),
      } as unknown as ContractInputs[TaskContract]
      const body = requestBody('m', contract, promptFor(contract, input as never, way.layout), {
        form: 'function',
      })
      const value = play(contract, body)
      add(body, value)
      const read = readReply(contract, input as never, value)
      const usage = { promptTokens: 0, completionTokens: 0 }
      task = strategy.apply(
        task,
        (read.ok
          ? { kind: 'replied', contract, reply: read.reply, usage, ms: 1 }
          : {
              kind: 'refused',
              contract,
              problem: read.problem,
              usage,
              ms: 1,
            }) as unknown as TaskEvent,
      )
    } else
      throw new Error(
        `${name} came to ${action.kind} after ${task.spent.steps} steps: ${task.refusal}`,
      )
  }
}

/** The loop that everybody writes first: one message list, one call at a time, everything sent again every time. */
export async function plain(world: World, meter: Meter, goal: string): Promise<Outcome> {
  const { bill, add } = meter.bill()
  const cards = callable({ tools: world.cards, unattended: false })
  const tools = cards.map((card) => functionOf(card, true))
  const messages: object[] = [
    { role: 'system', content: plainRules(world) },
    { role: 'user', content: goal },
  ]
  for (let made = 0; ; made += 1) {
    const body = { tools, messages }
    const reply = play('plain', body) as {
      text: string | null
      calls: { tool: string; input: string }[]
    }
    const [call] = reply.calls
    const id = `call_${made}`
    const called = call && {
      id,
      type: 'function',
      function: { name: call.tool, arguments: JSON.stringify({ input: call.input }) },
    }
    add(body, called?.function ?? reply.text)
    if (call === undefined || called === undefined)
      return { bill, toolCalls: made - 1, steps: bill.calls, report: reply.text ?? '' }
    const { ok, text } =
      call.tool === 'ask_user' ? { ok: true, text: day } : await world.call(call.tool, call.input)
    messages.push({ role: 'assistant', content: null, tool_calls: [called] })
    messages.push({ role: 'tool', tool_call_id: id, content: ok ? text : `Error: ${text}` })
  }
}

/** The rules of a free loop, without those about the plan that Clew keeps. */
export function plainRules({ installation }: World): string {
  const input = {
    ...({} as ContractInputs['act']),
    goal: '',
    tools: [],
    clarifications: [],
    observations: [],
    plan: null,
    refusal: null,
  }
  const { system } = promptFor('act', {
    ...input,
    installation,
    locale: 'en',
    timeZone: 'UTC',
    now: '',
  })
  return system
    .split('\n')
    .filter(
      (line) =>
        !/\[Report\]|\[Step\]|\[Done\]|Else begin your first reply|As few steps as|the next one begins then|Else calls need no words/.test(
          line,
        ),
    )
    .join('\n')
}
