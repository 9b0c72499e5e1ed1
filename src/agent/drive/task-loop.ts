import { assertNever } from '../domain/assert.ts'
import { leftOf } from '../domain/chain.ts'
import { hasEnded, isUnattended } from '../domain/run.ts'
import type { News, Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { type Idle, idle } from '../kernel/idle.ts'
import type { Hold } from '../kernel/lease.ts'
import { privateMessage } from '../kernel/messages.ts'
import type { RunInput } from '../ports/store.ts'
import { AgentTaskInput, CodingInput } from '../run-inputs.ts'
import { batchSizes } from '../strategies/batch-sizes.ts'
import { strategyInWords } from '../strategies/choose.ts'
import { strategies, strategyOf, UnknownStrategy } from '../strategies/strategies.ts'
import type { AnyEvent } from '../strategies/strategy.ts'
import { type CallModel, createCallModel } from './call-model.ts'
import { callTool } from './calls.ts'
import { awaitReport, handOver } from './coding.ts'
import { endWith } from './finish.ts'
import { goOn, lookAgain, modelAway } from './model-outage.ts'
import { outcomeOf, verdictLine } from './outcome.ts'
import { type Driver, notYet, type Session, type StepResult } from './session.ts'
import { toolOutput } from './tool-output.ts'

/** P14: taken over this often without a commit in between, a run is given up. */
const attemptsMost = 3

/**
 * The loop around the model: take in what people said, ask the strategy for the next action, do it, commit what came of
 * it. One commit a step; it holds everything the step caused (rule 3).
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
    const { core } = await session.words()
    return await endWith(session, { status: 'failed', text: core.unknownStrategy(error.strategy) })
  }
}

async function workOn(session: Session, hold: Hold, isNew: boolean): Promise<Idle> {
  const { deps, signal } = session
  const callModel = createCallModel(session, hold)
  let task = session.task ?? startTask(session)
  /** A tool call that this worker did not decide itself was cut off by a crash; one that waits for approval has not begun. */
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

/** Does what comes next and commits what came of it; null when the strategy is to be asked again. */
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

/** What people said is told to the task; a sign that something was overheard only has the next request look again. */
async function takeIn(session: Session, task: Task, inputs: readonly RunInput[]): Promise<Task> {
  const events = inputs.flatMap(eventsOf)
  if (events.length > 0) return await record(session, task, events, inputs.length)
  await session.commit({ consume: inputs.length })
  return task
}

/** C48: a question of work that nobody watches waits for a day, not for ever; any other as long as it takes. */
async function wait(session: Session, task: Task): Promise<StepResult> {
  const { deps, run } = session
  if (!task.unattended || !task.awaitingClarification) return { idle }
  const thread = await session.thread()
  const asked = thread?.questions.find((question) => question.runId === run.id)
  if (asked === undefined) return { idle }
  const until = asked.askedAt + deps.unattendedQuestionMs
  return deps.clock.now() < until
    ? { idle: { kind: 'wakeAt', at: until } }
    : { event: { kind: 'expired' } }
}

function startTask({ run, deps }: Session): Task {
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
    (deps.strategy === 'auto' ? 'step' : deps.strategy)
  const name = strategy ?? said
  const chosen = deps.strategies.named(name)
  if (chosen === null) throw new UnknownStrategy(name)
  return chosen.start(goal, limits, isAlone)
}

/** What was overheard is no event: the next request shows it (C71). A task gathers nothing. */
function eventsOf(input: RunInput): AnyEvent[] {
  switch (input.kind) {
    case 'answer': {
      const { question, text, author, edited } = input
      const change = edited === undefined ? {} : { edited }
      const choice = question.choices.indexOf(text)
      return [{ kind: 'answered', question: question.text, text, author, choice, ...change }]
    }
    case 'joined': {
      const { text, author, images } = input
      return [{ kind: 'joined', text, author, ...(images === undefined ? {} : { images }) }]
    }
    case 'continue':
      return [{ kind: 'continued' }]
    case 'plan_edit': {
      const { entryId, author: by, seen, steps } = input
      return [{ kind: 'plan_edited', entryId, by, seen, steps }]
    }
    case 'overheard':
    case 'gathered':
      return []
    default:
      return assertNever(input)
  }
}

/** Does what the strategy wants next; null when a person's message came first, so that it is asked again. */
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
      return { event: await handOver(session, task) }
    case 'await_report':
      return await awaitReport(session, task)
    case 'wait':
    case 'pause':
    case 'finish':
    case 'give_up':
      // Already carried out with the event that led here; only a fresh task can arrive here by itself.
      if (session.run.status === 'running') {
        const outcome = await outcomeOf(session, task, action)
        const begun: ChangePart = {
          task: { before: session.task, after: task },
          progress: session.run.id,
        }
        await session.commit(mergeChanges(begun, outcome))
      }
      return await wait(session, task)
    default:
      return assertNever(action)
  }
}

/**
 * Applies events and commits them with what they lead to for the thread. When something came in that this did not know of,
 * the events stand and the newcomer is applied after them, in the same commit.
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
    const { after, story, stale } = tell(session, before, events)
    // A plan that people change leaves a task that waits as it is.
    const isEdit = events.every(({ kind }) => kind === 'plan_edited')
    const next = strategyOf(after, session.deps.strategies).next(after)
    const outcome = isEdit ? {} : await outcomeOf(session, after, next)
    const change = mergeChanges(
      { task: { before: session.task, after }, consume: taken, progress: session.run.id },
      await verdictLine(session, before, after),
      ...(await toolOutput(session, events)),
      await tellOfStale(session, stale),
      session.spent(usageOf(events)),
      outcome,
    )
    const heard = session.inputs.slice(0, taken).flatMap(heardOf)
    if ((await session.commit(change, [...heard, ...story])) === 'committed') return after
    const fresh = session.inputs.slice(taken)
    events = [...events, ...fresh.flatMap(eventsOf)]
    taken += fresh.length
  }
}

function tell({ deps }: Session, before: Task, events: readonly AnyEvent[]) {
  let after = before
  const story: TraceEvent[] = []
  const stale: PlanEdited[] = []
  for (const event of events) {
    const strategy = strategyOf(after, deps.strategies)
    const next = strategy.apply(after, event)
    if (event.kind === 'plan_edited' && next === after) stale.push(event)
    const told = strategy.narrate(after, event, next)
    story.push(...told)
    const news = told.map(newsOf).findLast((one) => one !== null)
    after = news == null ? next : { ...next, news }
  }
  return { after, story, stale }
}

type PlanEdited = Extract<AnyEvent, { kind: 'plan_edited' }>

/** C208: a change that came too late changed nothing, and the person who made it is told so. */
async function tellOfStale(
  { run, deps, words }: Session,
  stale: readonly PlanEdited[],
): Promise<ChangePart> {
  const { conversationId } = run
  if (stale.length === 0 || conversationId === null) return {}
  const { core } = await words()
  const parts = stale.map(({ entryId, by }) => {
    const origin = {
      conversationId,
      cause: { kind: 'turn' as const, refId: entryId },
      at: deps.clock.now(),
    }
    return privateMessage(origin, { ...by, bot: false }, core.planMovedOn(run.title))
  })
  return mergeChanges(...parts)
}

/** R38, R39: what the thread says of a reply. */
function newsOf(told: TraceEvent): News | null {
  if (told.kind === 'planned' || told.kind === 'replanned') return { kind: told.kind, index: 0 }
  return told.kind === 'thought' ? { kind: told.decision, index: told.index } : null
}

/** The tokens of the model calls among them. */
const usageOf = (events: readonly AnyEvent[]) =>
  events.reduce((sum, event) => ('usage' in event ? plus(sum, event.usage) : sum), noUsage)

function heardOf(input: RunInput): TraceEvent[] {
  if (input.kind === 'overheard' || input.kind === 'gathered') return []
  const { kind: as, entryId, author } = input
  return [
    {
      kind: 'heard',
      entryId,
      as,
      ...(author === undefined ? {} : { by: { id: author.id, name: author.name } }),
    },
  ]
}
