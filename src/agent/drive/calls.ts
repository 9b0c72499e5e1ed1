import { texts } from '../../locales/texts.ts'
import { stopWith, within } from '../deadline.ts'
import { cleanText } from '../domain/clean-text.ts'
import type { SourceRef } from '../domain/fact.ts'
import { deriveId } from '../domain/id.ts'
import { ownerOf, type Run } from '../domain/run.ts'
import type { ServiceQuestion } from '../domain/service-question.ts'
import type { Task } from '../domain/task.ts'
import type { Tool, ToolContext } from '../ports/tool.ts'
import { answersFor, mayServiceAsk } from '../strategies/service.ts'
import type { Action, AnyEvent, Call, Observed } from '../strategies/strategy.ts'
import { finderOf } from '../tools/find-tool.ts'
import { createCallProgress } from './call-progress.ts'
import { mustAsk } from './origins.ts'
import { isPlanDue } from './plan-due.ts'
import { recallOf } from './recall-tool.ts'
import { askingOf } from './run-asking.ts'
import type { Session } from './session.ts'
import { linksFor, mayBeRead } from './sources.ts'
import { standingFor } from './standing.ts'
import { filesOf } from './tool-output.ts'

/**
 * Carries out the first call, unless people have to approve it first, and with it as many of those
 * along as only read, all at the same time.
 *
 * Rule 5: the same call has the same effect id after a crash; a call that cannot be repeated safely
 * is not repeated.
 */
export async function callTool(
  session: Session,
  task: Task,
  action: Extract<Action, { kind: 'call_tool' }>,
  inherited: boolean,
): Promise<{ event: AnyEvent } | null> {
  const { deps, run, signal } = session
  const ofLoop = [recallOf(task), finderOf(deps.toolbox.cards(askingOf(run)))]
  const loopTool = ({ tool }: Call) => ofLoop.find((one) => one?.name === tool) ?? null
  const toolOf = (call: Call) => loopTool(call) ?? deps.toolbox.get(call.tool, askingOf(run))
  const own = loopTool(action)
  const { tool, problem, looks } =
    own === null
      ? session.lookUp(task.intent ?? action)
      : { tool: own, problem: null, looks: false }
  if (problem !== null) return { event: { kind: 'observed', ok: false, result: problem, ms: 0 } }
  const acts = tool !== null && tool.effect !== 'none' && !looks
  if (acts && isPlanDue(session, task, inherited)) return { event: { kind: 'plan_shown' } }
  // Before anything else: what has not been approved cannot have begun, no matter who decided it.
  if (tool !== null && !looks && (await mustAsk(session, task, tool)))
    return { event: await approvalOf(session, action, tool) }
  // One whose tool is away just now may have been made as well.
  if (inherited && (tool === null || tool.effect === 'unkeyed'))
    return { event: { kind: 'interrupted' } }
  if (tool === null && deps.toolbox.hides(action.tool, askingOf(run)))
    return { event: { kind: 'observed', ...(await hiddenHere(session, task, action)) } }
  const onlyReads = (one: Tool | null) =>
    one?.effect === 'none' && (one.approval ?? 'never') === 'never'
  const along =
    tool?.effect === 'none' ? leading(action.along ?? [], (call) => onlyReads(toolOf(call))) : []
  const withinMs = Math.min(deps.toolTimeoutMs, action.withinMs ?? deps.toolTimeoutMs)
  const progress = createCallProgress(session)
  const make = (call: Call, stop: AbortSignal) =>
    makeCall({ ...session, signal: stop }, call, {
      task,
      withinMs,
      // One question at a time: of the call that is the task's next one.
      mayAsk: call === action && mayServiceAsk(task) && ownerOf(run) !== null,
      // As its row in the audit says.
      tool: call === action ? tool : toolOf(call),
      progress: call === action ? progress.say : () => {},
    })
  const [first, ...others] = await makeCalls([action, ...along], make, {
    ...action,
    signal,
  }).finally(progress.end)
  if (signal.aborted || first === undefined) return null
  if (first.awaits !== undefined) return { event: { kind: 'awaits', answer: first.awaits } }
  // What only read beside it is read again with it.
  if (first.asks !== undefined) return { event: { kind: 'service_asked', question: first.asks } }
  return {
    event: { kind: 'observed', ...first, along: others.length === 0 ? undefined : others },
  }
}

/** An approval that stays makes the call be made (C771); without one people are asked. */
async function approvalOf(session: Session, call: Call, tool: Tool): Promise<AnyEvent> {
  const ready = await prepared(session, call, tool)
  if ('problem' in ready) return { kind: 'observed', ok: false, result: ready.problem, ms: 0 }
  const standing = await standingFor(session, { ...call, ...ready })
  if (standing === null)
    return { kind: 'held_back', covers: tool.approval === 'first' ? 'tool' : 'call', ...ready }
  const { id, number, by } = standing
  return { kind: 'stands', step: call.step, approval: { id, number, by }, ...ready }
}

/** C840: what the call names is looked up before people are asked. */
async function prepared(
  session: Session,
  call: Call,
  tool: Tool,
): Promise<{ input?: string } | { problem: string }> {
  if (tool.prepare === undefined) return {}
  const { signal } = session
  const context = await toolContext(session, effectOf(session.run, call))
  return await tool.prepare(call.input, { ...context, signal })
}

/** Id of a call's effect: the same after a crash (rule 5). */
export const effectOf = ({ id }: Run, { step, tool }: Pick<Call, 'step' | 'tool'>): string =>
  deriveId('x', id, String(step), tool)

/** Ends a call of a run that has ended while its service waited for an answer (C923). */
export function dropCall({ deps, run, task }: Session): void {
  const { service, intent } = task ?? {}
  if (service === undefined || intent == null) return
  const { tool, step, effect = step } = intent
  deps.toolbox.get(tool, askingOf(run))?.drop?.(effectOf(run, { tool, step: effect }))
}

/**
 * Result of a call of a tool that the channel's profile hides (C673). It was offered when it was
 * decided, so the thread is told what changed, once a tool (C675, C762).
 */
async function hiddenHere(session: Session, task: Task, call: Call): Promise<Observed> {
  const result = `the profile of this channel hides "${call.tool}": it was not called`
  if (task.observations.some((one) => one.tool === call.tool && one.result === result))
    return { ok: false, result, ms: 0 }
  const isApproved = task.intent !== null && task.approval?.granted === task.intent.step
  const { locale } = await session.surroundings()
  const text = texts(locale).core.approval.hidden(call.tool, isApproved)
  return { ok: false, result, ms: 0, note: { step: call.step, text, offers: [] } }
}

/**
 * Makes calls at the same time. C12: with `untilFailure` the first one that fails cuts off those
 * after it, which then have no result.
 */
async function makeCalls(
  calls: readonly Call[],
  make: (call: Call, stop: AbortSignal) => Promise<Made>,
  { signal, untilFailure = false }: { signal: AbortSignal; untilFailure?: boolean },
): Promise<Made[]> {
  const stoppable = calls.map((call) => ({ call, ...stopWith(signal) }))
  const made = stoppable.map(async ({ call, stop, letGo }, index) => {
    const result = await make(call, stop.signal).finally(letGo)
    if (untilFailure && !result.ok)
      for (const later of stoppable.slice(index + 1)) later.stop.abort()
    return result
  })
  // One that was cut off is not waited for, and fails nobody.
  for (const one of made) one.catch(() => undefined)
  const results: Made[] = []
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

interface Making {
  task: Task
  tool: Tool | null
  withinMs: number
  /** True if its service may ask the task's person something. */
  mayAsk: boolean
  progress(line: string): void
}

/** Result of a call; `asks`: its service wants to know something first. */
type Made = Observed & { asks?: ServiceQuestion }

async function makeCall(
  session: Session,
  call: Call,
  { task, tool, withinMs, mayAsk, progress }: Making,
): Promise<Made> {
  const { deps, run, signal } = session
  if (tool === null) return { ok: false, result: `there is no tool "${call.tool}" any more`, ms: 0 }
  const address = tool.addressIn?.(call.input) ?? null
  if (address !== null && !(await mayBeRead(session, task, address)))
    return { ok: false, result: unnamed, ms: 0 }
  const context = await toolContext(session, effectOf(run, call))
  const answers = answersFor(task, call)
  let isLate = false
  const result = await within(deps.clock, withinMs, signal, (stop) => {
    stop.addEventListener('abort', () => {
      isLate = true
    })
    const links = () => linksFor(session, task)
    return tool.run(call.input, { ...context, links, answers, mayAsk, progress, signal: stop })
  })
  if (result?.asks !== undefined) return { ok: true, result: '', ms: 0, asks: result.asks }
  const { text, files } = result === null ? { text: timedOut, files: [] } : filesOf(result)
  const observed: Observed = {
    ok: result?.ok ?? false,
    result: cleanText(text),
    ms: deps.clock.now() - context.now,
    unused: result?.unused === true || undefined,
    receipt: result?.receipt,
    awaits: result?.awaits,
    note: result?.note && { step: call.step, ...result.note },
    made: files.length === 0 ? undefined : { step: call.step, files },
  }
  // What a tool answers to the abort says nothing of its effect, unless it has none (C13).
  const isUnknown = (isLate || result?.unknown === true) && !observed.ok && tool.effect !== 'none'
  if (!isUnknown) return observed
  const said = isLate && result !== null ? `${timedOut}\n${observed.result}` : observed.result
  return { ...observed, result: said, unknown: true }
}

/** Returns a tool's view of the run that calls it; `effectId` identifies the call. */
export async function toolContext(
  session: Session,
  effectId: string,
): Promise<Omit<ToolContext, 'signal'>> {
  const { run, deps } = session
  return {
    workspace: run.workspace,
    channel: run.channel,
    conversationId: run.conversationId ?? '',
    person: run.requestedBy,
    owner: ownerOf(run),
    runId: run.id,
    source: sourceOf(run),
    ...(await session.surroundings()),
    zoneUnset: run.timeZone === null,
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

const unnamed =
  'this address was neither written by a person nor brought by a search or a page, and what is remembered of one person must not leave in an address: ask the person to write it'
