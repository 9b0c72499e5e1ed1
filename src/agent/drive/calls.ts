import { type ContractInputs, readReply } from '../contracts.ts'
import { stopWith, within } from '../deadline.ts'
import { assertNever } from '../domain/assert.ts'
import { cleanText } from '../domain/clean-text.ts'
import type { SourceRef } from '../domain/fact.ts'
import { deriveId } from '../domain/id.ts'
import { isUnattended, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import { zonedMinute } from '../domain/zone.ts'
import type { Hold } from '../kernel/lease.ts'
import { kindOf, type ModelReply, type NoAnswer } from '../ports/model.ts'
import type { Tool, ToolContext } from '../ports/tool.ts'
import { mustBeApproved } from '../strategies/approval.ts'
import { strategyOf } from '../strategies/strategies.ts'
import type { Action, AnyEvent, Call, Observed, TaskContract, TaskEvent } from '../strategies/strategy.ts'
import { finderOf, shownCards } from '../tools/find-tool.ts'
import { type Asking, cardOf } from '../tools/registry.ts'
import { recallOf } from './recall-tool.ts'
import type { Session, StepResult } from './session.ts'
import { filesOf } from './tool-output.ts'

/** One request, one counted attempt (C8); null when it was cut off: a call that was aborted never happened. */
export async function callModel(
  session: Session,
  task: Task,
  { contract, onNudge }: { contract: TaskContract } & Pick<Hold, 'onNudge'>,
): Promise<StepResult | null> {
  const { deps } = session
  const reason = await session.periodCeiling()
  if (reason !== null) return { event: { kind: 'capped', reason } }
  const started = deps.clock.now()
  const input = await modelInput(session, task, contract)
  const draft = session.draft()
  // What a request before this one wrote was not the end.
  draft?.gone()
  const answer = await interruptible(session, onNudge, (signal) =>
    deps.model.call(contract, input, signal, draft?.written),
  )
  if (!answer.ok) draft?.gone()
  if ('awayMs' in answer) return turnedAway(answer, deps.clock.now())
  const call = { usage: answer.usage, ms: deps.clock.now() - started, at: deps.clock.now() }
  if (!answer.ok) return failureEvent(task, answer, contract, call)
  const read = readReply(contract, input, answer.value)
  if (!read.ok) return { event: { kind: 'refused', contract, problem: read.problem, ...call } }
  return { event: { kind: 'replied', contract, reply: read.reply, ...call } as TaskEvent }
}

/** A wait that nobody is told of, in milliseconds. */
const quietMs = 30_000

/** C93: nothing was sent and nothing is counted; when it takes long the task pauses and says so. */
function turnedAway({ retryAfterMs, awayMs = 0, ...answer }: NoAnswer, now: number): StepResult {
  const waitMs = retryAfterMs ?? 0
  if (awayMs < quietMs && waitMs < quietMs) return { idle: { kind: 'wakeAt', at: now + waitMs } }
  return {
    event: {
      kind: 'away',
      failure: { kind: kindOf({ ...answer, retryAfterMs }) ?? 'unreachable', waitMs, since: now },
    },
  }
}

/** 1 s, 2 s, 4 s … at most a minute, or as long as the server asked for. */
function backoff(task: Task, retryAfterMs: number | null): number {
  return Math.max(retryAfterMs ?? 0, Math.min(60_000, 1_000 * 2 ** task.failures.unavailable))
}

function failureEvent(
  task: Task,
  failure: Extract<ModelReply, { ok: false }>,
  contract: TaskContract,
  call: { usage: ModelReply['usage']; ms: number; at: number },
): { event: AnyEvent } | null {
  const kind = kindOf(failure)
  switch (failure.code) {
    case 'bad_reply':
      // What a filter refused it refuses again; other mistakes the model can mend.
      return kind === 'filtered'
        ? { event: { kind: 'unavailable', contract, failure: kind, waitMs: 0, ...call } }
        : { event: { kind: 'refused', contract, problem: failure.message, ...call } }
    case 'unavailable':
    case 'timeout': {
      const waitMs = backoff(task, failure.retryAfterMs)
      return { event: { kind: 'unavailable', contract, ...(kind !== null && { failure: kind }), waitMs, ...call } }
    }
    case 'not_configured':
      return { event: { kind: 'not_configured' } }
    case 'aborted':
      return null
    default:
      return assertNever(failure)
  }
}

/** C50: with the setting `interrupt`, a message that comes in aborts the call. */
async function interruptible(
  session: Session,
  onNudge: Hold['onNudge'],
  call: (signal: AbortSignal) => Promise<ModelReply>,
): Promise<ModelReply> {
  const { deps, signal } = session
  if (!deps.interrupt) return await call(signal)
  const { stop, letGo } = stopWith(signal)
  const stopLooking = onNudge(() => {
    void session.refresh().then(
      () => session.inputs.some(({ kind }) => kind !== 'overheard') && stop.abort(),
      (error) => deps.log.debug({ err: error }, 'could not look for new messages'),
    )
  })
  try {
    return await call(stop.signal)
  } finally {
    letGo()
    stopLooking()
  }
}

/** R26 to R28: the strategy's view of its task, with where and when. */
async function modelInput<C extends TaskContract>(session: Session, task: Task, _: C): Promise<ContractInputs[C]> {
  const { deps, run } = session
  const recall = recallOf(task)
  const [{ locale, timeZone }, place, facts, thread, images] = await Promise.all([
    session.surroundings(),
    session.place(),
    session.facts(),
    session.overheard(),
    session.images(task),
  ])
  const surroundings = {
    tools: shownCards([...deps.toolbox.cards(askingOf(run)), ...(recall === null ? [] : [cardOf(recall)])]),
    ...(deps.team === undefined ? {} : { team: deps.team() }),
    installation: deps.installation,
    ...(place === null ? {} : { place, asker: run.requestedBy?.name ?? null }),
    ...(images.length === 0 ? {} : { images }),
    locale,
    timeZone,
    now: zonedMinute(deps.clock.now(), timeZone),
    facts,
    thread,
  }
  // A strategy's view has what all of its contracts need (`TaskView`), and it only asks for its own.
  return { ...surroundings, ...strategyOf(task, deps.strategies).view(task) } as ContractInputs[C]
}

/**
 * Carries out the first call, unless people have to approve it first, and with it as many of those along as only read, all at the same time.
 *
 * Rule 5: the same call has the same effect id after a crash; a call that cannot be repeated safely is not repeated.
 */
export async function callTool(
  session: Session,
  task: Task,
  action: Extract<Action, { kind: 'call_tool' }>,
  inherited: boolean,
): Promise<{ event: AnyEvent } | null> {
  const { deps, run, signal } = session
  const ofLoop = [recallOf(task), finderOf(deps.toolbox.cards(askingOf(run)))]
  const toolOf = ({ tool }: Call) => ofLoop.find((one) => one?.name === tool) ?? deps.toolbox.get(tool, askingOf(run))
  const tool = toolOf(action)
  const problem = tool?.check?.(action.input) ?? null
  if (problem !== null) return { event: { kind: 'observed', ok: false, result: problem, ms: 0 } }
  // Before anything else: what has not been approved cannot have begun, no matter who decided it.
  if (tool !== null && !tool.looks?.(action.input) && mustBeApproved(task, tool))
    return { event: { kind: 'held_back', covers: tool.approval === 'first' ? 'tool' : 'call' } }
  // One whose tool is away just now may have been made as well.
  if (inherited && (tool === null || tool.effect === 'unkeyed')) return { event: { kind: 'interrupted' } }
  const onlyReads = (one: Tool | null) => one?.effect === 'none' && (one.approval ?? 'never') === 'never'
  const along = tool?.effect === 'none' ? leading(action.along ?? [], (call) => onlyReads(toolOf(call))) : []
  const withinMs = Math.min(deps.toolTimeoutMs, action.withinMs ?? deps.toolTimeoutMs)
  const make = (call: Call, stop: AbortSignal) =>
    makeCall({ ...session, signal: stop }, call, { tool: toolOf(call), withinMs })
  const [first, ...others] = await makeCalls([action, ...along], make, { ...action, signal })
  if (signal.aborted || first === undefined) return null
  return { event: { kind: 'observed', ...first, ...(others.length === 0 ? {} : { along: others }) } }
}

/** Makes calls at the same time. C12: with `untilFailure` the first one that fails cuts off those after it, which then have no result. */
async function makeCalls(
  calls: readonly Call[],
  make: (call: Call, stop: AbortSignal) => Promise<Observed>,
  { signal, untilFailure = false }: { signal: AbortSignal; untilFailure?: boolean },
): Promise<Observed[]> {
  const stoppable = calls.map((call) => ({ call, ...stopWith(signal) }))
  const made = stoppable.map(async ({ call, stop, letGo }, index) => {
    const result = await make(call, stop.signal).finally(letGo)
    if (untilFailure && !result.ok) for (const later of stoppable.slice(index + 1)) later.stop.abort()
    return result
  })
  // One that was cut off is not waited for, and fails nobody.
  for (const one of made) one.catch(() => undefined)
  const results: Observed[] = []
  for (const one of made) {
    results.push(await one)
    if (untilFailure && results.at(-1)?.ok === false) break
  }
  return results
}

function leading(calls: readonly Call[], fits: (call: Call) => boolean): readonly Call[] {
  const end = calls.findIndex((call) => !fits(call))
  return end === -1 ? calls : calls.slice(0, end)
}

async function makeCall(
  session: Session,
  call: Call,
  { tool, withinMs }: { tool: Tool | null; withinMs: number },
): Promise<Observed> {
  const { deps, run, signal } = session
  if (tool === null) return { ok: false, result: `there is no tool "${call.tool}" any more`, ms: 0 }
  const context = await toolContext(session, deriveId('x', run.id, String(call.step), call.tool))
  let isLate = false
  const result = await within(deps.clock, withinMs, signal, (stop) => {
    stop.addEventListener('abort', () => {
      isLate = true
    })
    return tool.run(call.input, { ...context, signal: stop })
  })
  const { text, files } = result === null ? { text: timedOut, files: [] } : filesOf(result)
  const observed: Observed = {
    ok: result?.ok ?? false,
    result: cleanText(text),
    ms: deps.clock.now() - context.now,
    ...(result?.note === undefined ? {} : { note: { step: call.step, ...result.note } }),
    ...(files.length === 0 ? {} : { made: { step: call.step, files } }),
  }
  // What a tool answers to the abort says nothing of its effect, unless it has none (C13).
  const isUnknown = (isLate || result?.unknown === true) && !observed.ok && tool.effect !== 'none'
  if (!isUnknown) return observed
  const said = isLate && result !== null ? `${timedOut}\n${observed.result}` : observed.result
  return { ...observed, result: said, unknown: true }
}

/** What a tool is told of the run that calls it; `effectId` names the call. */
export async function toolContext(session: Session, effectId: string): Promise<Omit<ToolContext, 'signal'>> {
  const { run, deps } = session
  return {
    workspace: run.workspace,
    channel: run.channel,
    conversationId: run.conversationId ?? '',
    person: run.requestedBy,
    source: sourceOf(run),
    ...(await session.surroundings()),
    ...(run.timeZone === null ? { zoneUnset: true } : {}),
    now: deps.clock.now(),
    effectId,
  }
}

/** The message that asked for a run; of one that no message asked for, the run itself. */
function sourceOf({ id, requestId, requestedBy, conversationId }: Run): SourceRef {
  if (requestedBy === null || conversationId === null || !requestId.startsWith('e_'))
    return { kind: 'run', conversationId, runId: id }
  return { kind: 'message', conversationId, messageId: deriveId('m', 'event', requestId) }
}

const timedOut =
  'timed out, outcome unknown: the tool did not answer in time, and whether it took effect is not known. Look before doing it again.'

/** Which tools a run sees: all that a person's does, and of nobody's what its schedule allows (S4). */
export function askingOf(run: Run): Asking {
  const { allow = [], mode = 'safe' } = run.schedule ?? {}
  return { source: isUnattended(run) ? 'unattended' : 'interactive', workspace: run.workspace, allow, mode }
}
