import { callsProblem, firstMost } from '../contracts/calls.ts'
import { assertNever } from '../domain/assert.ts'
import { leftOf } from '../domain/chain.ts'
import { errandQuestion, errandThread } from '../domain/elsewhere.ts'
import { hasEnded, isUnattended } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import { mergeChanges } from '../kernel/change.ts'
import { type Idle, idle } from '../kernel/idle.ts'
import type { Hold } from '../kernel/lease.ts'
import type { RunInput } from '../ports/store.ts'
import { AgentTaskInput, CodingInput } from '../run-inputs.ts'
import { wantsPlanFirst } from '../said/plan-first.ts'
import { awaitsAnswer } from '../strategies/await-answer.ts'
import { batchSizes } from '../strategies/batch-sizes.ts'
import { strategyInWords } from '../strategies/choose.ts'
import { strategies, strategyOf, UnknownStrategy } from '../strategies/strategies.ts'
import type { AnyEvent } from '../strategies/strategy.ts'
import { shownCards } from '../tools/find-tool.ts'
import { audited, isUnannounced } from './audit.ts'
import { type CallModel, createCallModel } from './call-model.ts'
import { callTool, effectOf } from './calls.ts'
import { awaitReport, handOver } from './coding.ts'
import { decideStep, eventsOf, heardOf, usageOf } from './decide.ts'
import { finishRun } from './finish.ts'
import { forecastPart } from './forecast.ts'
import { goOn, lookAgain, modelAway } from './model-outage.ts'
import { isPlanDue, plansFirst } from './plan-due.ts'
import { askingOf } from './run-asking.ts'
import { endWith, readScene } from './scene.ts'
import { type Driver, notYet, type Session, type StepResult } from './session.ts'

/** P14: taken over this often without a commit in between, a run is given up. */
const attemptsMost = 3

/**
 * The loop around the model: take in what people said, ask the strategy for the next action, do it,
 * commit what came of it. One commit a step; it holds everything the step caused (rule 3).
 */
export const driveTask: Driver = async (session, hold, isNew) => {
  try {
    return await workOn(session, hold, isNew)
  } catch (error) {
    if (!(error instanceof UnknownStrategy)) throw error
    session.deps.log.error(
      { run: session.run.id, strategy: error.strategy },
      'there is no strategy of this name',
    )
    const { strategy } = error
    return await endWith(session, (scene) =>
      finishRun(scene, { status: 'failed', text: scene.words.core.unknownStrategy(strategy) }),
    )
  }
}

async function workOn(session: Session, hold: Hold, isNew: boolean): Promise<Idle> {
  const { deps, signal } = session
  const callModel = createCallModel(session, hold)
  let task = session.task ?? startTask(session)
  /**
   * A tool call that this worker did not decide itself was cut off by a crash; one that waits for
   * approval has not begun.
   */
  let inherited = !task.awaitingClarification && !isNew
  if (session.run.attempts >= attemptsMost) {
    await record(session, task, [{ kind: 'worn_out' }])
    return idle
  }
  while (!signal.aborted) {
    const inputs = await session.heard()
    if (inputs.length > 0) {
      task = await takeIn(session, task, inputs)
      // What was decided before a pause has not been begun.
      if (inputs.some((input) => input.kind === 'continue')) inherited = false
      continue
    }
    if (session.run.status === 'queued') return notYet(session)
    const first = firstEvent(session, task)
    if (first !== null) {
      task = await record(session, task, [first])
      inherited = false
      continue
    }
    if (await isUnannounced(session, task)) {
      task = await record(session, task, [])
      continue
    }
    const how = { before: task, callModel, inherited }
    const step = await deps.tracer({ kind: 'step', came }, () => takeStep(session, how))
    inherited = false
    if (signal.aborted) return idle
    if (step === null) continue
    if ('idle' in step) return step.idle
    const { event } = step
    task = step.after
    // What people say meanwhile is taken in at once.
    const waitMs = modelAway(task)?.waitMs ?? (event.kind === 'unavailable' ? event.waitMs : null)
    if (waitMs !== null && !hasEnded(session.run.status))
      return { kind: 'wakeAt', at: deps.clock.now() + waitMs }
  }
  return idle
}

interface How {
  before: Task
  callModel: CallModel
  inherited: boolean
}

const came = (step: Awaited<ReturnType<typeof takeStep>>) => step !== null && 'event' in step

/**
 * Does what comes next and commits what came of it; null when the strategy is to be asked again.
 */
async function takeStep(session: Session, how: How) {
  const { before, callModel } = how
  const away = hasEnded(session.run.status) ? null : modelAway(before)
  const step =
    away === null ? await perform(session, how) : await lookAgain(session, before, callModel)
  if (session.signal.aborted) return null
  if (step === null || 'idle' in step) return step
  const task = away === null ? before : await goOn(session, before)
  return { event: step.event, after: await record(session, task, [step.event]) }
}

/**
 * Passes people's words to the task. A sign that something was overheard only makes the next
 * request look again.
 */
async function takeIn(session: Session, task: Task, inputs: readonly RunInput[]): Promise<Task> {
  const events = inputs.flatMap(eventsOf)
  if (events.length > 0) return await record(session, task, events, inputs.length)
  await session.commit({ consume: inputs.length })
  return task
}

/** An answer that came before its question stood here is passed on now (C843). */
async function lookElsewhere({ deps, run }: Session, { intent, lastQuestion }: Task) {
  const { awaits } = lastQuestion ?? {}
  if (intent === null || awaits === undefined) return
  const effectId = effectOf(run, intent)
  const asked = { questionId: errandQuestion(effectId), runId: run.id, of: awaits.of }
  await deps.passEarlierOn?.({ workspace: run.workspace, thread: errandThread(effectId), asked })
}

/**
 * C48: a question of work that nobody watches waits for a day, not for ever; any other as long as
 * it takes.
 */
async function wait(session: Session, task: Task): Promise<StepResult> {
  const { deps, run } = session
  if (awaitsAnswer(task)) await lookElsewhere(session, task)
  if (!task.unattended || !task.awaitingClarification) return { idle }
  const thread = await session.thread()
  const asked = thread?.questions.find((question) => question.runId === run.id)
  if (asked === undefined) return { idle }
  const until = asked.askedAt + deps.unattendedQuestionMs
  return deps.clock.now() < until
    ? { idle: { kind: 'wakeAt', at: until } }
    : { event: { kind: 'expired' } }
}

/** C764: a task that is to show its plan first does so from its first call on. */
function startTask(session: Session): Task {
  const { run, deps } = session
  const task = freshTask(session)
  const isWanted =
    run.planFirst === true || plansFirst(deps, run.channel) || wantsPlanFirst(task.goal)
  return isWanted ? { ...task, planFirst: -1 } : task
}

function freshTask({ run, deps }: Session): Task {
  const isAlone = isUnattended(run)
  if (run.type === 'coding')
    return strategies.coding.start(CodingInput.parse(run.input).goal, deps.limits, isAlone)
  const { goal, strategy, size } = AgentTaskInput.parse(run.input)
  const own = size === undefined ? deps.limits : { ...deps.limits, ...batchSizes[size] }
  // What follows by itself lives on what is left (R121); the least is one step, which then says so.
  const limits =
    run.chain === undefined ? own : (leftOf(own, run.chain.spent) ?? { ...own, maxModelCalls: 1 })
  // Work of a schedule says how in its own words, as a request does; else as the setting says.
  const said =
    strategyInWords(goal, deps.strategies.outside) ??
    (deps.strategy === 'auto' ? 'free' : deps.strategy)
  const name = strategy ?? said
  const chosen = deps.strategies.named(name)
  if (chosen === null) throw new UnknownStrategy(name)
  return chosen.start(goal, limits, isAlone)
}

/**
 * C578: a fresh task begins with the calls that the Decision made. They are decided with this
 * commit and made after it, as those of any reply; null where there are none, or they cannot be
 * made.
 */
function firstEvent({ run, task: known, deps }: Session, task: Task): AnyEvent | null {
  const { first } = run
  if (known !== null || first === undefined || first.calls.length === 0) return null
  const tools = shownCards(deps.toolbox.cards(askingOf(run)))
  const problem = callsProblem(first.calls, { tools, unattended: task.unattended })
  if (problem !== null || first.calls.length > firstMost) {
    deps.log.info({ run: run.id, problem }, 'the calls of the Decision cannot be made')
    return null
  }
  const reply = strategyOf(task, deps.strategies).ahead?.(task, first) ?? null
  if (reply === null) return null
  const usage = { promptTokens: 0, completionTokens: 0, requests: 0 }
  return { kind: 'replied', ...reply, usage, ms: 0 }
}

/**
 * Does what the strategy wants next; null when a person's message came first, so that it is asked
 * again.
 */
async function perform(
  session: Session,
  { before: task, callModel, inherited }: How,
): Promise<StepResult | null> {
  const action = strategyOf(task, session.deps.strategies).next(task)
  switch (action.kind) {
    case 'call_model':
      return await callModel(task, action.contract)
    case 'call_tool':
      return await callTool(session, task, action, inherited)
    case 'hand_over':
      return isPlanDue(session, task, false)
        ? { event: { kind: 'plan_shown' } }
        : { event: await handOver(session, task) }
    case 'await_report':
      return await awaitReport(session, task)
    case 'wait':
    case 'pause':
    case 'finish':
    case 'give_up':
      // Already carried out with the event that led here; only a fresh task can arrive here by
      // itself.
      if (session.run.status === 'running') await record(session, task, [])
      return await wait(session, task)
    default:
      return assertNever(action)
  }
}

/**
 * Gather, decide, commit: what becomes of a task is decided, the scene is read where something is
 * said of it, and all of it is one commit. When something came in that this did not know of, the
 * events stand and the newcomer is applied after them.
 */
async function record(
  session: Session,
  before: Task,
  happened: readonly AnyEvent[],
  consume = 0,
): Promise<Task> {
  let events = happened
  let taken = consume
  for (;;) {
    const step = decideStep(session.deps.strategies, before, events)
    const { trace, lines } = step
    const { after, audit } = await audited(session, before, step)
    // Only what these events took in is known: more may have been read while the model answered.
    const scene =
      lines.length === 0 ? null : { ...(await readScene(session, after)), inputs: taken }
    const change = mergeChanges(
      { task: { before: session.task, after }, consume: taken, progress: session.run.id, audit },
      await forecastPart({ run: session.run, store: session.deps.store }, before, after),
      session.spent(usageOf(events)),
      ...(scene === null ? [] : lines.map((line) => line(scene))),
    )
    const heard = session.inputs.slice(0, taken).flatMap(heardOf)
    if ((await session.commit(change, [...heard, ...trace])) === 'committed') return after
    const fresh = session.inputs.slice(taken)
    events = [...events, ...fresh.flatMap(eventsOf)]
    taken += fresh.length
  }
}
