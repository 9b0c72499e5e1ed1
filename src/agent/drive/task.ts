import { assertNever } from '../domain/assert.ts'
import { leftOf } from '../domain/chain.ts'
import { isUnattended } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { together } from '../kernel/messages.ts'
import { counted } from '../kernel/usage-meter.ts'
import type { Change, RunInput } from '../ports/store.ts'
import { AgentTaskInput, CodingInput } from '../run-types.ts'
import { batchSizes } from '../strategies/batch-sizes.ts'
import { strategyInWords } from '../strategies/choose.ts'
import { strategies, strategyOf } from '../strategies/strategies.ts'
import type { Action, AnyEvent, TaskEvent } from '../strategies/strategy.ts'
import { callModel, callTool } from './calls.ts'
import { awaitReport, handOver } from './coding.ts'
import { settlement, verdictLine } from './outcome.ts'
import { notYet, type Session } from './session.ts'
import { handedOver } from './tool-output.ts'

/** P14: taken over this often without a commit in between, a run is given up. */
const attemptsMost = 3

/**
 * The loop around the model: take in what people said, ask the strategy for the next action, do it, commit what came of
 * it. One commit a step; it holds everything the step caused (rule 3).
 */
export async function driveTask(session: Session): Promise<Rest> {
  const { deps, signal } = session
  let task = session.task ?? (await startTask(session))
  /** A tool call that this worker did not decide itself was cut off by a crash; one that waits for approval has not begun. */
  let inherited = !task.awaitingClarification
  if (session.run.attempts >= attemptsMost) {
    await record(session, task, [{ kind: 'worn_out' }])
    return rest
  }
  while (!signal.aborted) {
    if (session.waiting > session.inputs.length) await session.refresh()
    const { inputs } = session
    if (inputs.length > 0) {
      task = await record(session, task, inputs.map(eventOf), inputs.length)
      // What was decided before a pause has not been begun.
      if (inputs.some((input) => input.kind === 'continue')) inherited = false
      continue
    }
    if (session.run.status === 'queued') return notYet(session)
    const action = strategyOf(task).next(task)
    const event = await perform(session, task, action, inherited)
    inherited = false
    if (signal.aborted) return rest
    if (event === 'interrupted') continue
    if (event === null) return await waiting(session, task)
    if (event.kind === 'wakeAt' || event.kind === 'rest' || event.kind === 'park' || event.kind === 'over') return event
    task = await record(session, task, [event])
    // What people say meanwhile is taken in at once.
    if (event.kind === 'unavailable' && session.run.status === 'running')
      return { kind: 'wakeAt', at: deps.clock.now() + event.waitMs }
  }
  return rest
}

/** C48: a question of work that nobody watches waits for a day, not for ever; any other as long as it takes. */
async function waiting(session: Session, task: Task): Promise<Rest> {
  const { deps, run } = session
  if (!task.unattended || !task.awaitingClarification) return rest
  const place = await session.place()
  const asked = place?.questions.find((question) => question.runId === run.id)
  if (asked === undefined) return rest
  const until = asked.askedAt + deps.unattendedQuestionMs
  if (deps.clock.now() < until) return { kind: 'wakeAt', at: until }
  await record(session, task, [{ kind: 'expired' }])
  return rest
}

async function startTask(session: Session): Promise<Task> {
  const { run, deps } = session
  if (run.type === 'coding')
    return strategies.coding.start(CodingInput.parse(run.input).goal, deps.limits, isUnattended(run))
  const { goal, strategy, size } = AgentTaskInput.parse(run.input)
  const own = size === undefined ? deps.limits : { ...deps.limits, ...batchSizes[size] }
  // What follows by itself lives on what is left (R121); the least is one step, which then says so.
  const limits = run.chain === undefined ? own : (leftOf(own, run.chain.spent) ?? { ...own, maxModelCalls: 1 })
  // Work of a schedule says how in its own words, as a request does; else as the setting says.
  const said = strategyInWords(goal) ?? (deps.strategy === 'auto' ? 'step' : deps.strategy)
  return strategies[strategy ?? said].start(goal, limits, isUnattended(run))
}

function eventOf(input: RunInput): TaskEvent {
  switch (input.kind) {
    case 'answer': {
      const { question, text, author } = input
      return { kind: 'answered', question: question.text, text, author, choice: question.choices.indexOf(text) }
    }
    case 'joined':
      return { kind: 'joined', text: input.text, author: input.author }
    case 'continue':
      return { kind: 'continued' }
    default:
      return assertNever(input)
  }
}

/**
 * Does the action; null when there is nothing to do but wait, a rest until when, `interrupted` when a person's message came
 * first.
 */
async function perform(
  session: Session,
  task: Task,
  action: Action,
  inherited: boolean,
): Promise<AnyEvent | Rest | 'interrupted' | null> {
  switch (action.kind) {
    case 'call_model': {
      const reason = await session.meter.reached(session.deps.clock.now())
      if (reason !== null) return { kind: 'capped', reason }
      return await callModel(session, task, action.contract)
    }
    case 'call_tool':
      return await callTool(session, task, action, inherited)
    case 'hand_over':
      return await handOver(session, task)
    case 'await_report':
      return await awaitReport(session, task)
    case 'wait':
    case 'pause':
    case 'finish':
    case 'give_up':
      // Already settled with the event that led here; only a fresh task can arrive here by itself.
      await settleNow(session, task, action)
      return null
    default:
      return assertNever(action)
  }
}

async function settleNow(session: Session, task: Task, action: Action) {
  if (session.run.status !== 'running') return
  const change = await settlement(session, task, action)
  await session.commit(together({ task: { before: session.task, after: task } }, change))
}

/**
 * Applies events and commits them with whatever they settle. When something came in that the settlement did not know of,
 * the events stand and the newcomer is applied after them, in the same commit.
 */
async function record(session: Session, before: Task, happened: readonly AnyEvent[], consume = 0): Promise<Task> {
  let events = happened
  let taken = consume
  for (;;) {
    const { after, story } = tell(before, events)
    const settled = await settlement(session, after, strategyOf(after).next(after))
    const said = await verdictLine(session, before, after)
    const heard = session.inputs.slice(0, taken).map(heardOf)
    const change: Partial<Change> = together(
      { task: { before: session.task, after }, consume: taken, progress: session.run.id },
      said,
      ...(await handedOver(session, events)),
      counted(session.deps.day, session.deps.clock.now(), session.run.requestedBy, usageOf(events)),
      settled,
    )
    if ((await session.commit(change, [...heard, ...story])) === 'committed') return after
    const fresh = session.inputs.slice(taken).map(eventOf)
    events = [...events, ...fresh]
    taken += fresh.length
  }
}

function tell(before: Task, events: readonly AnyEvent[]): { after: Task; story: TraceEvent[] } {
  let after = before
  const story: TraceEvent[] = []
  for (const event of events) {
    const strategy = strategyOf(after)
    const next = strategy.apply(after, event)
    story.push(...strategy.narrate(after, event, next))
    after = next
  }
  return { after, story }
}

/** The tokens of the model calls among them. */
const usageOf = (events: readonly AnyEvent[]) =>
  events.reduce((sum, event) => ('usage' in event ? plus(sum, event.usage) : sum), noUsage)

function heardOf(input: RunInput): TraceEvent {
  return { kind: 'heard', entryId: input.entryId, as: input.kind }
}
