import type { Task } from '../../../src/agent/domain/task.ts'
import type { TaskContract } from '../../../src/agent/strategies/strategy.ts'
import type { Move, Trial, TrialCall } from './trials.ts'

type Placed = Move & { item: number }

export const movesOf = ({ items }: Trial): Placed[] =>
  items.flatMap(({ moves }, item) => moves.map((move) => ({ ...move, item })))

/** The move that is next, by what a task has seen and heard; its place among all of them. */
export function placeIn(trial: Trial, { observations, clarifications }: Task): number {
  let seen = observations.filter(({ tool }) => tool !== 'ask_user').length
  let heard = clarifications.length
  const moves = movesOf(trial)
  const at = moves.findIndex((move) => {
    if ('calls' in move) {
      seen -= move.calls.length
      return seen < 0
    }
    heard -= move.back === undefined ? 1 : 2
    return heard < 0
  })
  return at === -1 ? moves.length : at
}

const named = ({ tool, input }: TrialCall) => ({ tool, input })
const asked = (move: Exclude<Placed, { calls: unknown }>) => ({
  tool: 'ask_user',
  input: [move.ask, ...move.choices.map((choice) => `- ${choice}`)].join('\n'),
})
const callsOf = (move: Placed | undefined) => {
  if (move === undefined) return []
  return 'calls' in move ? move.calls.map(named) : [asked(move)]
}

const changes = /^(?:add|update|write) /
/** A report that may stand beside the last calls, where nothing else is to be said; null: none may. */
function reportBeside(trial: Trial, at: number): string | null {
  const moves = movesOf(trial)
  const move = moves[at]
  if (at !== moves.length - 1 || move === undefined || !('calls' in move)) return null
  const isShort = trial.report.length <= 120 && move.calls.every(({ input }) => changes.test(input))
  return isShort ? 'It is done.' : null
}

/** The Decision of such a model; the calls are those of its first move. */
export function decisionOf(trial: Trial, isAhead: boolean) {
  const calls = callsOf(movesOf(trial)[0])
  const run = {
    type: 'agent_task',
    title: trial.name,
    conversation_id: null,
    input: JSON.stringify({ goal: trial.goal }),
  }
  return {
    ...{ decision: 'run', reply: null, run, runs: null, confidence: 0.9 },
    ...{ reason: 'It needs tools.', calls: isAhead ? calls : null },
    report: isAhead ? reportBeside(trial, 0) : null,
  }
}

/** The reply of a model that makes these moves under each contract. */
export function replyTo(
  trial: Trial,
  task: Task,
  { contract, reports }: { contract: TaskContract; reports: boolean },
): unknown {
  const moves = movesOf(trial)
  const at = placeIn(trial, task)
  const move = moves[at]
  const isLastOfItem = moves[at + 1]?.item !== move?.item
  const leads_to = isLastOfItem ? 'item_done' : null
  if (task.aside && move !== undefined && 'back' in move) return aside(contract, move.back?.say)
  switch (contract) {
    case 'plan': {
      const calls = move !== undefined && 'calls' in move ? move.calls.map(named) : null
      const plan = trial.items.map(({ text }) => text)
      return { status: 'planned', plan, calls, leads_to: calls && leads_to }
    }
    case 'thought':
      return thought(trial, task, { move, leads_to })
    case 'replan':
      return { status: 'done', plan: [], response: trial.report }
    case 'plan_tool_call':
      return { steps: stepsOf(move) }
    case 'think':
      return move === undefined
        ? { task_completed: true, user_summary: trial.report, next_round: null }
        : {
            task_completed: false,
            user_summary: 'Found what was looked for.',
            next_round: stepsOf(move),
          }
    case 'act': {
      const steps = at === 0 ? trial.items.map(({ text }) => `[Step] ${text}`) : []
      const isNew = at > 0 && move !== undefined && moves[at - 1]?.item !== move.item
      const report = reports ? reportBeside(trial, at) : null
      const along = report === null ? [] : ['[Report]', report]
      const text = [...steps, ...(isNew ? ['[Done]'] : []), ...along].join('\n')
      return move === undefined
        ? { text: trial.report, calls: [] }
        : { text: text === '' ? null : text, calls: callsOf(move) }
    }
    default:
      throw new Error(`nothing is scripted for ${contract}`)
  }
}

const stepsOf = (move: Placed | undefined) =>
  callsOf(move).map(({ tool, input }) => ({ tool, arguments: input, purpose: null }))

function aside(contract: TaskContract, say: string | undefined): unknown {
  if (contract === 'act') return { text: say, calls: [] }
  return contract === 'think'
    ? { task_completed: false, user_summary: say }
    : { status: 'replanned', plan: [], say }
}

function thought(
  trial: Trial,
  task: Task,
  { move, leads_to }: { move: Placed | undefined; leads_to: string | null },
): unknown {
  const current_step = task.planItems[task.currentPlanIndex]?.text ?? task.goal
  if (move === undefined)
    return { status: 'done', current_step, leads_to: 'end', response: trial.report }
  if (!('calls' in move))
    return { status: 'ask_user', current_step, question: move.ask, choices: move.choices }
  const [next_action, ...more] = move.calls.map(named)
  const made = { current_step, next_action, more_actions: more.length === 0 ? null : more }
  return move.item > task.currentPlanIndex
    ? { ...made, status: 'done', response: 'As the results say.' }
    : { ...made, status: 'continue', leads_to }
}
