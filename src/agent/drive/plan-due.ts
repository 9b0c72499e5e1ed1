import type { Task } from '../domain/task.ts'
import { mustShowPlan } from '../strategies/plan-first.ts'
import type { DriveDeps, Session } from './session.ts'

/** True if tasks of a channel show their plan first, by its profile or else the setting (C764). */
export const plansFirst = ({ profileIn, planFirst }: DriveDeps, channel: string): boolean =>
  profileIn?.(channel)?.['plan-first'] ?? planFirst ?? false

/**
 * True if people have to see the plan before the task's next call, which acts (C764).
 *
 * @param inherited the call may have begun before a crash. It has not if the task had to show its
 * plan already when the call was decided.
 */
export function isPlanDue({ deps, run }: Session, task: Task, inherited: boolean): boolean {
  const { planFirst: since, intent } = task
  const isOld = since === undefined || (intent !== null && intent.step <= since)
  if (isOld && inherited) return false
  const isWanted = since !== undefined || plansFirst(deps, run.channel)
  return isWanted && mustShowPlan(task)
}
