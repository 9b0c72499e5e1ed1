import { callable } from '../../../src/agent/contracts/calls.ts'
import type { DecisionInput } from '../../../src/agent/contracts/decision.ts'
import { type ContractInputs, readReply } from '../../../src/agent/contracts.ts'
import type { StrategyName, Task } from '../../../src/agent/domain/task.ts'
import { runTypes } from '../../../src/agent/drive/run-types.ts'
import { requestBody } from '../../../src/agent/model/forms.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import { functionOf } from '../../../src/agent/model/tool-functions.ts'
import { strategyChoice } from '../../../src/agent/run-inputs.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { Action, AnyEvent, TaskContract } from '../../../src/agent/strategies/strategy.ts'
import { limits, plainRules, type Way } from './loops.ts'
import { type Bill, createMeter } from './meter.ts'
import { decisionOf, movesOf, placeIn, replyTo } from './trial-player.ts'
import type { Move, Trial, TrialCall } from './trials.ts'
import { createWorld } from './world.ts'

const world = createWorld()
const repoSearch = {
  name: 'repo_search',
  description:
    'Searches the folders of the team. The input: words, “whole phrases” in quotes; at most eight places are shown, not every one. `read <path>` reads a file, `list <folder>` what is in a folder.',
}
const cards = [...world.cards, repoSearch]
const ana = { id: 'ana', name: 'Ana' }
const shape = { form: 'function' } as const
const taskType = runTypes.find(({ type }) => type === 'agent_task')
const spent = { usage: { promptTokens: 0, completionTokens: 0 }, ms: 1 }

/** Plays a trial under a strategy and counts its requests. */
export function playTrial(trial: Trial, name: StrategyName, way: Way): Bill {
  const { bill, add } = createMeter().bill()
  let task: Task = strategies[name].start(trial.goal, { ...limits, ...way.limits }, false)
  if (trial.isScheduled !== true) task = decided(trial, task, way, add)
  for (;;) {
    const action = strategyOf(task).next(task)
    if (action.kind === 'finish') {
      if (
        !action.ok ||
        placeIn(trial, task) < movesOf(trial).length ||
        ![trial.report.trim(), 'It is done.'].some((report) => action.text.startsWith(report))
      )
        throw new Error(`${trial.name} under ${name} did not come to its end`)
      return bill
    }
    task = strategyOf(task).apply(task, eventOf(trial, task, action, way, add))
  }
}

type Add = (body: ReturnType<typeof requestBody>, value: unknown, isApart?: boolean) => void

function eventOf(trial: Trial, task: Task, action: Action, way: Way, add: Add): AnyEvent {
  switch (action.kind) {
    case 'call_model': {
      const { contract } = action
      const body = requestOf(task, contract, way)
      const value = replyTo(trial, task, { contract, reports: way.isAhead })
      add(body, value)
      const read = readReply(contract, inputOf(task) as never, value)
      // Every reply of the script is valid; one that is refused is a mistake of the contracts.
      if (!read.ok) throw new Error(`${trial.name}: ${contract}: ${read.problem}`)
      return { kind: 'replied', contract, reply: read.reply, ...spent } as unknown as AnyEvent
    }
    case 'call_tool':
      return observedOf(resultOf(trial, action.input))
    case 'wait':
      return saidTo(trial, task)
    default:
      throw new Error(`${trial.name} came to ${action.kind}`)
  }
}

const observedOf = (result: string): AnyEvent => ({
  ...{ kind: 'observed', ok: true, result, ms: 1 },
  receipt: { text: result },
})

const decisionInput: DecisionInput = {
  ...{ message: '', author: ana, recentMessages: [], recentRuns: [], tools: cards },
  runTypes: [{ type: 'agent_task', description: `${taskType?.description} ${strategyChoice()}` }],
  installation: world.installation,
  ...{ locale: 'en', timeZone: 'UTC', now: '2026-11-26T10:00+00:00' },
}

/** The task as it begins after its Decision, which carries its first calls where its way allows that. */
function decided(trial: Trial, task: Task, way: Way, add: Add): Task {
  const { ahead } = strategyOf(task)
  const isAhead = way.isAhead && ahead !== undefined
  const calls = isAhead ? { calls: callable({ tools: cards, unattended: false }) } : {}
  const input = { ...decisionInput, message: trial.goal, ...calls }
  const value = decisionOf(trial, isAhead)
  const body = requestBody('m', 'decision', promptFor('decision', input, way.layout), shape)
  // Only the rounds of `free` begin as it does.
  add(body, value, !(isAhead && task.strategy === 'free'))
  const read = readReply('decision', input, value)
  if (!read.ok) throw new Error(`${trial.name}: decision: ${read.problem}`)
  const { calls: first, report } = read.reply
  const reply = first === null ? null : (ahead?.(task, { calls: first, report }) ?? null)
  return reply === null
    ? task
    : strategyOf(task).apply(task, { kind: 'replied', ...reply, ...spent })
}

/** A greeting that is answered in a fresh cache, and then another one in another thread. */
export function answered(isAhead: boolean): Bill[] {
  const meter = createMeter()
  const calls = isAhead ? { calls: callable({ tools: cards, unattended: false }) } : {}
  return ['Good morning, Clew!', 'What can you do?'].map((message) => {
    const { bill, add } = meter.bill()
    const prompt = promptFor('decision', { ...decisionInput, message, ...calls })
    const nothing = { run: null, runs: null, confidence: 0.9, reason: 'A greeting.' }
    const value = { decision: 'reply', reply: { content: 'Good morning!' }, ...nothing }
    add(requestBody('m', 'decision', prompt, shape), isAhead ? { ...value, ...none } : value)
    return bill
  })
}
const none = { calls: null, report: null }

const inputOf = (task: Task): ContractInputs[TaskContract] =>
  ({
    ...{ tools: cards, installation: world.installation, locale: 'en', timeZone: 'UTC' },
    now: '2026-11-26T10:00+00:00',
    ...strategyOf(task).view(task),
  }) as unknown as ContractInputs[TaskContract]

const requestOf = (task: Task, contract: TaskContract, way: Way) =>
  requestBody('m', contract, promptFor(contract, inputOf(task) as never, way.layout), shape)

const allCalls = (trial: Trial): TrialCall[] =>
  movesOf(trial).flatMap((move) => ('calls' in move ? move.calls : []))

const resultOf = (trial: Trial, input: string): string =>
  allCalls(trial).find((call) => call.input === input)?.result ?? ''

/** What a person says to the open question: first, where they do, words that answer nothing. */
function saidTo(trial: Trial, task: Task): AnyEvent {
  const move = movesOf(trial)[placeIn(trial, task)]
  if (move === undefined || 'calls' in move) throw new Error(`${trial.name} asks too much`)
  const question = task.lastQuestion?.text ?? ''
  const isBack = move.back !== undefined && task.clarifications.at(-1)?.text !== move.back.text
  return isBack
    ? { kind: 'joined', text: move.back?.text ?? '', author: ana, aside: true }
    : { kind: 'answered', question, choices: move.choices, text: move.answer, author: ana }
}

/** The loop that everybody writes: one message list, calls that need nothing of each other at once. */
export function plainTrial(trial: Trial): Bill {
  const { bill, add } = createMeter().bill()
  const tools = callable({ tools: cards, unattended: false }).map((card) => functionOf(card, true))
  const messages: object[] = [
    { role: 'system', content: plainRules(world) },
    { role: 'user', content: trial.goal },
  ]
  const send = (reply: unknown) => add({ tools, messages: [...messages] } as never, reply)
  for (const [at, move] of movesOf(trial).entries()) {
    const made = madeIn(move, at)
    send(made.map((one) => one.called.function))
    messages.push({ role: 'assistant', content: null, tool_calls: made.map((one) => one.called) })
    messages.push(...made.map(({ called, result }) => toolMessage(called.id, result)))
    if ('calls' in move || move.back === undefined) continue
    // Words that answer nothing are answered, and the question stands again.
    send(move.back.say)
    messages.push({ role: 'assistant', content: move.back.say })
    messages.push({ role: 'user', content: move.answer })
  }
  send(trial.report)
  return bill
}

const toolMessage = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })

function madeIn(move: Move, at: number) {
  const calls =
    'calls' in move
      ? move.calls
      : [{ tool: 'ask_user', input: move.ask, result: move.back?.text ?? move.answer }]
  return calls.map(({ tool, input, result }, index) => ({
    called: {
      id: `call_${at}_${index}`,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify({ input }) },
    },
    result,
  }))
}
