import { originsOf } from '../domain/argument-origin.ts'
import type { AuditEntry, Audited } from '../domain/audit.ts'
import { type Act, approvalRows, codingTool, outcomeRow, rowOf } from '../domain/audit-rows.ts'
import { present } from '../domain/present.ts'
import type { Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { Tool } from '../ports/tool.ts'
import { strategyOf } from '../strategies/strategies.ts'
import type { Step } from './decide.ts'
import { mustAsk, originsIn } from './origins.ts'
import { isPlanDue } from './plan-due.ts'
import type { Session } from './session.ts'

/** What a task will do next, where that acts; `tool` is null for a coding agent. */
interface Acting extends Act {
  input: string
  tool: string
  by: Tool | null
}

/**
 * Rows that a step adds to the audit, with the task as the same commit stores it (C710): the
 * outcome of the call before, what people approved, and the intent of the call that comes next. It
 * is made only after that commit, and not without it.
 */
export async function audited(
  session: Session,
  before: Task,
  { after, trace }: Step,
): Promise<{ after: Task; audit: Audited[] }> {
  const { run } = session
  const outcome = outcomeRow(run, before, after)
  const open = outcome === null ? after : { ...after, announced: null }
  const rows = present([outcome, ...approvalRows(run, trace)])
  const act = await actIn(session, open)
  if (act === null || act.step === open.announced) return { after: open, audit: rows }
  const intent = { entry: await intentOf(session, open, act), contents: act.input }
  return { after: { ...open, announced: act.step }, audit: [...rows, intent] }
}

/** True if the task is about to act and no row says so yet. */
export async function isUnannounced(session: Session, task: Task): Promise<boolean> {
  const act = await actIn(session, task)
  return act !== null && act.step !== task.announced
}

async function actIn(session: Session, task: Task): Promise<Acting | null> {
  const { kind } = strategyOf(task, session.deps.strategies).next(task)
  if (task.strategy === 'coding') {
    if (kind !== 'hand_over' || task.order === null || isPlanDue(session, task, true)) return null
    const { ordinal: step, instruction } = task.order
    return { step, tool: codingTool, input: instruction ?? task.goal, by: null }
  }
  const { intent } = task
  if (kind !== 'call_tool' || intent === null) return null
  const { tool: by, problem, looks } = session.lookUp(intent)
  if (by === null || by.effect === 'none' || looks || problem !== null) return null
  const isHeld = isPlanDue(session, task, true) || (await mustAsk(session, task, by))
  return isHeld ? null : { ...intent, by }
}

async function intentOf(session: Session, task: Task, act: Acting): Promise<AuditEntry> {
  const { run } = session
  const { by: tool } = act
  return {
    ...rowOf(run, act),
    kind: 'intent',
    ...ruleOf(run, task, act),
    // Clew's own tools write its own records for the person; all others use what they were set up
    // with.
    as: tool === null || tool.isTheirs || tool.origin !== undefined ? 'installation' : 'asker',
    origin: originsOf(await originsIn(session, task, { input: act.input, tool })),
  }
}

/** Rule by which a tool may be called without asking again, and who made or gave it. */
function ruleOf({ schedule }: Run, task: Task, { by, step }: Acting) {
  const { approval = 'never', name = codingTool } = by ?? {}
  // C896: a call may have been asked for although its tool need not.
  if (approval !== 'never' || task.approval?.granted === step)
    return {
      rule: approval === 'first' ? ('tool' as const) : ('call' as const),
      approvedBy: task.approval?.by?.[name] ?? null,
    }
  const approvedBy = schedule?.createdBy?.id ?? null
  return schedule === undefined
    ? { rule: 'free' as const, approvedBy: null }
    : { rule: 'schedule' as const, approvedBy }
}
