import { endIdOf, type Letter, orderIdOf, type Report } from '../domain/mission.ts'
import type { Run } from '../domain/run.ts'
import type { CodingTask, Task } from '../domain/task.ts'
import { idle } from '../kernel/idle.ts'
import type { SeenReport, SeenWork } from '../ports/coding-folder.ts'
import { isFurther } from '../strategies/coding-agent.ts'
import type { FolderEvent } from '../strategies/strategy.ts'
import type { Session, StepResult } from './session.ts'

/** Rule 5: the file's name follows from the task as it is stored, so a crash writes it once. */
export async function handOver(session: Session, task: Task): Promise<FolderEvent> {
  const { deps, run } = session
  if (task.strategy !== 'coding' || deps.coding === undefined) return { kind: 'no_folder' }
  const at = deps.clock.now()
  try {
    await deps.coding.folder.handOver(letterOf(run, task, at), task)
    return { kind: 'order_sent', at }
  } catch (error) {
    return noFolder(session, error)
  }
}

/**
 * C43: polls for a report once. If it is missing, incomplete or still growing (C29), no worker
 * waits: the run is woken for the next poll.
 */
export async function awaitReport(session: Session, task: Task): Promise<StepResult> {
  const { deps, run } = session
  if (task.strategy !== 'coding' || deps.coding === undefined)
    return { event: { kind: 'no_folder' } }
  const { order } = task
  if (order === null || order.sentAt === null) return { idle }
  const { folder, pollMs, timeoutMs } = deps.coding
  const due = (order.seen?.at ?? order.sentAt) + pollMs
  if (deps.clock.now() < due) return { idle: { kind: 'wakeAt', at: due } }
  try {
    const id = orderIdOf(run.id, order.ordinal)
    const { answers } = order
    const seen = await (answers === undefined ? folder.look(id) : folder.look(id, answers))
    const at = deps.clock.now()
    if (seen !== null && 'progress' in seen) return atWork(task, seen, at, pollMs)
    const ms = seen?.workedMs ?? Math.max(0, at - order.sentAt)
    const isSettled = seen !== null && (seen.isWhole === true || seen.size === order.seen?.size)
    if (isSettled && seen.report !== null)
      return { event: reportedBy(seen, seen.report, { ms, step: order.ordinal }) }
    if (ms >= timeoutMs) return { event: { kind: 'overdue', ms } }
    if (seen !== null && !isSettled) return { event: { kind: 'report_seen', size: seen.size, at } }
    return { idle: { kind: 'wakeAt', at: Math.min(at + pollMs, order.sentAt + timeoutMs) } }
  } catch (error) {
    return { event: noFolder(session, error) }
  }
}

/** An agent at work is not overdue: it keeps to its own time. */
function atWork(
  task: CodingTask,
  { progress, asks }: SeenWork,
  at: number,
  pollMs: number,
): StepResult {
  const isAnswered = task.order?.answers?.some(({ id }) => id === asks?.id) === true
  if (asks !== null && !isAnswered)
    return { event: { kind: 'agent_asks', request: asks, progress, at } }
  if (isFurther(task, progress)) return { event: { kind: 'agent_at', progress, at } }
  return { idle: { kind: 'wakeAt', at: at + pollMs } }
}

function reportedBy(
  { files = [] }: SeenReport,
  report: Report,
  { ms, step }: { ms: number; step: number },
): FolderEvent {
  const made = files.length === 0 ? {} : { made: { step, files } }
  return { kind: 'reported', report, ms, ...made }
}

function noFolder({ deps, run }: Session, error: unknown): FolderEvent {
  deps.log.error({ run: run.id, err: error }, 'the coding agent cannot be reached')
  return { kind: 'no_folder' }
}

/**
 * R126: a mission that has ended, in whatever way, is ended for the agent too. Comes after the end
 * is stored, and again after a crash in between; an agent that works on it is stopped by it.
 */
export async function dismiss({ deps, run, task }: Session): Promise<void> {
  const { coding, clock, log } = deps
  if (coding === undefined || task?.strategy !== 'coding' || task.orders === 0) return
  const letter: Letter = {
    id: endIdOf(run.id),
    missionId: run.id,
    createdAt: clock.now(),
    sessionId: task.sessionId,
    command: 'end',
    title: run.title,
    description: task.goal,
    constraints: '',
    expected: '',
  }
  try {
    await coding.folder.dismiss(letter, task, run.status)
  } catch (error) {
    log.warn({ run: run.id, err: error }, 'end of mission not written to CODING_FOLDER')
  }
}

function letterOf(run: Run, task: CodingTask, createdAt: number): Letter {
  const step = task.steps[task.currentPlanIndex]
  const order = task.order
  const said = task.clarifications.map(({ author, question, text }) =>
    question === null ? `- ${author.name}: ${text}` : `- ${question}\n  ${author.name}: ${text}`,
  )
  const parts = [step?.constraints ?? '', ...said].filter((part) => part.trim() !== '')
  return {
    id: orderIdOf(run.id, order?.ordinal ?? 0),
    missionId: run.id,
    after: run.parentRunId ?? undefined,
    createdAt,
    sessionId: task.sessionId,
    command: order?.command ?? 'new',
    title: step?.title ?? task.goal,
    description: [step?.description ?? task.goal, order?.instruction ?? '']
      .filter((part) => part !== '')
      .join('\n\n'),
    constraints: parts.join('\n'),
    expected: step?.expected ?? '',
  }
}
