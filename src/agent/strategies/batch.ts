import { askCard } from '../contracts/calls.ts'
import type { ContractReplies } from '../contracts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Limits } from '../domain/budget.ts'
import type { FirstMoves } from '../domain/run.ts'
import type { BatchTask, Observation, PlanItem } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { batchPlan } from './batch-plan.ts'
import {
  accepted,
  beginning,
  cut,
  ended,
  halted,
  loopView,
  noFailures,
  refusalsMost,
  rejected,
  say,
  spentOn,
} from './bookkeeping.ts'
import { callAction, longest, observed, queued, resultsIn, skipped } from './calls.ts'
import { actingOf, itemsOf } from './narration.ts'
import type { Action, BatchContract, Observed, Replied, Strategy, TaskEvent } from './strategy.ts'
import { applyReply, type Replies, usual, withQuestion } from './usual-events.ts'

/** R58, R49, R65: values where the settings say nothing; the time in milliseconds. */
const roundsDefault = 5
const callsDefault = { most: 8 }
const roundMsDefault = 60_000
/** Length of a round's title, in characters. */
const titleMost = 160
/** Length of what a round tells the next one, in characters. */
const analysisMost = 4_000

type Event = TaskEvent<BatchContract>

/** Rounds of plan – execute – think: two model calls for up to eight tool calls (R45, R68). */
export const batch: Strategy<BatchTask, BatchContract> = {
  start,
  next,
  apply,
  view,
  narrate,
  plan: batchPlan,
  ahead,
  // C17: what the last round came to is what people want to read first.
  standing: (task) => task.lastSummary,
  speaks: {
    contract: 'think',
    words: ({ reply }) => ('user_summary' in reply ? (reply.say ?? reply.user_summary) : null),
  },
}

function start(goal: string, limits: Limits, unattended: boolean): BatchTask {
  return {
    ...beginning(goal, limits, unattended),
    strategy: 'batch',
    queue: [],
    stage: 'plan',
    rounds: 0,
    roundsBefore: 0,
    roundMs: 0,
    lastSummary: null,
  }
}

const maxRounds = (task: BatchTask) => task.limits.maxRounds ?? roundsDefault
const maxRoundMs = (task: BatchTask) => task.limits.maxRoundMs ?? roundMsDefault
const roundsUsed = (task: BatchTask) => task.rounds - task.roundsBefore

/** Rounds end all the same after so many times their number. */
const roundsMost = 4

/**
 * C512: rounds beyond their number go on while the last one made progress: a call worked that had
 * not worked before, or people answered.
 */
function mayGoOn(task: BatchTask): boolean {
  const [used, most] = [roundsUsed(task), maxRounds(task)]
  return used < most || (used < most * roundsMost && hasMoved(task))
}

function hasMoved({ observations, rounds }: BatchTask): boolean {
  const made = observations.filter((one) => one.turn === rounds)
  const before = observations.slice(0, observations.length - made.length)
  const isNews = ({ tool, input, ok }: Observation) =>
    ok && !before.some((one) => one.tool === tool && one.input === input)
  return made.some(isNews)
}

function next(task: BatchTask): Action<BatchContract> {
  const halt = halted(task)
  if (halt !== null) return halt
  if (task.intent !== null) {
    const withinMs = Math.max(1, maxRoundMs(task) - task.roundMs)
    return { ...callAction({ ...task, intent: task.intent }, withinMs), untilFailure: true }
  }
  if (task.stage === 'plan' && !mayGoOn(task)) return { kind: 'pause', reason: 'rounds' }
  return { kind: 'call_model', contract: contractOf[task.stage] }
}

const contractOf = { plan: 'plan_tool_call', think: 'think', close: 'summary' } as const

function apply(task: BatchTask, event: Event): BatchTask {
  switch (event.kind) {
    case 'replied':
      return applyReply(replies, accepted(task, event), event)
    case 'refused':
      return applyRefusal(rejected(task, event), event.contract)
    case 'unavailable':
      // The summary is tried once; without it there still is a digest (R62).
      return task.stage === 'close' ? closed(spentOn(task, event), '') : usual(task, event)
    case 'observed':
      return applyResults(task, resultsIn(event))
    case 'interrupted':
      return { ...marked(usual(task, event)), stage: 'think' }
    case 'answered':
      return usual(task, event)
    case 'joined': {
      // What is said before the last word is spoken still counts: there is another round (C50).
      const { nextRound: _, ...told } = usual(task, event)
      const isOver = told.settled !== task.settled || task.stage === 'close'
      return isOver ? { ...told, stage: 'plan', failures: noFailures } : told
    }
    case 'continued':
      return goneOn({ ...usual(task, event), roundsBefore: task.rounds, roundMs: 0 })
    default:
      return assertNever(event)
  }
}

/** C512: what was planned before a pause is begun, unless somebody has said something since. */
function goneOn({ nextRound, ...task }: BatchTask): BatchTask {
  const isFree = task.stage === 'plan' && task.intent === null
  return nextRound === undefined || !isFree ? task : roundBegun(task, nextRound)
}

/**
 * C578: calls that are known make the first round; where a round is planned by itself, nothing
 * does.
 */
function ahead({ limits }: BatchTask, { calls }: FirstMoves) {
  const { most } = limits.callsPerRound ?? callsDefault
  if (!limits.thinkPlans || calls.length > most) return null
  const steps = calls.map(({ tool, input }) => ({ tool, arguments: input, purpose: null }))
  return {
    contract: 'plan_tool_call' as const,
    reply: { reasoning: null, estimated_steps: null, steps },
  }
}

const replies: Replies<BatchTask, BatchContract> = {
  plan_tool_call: (task, { steps }) => roundBegun(task, steps),
  think: thoughtAbout,
  summary: (task, { content }) => closed(task, content),
}

function roundBegun(task: BatchTask, steps: PlanReply['steps']): BatchTask {
  const round = task.rounds + 1
  const begun: BatchTask = {
    ...task,
    rounds: round,
    roundMs: 0,
    stage: 'think',
    planItems: steps.map((step) => ({ text: purposeOf(step), done: false })),
    currentPlanIndex: 0,
  }
  const calls = steps.map(({ tool, arguments: input }) => ({ tool, input }))
  return questioned(queued(begun, round, calls, null))
}

type PlanReply = ContractReplies['plan_tool_call']

function purposeOf({ tool, arguments: input, purpose }: PlanReply['steps'][number]): string {
  const said = purpose?.trim() ?? ''
  return cut(said === '' ? `${tool}: ${input.trim().split('\n', 1)[0] ?? ''}` : said, titleMost)
}

/**
 * A failure or the end of the round's time stops the batch (R64, R65); else the next call is due.
 */
function applyResults(task: BatchTask, results: readonly Observed[]): BatchTask {
  const shown = marked(observed({ ...task, roundMs: task.roundMs + longest(results) }, results))
  if (!results.every((one) => one.ok)) return skipped(shown, 'a call before it failed')
  if (shown.roundMs >= maxRoundMs(shown)) return skipped(shown, 'the time of the round was over')
  return questioned(shown)
}

/** C37: the last step of a batch may be a question. */
function questioned(task: BatchTask): BatchTask {
  const asked = withQuestion(task)
  if (asked === task) return task
  const made = asked.observations.filter((one) => one.turn === asked.rounds)
  // C512: a round that only asks is none of those that are allowed.
  const isOnly = made.every(({ tool }) => tool === askCard.name)
  return marked(isOnly ? { ...asked, roundsBefore: asked.roundsBefore + 1 } : asked)
}

/** The round's list in the thread: which of its calls have worked. */
function marked(task: BatchTask): BatchTask {
  const made = task.observations.filter((one) => one.turn === task.rounds)
  const planItems = task.planItems.map((item, index) => ({
    ...item,
    done: made[index]?.ok ?? false,
  }))
  const open = planItems.findIndex((item) => !item.done)
  return { ...task, planItems, currentPlanIndex: open === -1 ? planItems.length : open }
}

/**
 * R56, R57: the summary is kept with the round's end; what comes next stands in the thread as open.
 */
function thoughtAbout(task: BatchTask, reply: ContractReplies['think']): BatchTask {
  const summary = reply.user_summary.trim()
  const title = titleOf(summary)
  const made = task.observations.filter((one) => one.turn === task.rounds)
  // A round in which nothing worked is not shown as done.
  const ok = made.length === 0 || made.some((one) => one.ok)
  const analysis = reply.internal_analysis?.trim() ?? ''
  const kept = analysis === '' ? {} : { analysis: cut(analysis, analysisMost) }
  const conclusion = { step: task.spent.iterations, item: title, text: summary, ...kept, ok }
  const round: BatchTask = {
    ...say(task, reply.say),
    lastSummary: summary,
    conclusions: [...task.conclusions, conclusion],
    planItems: reply.task_completed ? [] : previewOf(reply.next_steps_preview),
    currentPlanIndex: 0,
    stage: 'plan',
  }
  if (reply.task_completed) return { ...round, settled: ended(summary, reply.given_up === true) }
  // C143: the next round is planned with the same reply, unless it has to wait for a "continue".
  const { next_round: nextRound } = reply
  if (task.limits.thinkPlans !== true || nextRound === null) return round
  return mayGoOn(round) ? roundBegun(round, nextRound) : { ...round, nextRound }
}

function previewOf(text: string | null): PlanItem[] {
  const lines = (text ?? '').split('\n').map(titleOf)
  return lines.filter((line) => line !== '').map((line) => ({ text: line, done: false }))
}

/** The first line as an item of a plan: short, without marks of a list and of Markdown (C500). */
function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  const plain = line
    .replace(/^\s*(?:#{1,6}\s|[-*•]\s|\d+[.)、])\s*/, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
  return cut(plain.trim(), titleMost)
}

function applyRefusal(task: BatchTask, contract: BatchContract): BatchTask {
  if (contract === 'summary') return closed(task, '')
  if (task.failures.contract < refusalsMost) return task
  // R60, R61: the rounds are over. A summary that people have not got yet is the end; else one is
  // asked for.
  return task.lastSummary !== null && contract === 'plan_tool_call'
    ? closed(task, task.lastSummary)
    : { ...task, refusal: null, stage: 'close' }
}

/** Work that ended without the model's word that it is done. */
function closed(task: BatchTask, text: string): BatchTask {
  return { ...task, stage: 'plan', settled: { kind: 'finished', ok: false, text } }
}

function view(task: BatchTask) {
  return {
    ...loopView(task),
    round: task.stage === 'plan' ? task.rounds + 1 : task.rounds,
    maxRounds: task.roundsBefore + maxRounds(task),
    callsPerRound: task.limits.callsPerRound ?? callsDefault,
    thinkPlans: task.limits.thinkPlans === true,
    lastSummary: task.lastSummary,
  }
}

/** The story of a round (R67, R69). */
function narrate(before: BatchTask, event: Replied<BatchContract>, after: BatchTask): TraceEvent[] {
  switch (event.contract) {
    case 'plan_tool_call':
      return [{ kind: 'planned', items: itemsOf(after) }, ...actingOf(before, after)]
    case 'think': {
      const { task_completed: completed } = event.reply
      const round: TraceEvent = { kind: 'round', round: before.rounds, completed }
      if (completed) return [round, { kind: 'task_done' }]
      const isPlanned = after.rounds > before.rounds
      return isPlanned
        ? [round, { kind: 'planned', items: itemsOf(after) }, ...actingOf(before, after)]
        : [round]
    }
    case 'summary':
      return []
    default:
      return assertNever(event)
  }
}
