import type { PlanTemplate } from '../domain/plan-template.ts'
import { goesOnAlone, type Run } from '../domain/run.ts'
import type { Conversations, Runs } from '../ports/store.ts'
import type { CommandContext } from './command.ts'
import type { Prompts } from './task-prompts.ts'

export interface TaskDeps {
  runs: Pick<Runs, 'list' | 'state'>
  conversations: Pick<Conversations, 'state'>
  /** Plans that come again, as they are now; none where it is left out (C124). */
  templates?(): Promise<readonly PlanTemplate[]>
  /** Prompts of the team's servers (C927); none where it is left out. */
  prompts?: Prompts | undefined
}

export interface Task {
  run: Run
  /** Counts from the thread's first task. One that has no thread yet is named by its id instead. */
  name: string
}

/** More tasks than this have no thread to themselves any more. */
const runsMost = 500

/** Oldest first, so that a number stays what it is. */
export async function tasksHere(
  { workspace, conversationId }: CommandContext,
  { runs }: TaskDeps,
): Promise<Task[]> {
  const own =
    conversationId === '' ? [] : (await runs.list(workspace, runsMost, conversationId)).reverse()
  return own.map((run, index) => ({ run, name: `${index + 1}` }))
}

/**
 * R104: lists this channel's runs without a thread, such as a schedule's that has not posted yet.
 */
export async function tasksAlone(
  { workspace, channel }: CommandContext,
  { runs }: TaskDeps,
): Promise<Task[]> {
  const alone = (await runs.list(workspace, runsMost))
    .filter((run) => goesOnAlone(run, channel))
    .reverse()
  return alone.map((run) => ({ run, name: run.id.replace('_', '').slice(0, 5) }))
}

export async function taskNamed(
  name: string,
  context: CommandContext,
  deps: TaskDeps,
): Promise<Task | undefined> {
  const here = await tasksHere(context, deps)
  if (!name.startsWith('r')) return here.find((task) => task.name === name)
  const found = [...here, ...(await tasksAlone(context, deps))]
  const meant = found.filter(({ run }) => run.id.replace('_', '').startsWith(name))
  return meant.length === 1 ? meant[0] : undefined
}

/** A person's own task of another thread of the channel, by its id. */
export async function ownElsewhere(
  name: string,
  { workspace, channel, person }: CommandContext,
  { runs }: TaskDeps,
): Promise<Task | undefined> {
  if (person === null || !name.startsWith('r')) return undefined
  const own = (await runs.list(workspace, runsMost)).filter(
    (run) => run.channel === channel && run.requestedBy?.id === person.id,
  )
  const meant = own.filter(({ id }) => id.replace('_', '').startsWith(name))
  return meant.length === 1 && meant[0] !== undefined ? { run: meant[0], name } : undefined
}
