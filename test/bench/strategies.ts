import { callable } from '../../src/agent/contracts/calls.ts'
import { type ContractInputs, type ContractName, readReply } from '../../src/agent/contracts.ts'
import type { Limits } from '../../src/agent/domain/budget.ts'
import type { StrategyName, Task } from '../../src/agent/domain/task.ts'
import { requestBody } from '../../src/agent/model/forms.ts'
import { promptFor } from '../../src/agent/model/prompts.ts'
import { createRehearsalModel } from '../../src/agent/model/rehearsal.ts'
import { strategies, strategyOf } from '../../src/agent/strategies/strategies.ts'
import type { TaskContract, TaskEvent } from '../../src/agent/strategies/strategy.ts'

/*
 * `npm run bench -- strategies`: what three jobs cost in model calls, rounds and tokens under each strategy, beside a plain
 * loop that makes one call at a time and carries its whole history along.
 *
 * One model plays all of them: the rehearsal, which knows nothing but the request. Tokens are estimated as a quarter of the
 * characters of the very requests and replies that the real client would send and get.
 */

const jobs = {
  'comparison with a question': 'Compare the three venues and book a date for the offsite',
  'to-do clean-up': 'Add “Call the caterer”, “Send the invitations” and “Book the bus” to the to-dos',
  'look at what is due': 'Show me which to-dos are due today',
}

interface Cost {
  calls: number
  rounds: number | null
  prompt: number
  completion: number
  /** Prompt characters that the previous request of the same contract began with. */
  cached: number
}

const limits: Limits = {
  maxSteps: 100,
  maxModelCalls: 200,
  maxToolCalls: 200,
  maxTokens: 10_000_000,
  maxWallMs: 1e9,
  maxToolFailures: 3,
  maxContractFailures: 2,
  maxUnavailable: 5,
}
const tools = [
  {
    name: 'todo',
    description: 'Keeps the to-dos. The input is one command line:\nadd <text> [--tag T]\nlist [--tag T] [--view V]',
  },
]
const surroundings = { tools, locale: 'en', timeZone: 'UTC', now: '2026-03-04T10:00+00:00' }
const rehearsal = createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })
const tokens = (characters: number) => Math.ceil(characters / 4)

function meter() {
  const last = new Map<string, string>()
  const cost: Cost = { calls: 0, rounds: null, prompt: 0, completion: 0, cached: 0 }
  return {
    cost,
    add(contract: string, request: unknown, reply: unknown) {
      const text = JSON.stringify(request)
      const before = last.get(contract) ?? ''
      let same = 0
      while (same < text.length && text[same] === before[same]) same += 1
      last.set(contract, text)
      cost.calls += 1
      cost.prompt += tokens(text.length)
      cost.completion += tokens(JSON.stringify(reply).length)
      cost.cached += tokens(same)
    },
  }
}

async function ask<C extends ContractName>(contract: C, input: ContractInputs[C]): Promise<unknown> {
  const reply = await rehearsal.call(contract, input, new AbortController().signal)
  if (!reply.ok) throw new Error(`${contract}: ${reply.code}`)
  return reply.value
}

const answer = (input: string, nth: number) =>
  input.startsWith('add ') ? `Added **#${nth}** ${input.slice(4)}` : '**To-dos** (3 open)'

async function drive(name: StrategyName, goal: string): Promise<Cost> {
  const { cost, add } = meter()
  let task: Task = strategies[name].start(goal, limits, false)
  for (;;) {
    const strategy = strategyOf(task)
    const action = strategy.next(task)
    if (action.kind === 'finish') return { ...cost, rounds: task.strategy === 'batch' ? task.rounds : null }
    if (action.kind === 'wait') {
      const { text, choices } = task.lastQuestion ?? { text: '', choices: [] }
      const author = { id: 'ana', name: 'Ana' }
      task = strategy.apply(task, { kind: 'answered', question: text ?? '', text: choices[0] ?? 'Lisbon', author })
    } else if (action.kind === 'call_tool') {
      const nth = task.observations.length + 1
      task = strategy.apply(task, { kind: 'observed', ok: true, result: answer(action.input, nth), ms: 1 })
    } else if (action.kind === 'call_model') {
      const { contract } = action
      const input = { ...surroundings, ...strategy.view(task) } as unknown as ContractInputs[TaskContract]
      const value = await ask(contract, input as never)
      add(contract, requestBody('m', contract, promptFor(contract, input as never), { form: 'function' }), value)
      const read = readReply(contract, input as never, value)
      if (!read.ok) throw new Error(`${contract}: ${read.problem}`)
      const usage = { promptTokens: 0, completionTokens: 0 }
      task = strategy.apply(task, {
        kind: 'replied',
        contract,
        reply: read.reply,
        usage,
        ms: 1,
      } as unknown as TaskEvent)
    } else throw new Error(`${name} came to ${action.kind}`)
  }
}

/** The loop that everybody writes first: one message list, one call at a time, everything sent again every time. */
async function plain(goal: string): Promise<Cost> {
  const { cost, add } = meter()
  let task: Task = strategies.free.start(goal, limits, false)
  const messages: object[] = [
    { role: 'system', content: promptFor('act', inputOf(task)).system },
    { role: 'user', content: goal },
  ]
  for (;;) {
    const act = readReply('act', inputOf(task), await ask('act', inputOf(task)))
    if (!act.ok) throw new Error(act.problem)
    const { calls, text } = act.reply
    const [call] = calls
    add('plain', { messages, tools: callable({ tools, unattended: false }) }, call ?? { text })
    if (call === undefined) return cost
    messages.push({ role: 'assistant', tool_calls: [call] })
    const usage = { promptTokens: 0, completionTokens: 0 }
    task = strategies.free.apply(task, { kind: 'replied', contract: 'act', reply: { text, calls }, usage, ms: 1 })
    const { text: question, choices } = task.lastQuestion ?? { text: '', choices: [] }
    const result = call.tool === 'ask_user' ? (choices[0] ?? '') : answer(call.input, task.observations.length + 1)
    messages.push({ role: 'tool', content: result })
    const author = { id: 'ana', name: 'Ana' }
    task =
      call.tool === 'ask_user'
        ? strategies.free.apply(task, { kind: 'answered', question: question ?? '', text: result, author })
        : strategies.free.apply(task, { kind: 'observed', ok: true, result, ms: 1 })
  }
}

function inputOf(task: Task): ContractInputs['act'] {
  if (task.strategy !== 'free') throw new Error('only the free loop is played by hand')
  return { ...surroundings, ...strategies.free.view(task) }
}

const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`

for (const [job, goal] of Object.entries(jobs)) {
  const base = await plain(goal)
  const rows: [string, Cost][] = [['plain loop', base]]
  for (const name of ['step', 'batch', 'free'] as const) rows.push([name, await drive(name, goal)])
  console.log(`\n${job}: “${goal}”`)
  console.table(
    Object.fromEntries(
      rows.map(([name, cost]) => [
        name,
        {
          'model calls': cost.calls,
          rounds: cost.rounds ?? '',
          'prompt tokens': cost.prompt,
          'completion tokens': cost.completion,
          'beside plain': percent(cost.prompt + cost.completion, base.prompt + base.completion),
          'unchanged prefix': percent(cost.cached, cost.prompt),
        },
      ]),
    ),
  )
}
