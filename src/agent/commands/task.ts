import { texts } from '../../locales/texts.ts'
import { exportPlan } from '../domain/plan-export.ts'
import { progressOf } from '../domain/progress.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { Conversations, Runs } from '../ports/store.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { type About, argument, type CommandTable, subcommand } from './table.ts'
import { commandFrom } from './table-command.ts'
import { id } from './values.ts'
import { plainText } from './words.ts'

export interface TaskDeps {
  runs: Pick<Runs, 'list' | 'state'>
  conversations: Pick<Conversations, 'state'>
}
interface Task {
  run: Run
  /** Counts from the thread's first task. */
  number: number
}

/** What can be done to a task; each is carried out as the button of the same name. */
const controls = {
  cancel: ({ status }: Run) => !hasEnded(status),
  // A follow-up is nothing that anybody asked for.
  retry: ({ status, type }: Run) => hasEnded(status) && type !== 'follow_up',
  continue: ({ status }: Run) => status === 'paused',
}
type Action = keyof typeof controls

const which = argument('id', 'id', id, 'id', false)

/** A form about the task with a number, else about the newest: with an action the newest to which that can be done. */
const onTask = (
  name: string,
  about: About,
  aliases: readonly string[],
  {
    answer,
    action,
  }: { answer(task: Task, context: CommandContext, deps: TaskDeps): Promise<CommandResult>; action?: Action },
) =>
  subcommand(name, about, aliases, {
    takes: [which],
    example: () => '1',
    request: (line) => ({ number: line.get(which) ?? null }),
    async answer({ number }, context, deps: TaskDeps) {
      const words = texts(context.locale).task
      const runs = await runsHere(context, deps)
      const index =
        number === null ? runs.findLastIndex(action === undefined ? () => true : controls[action]) : number - 1
      const run = runs[index]
      if (run !== undefined) return await answer({ run, number: index + 1 }, context, deps)
      const none = action === undefined ? words.none : words.nothing[action]
      return { ok: false, text: number === null ? none : words.notFound(number) }
    },
  })

const control = (action: Action, about: About, aliases: readonly string[]) =>
  onTask(action, about, aliases, {
    action,
    answer: async ({ run }) => ({ ok: true, text: '', data: run, control: { action, run } }),
  })

/** `/task` (R115): the tasks of the thread it is said in, and of no other (R142). */
export const taskTable: CommandTable<TaskDeps> = {
  name: 'task',
  aliases: ['tasks', 'run', 'runs', '任务'],
  about: 'task',
  words: ({ task }) => task,
  subcommands: [
    subcommand('list', 'taskList', ['ls', 'all', '列表', '列出'], {
      request: () => ({}),
      answer: (_, context, deps) => listTasks(context, deps),
    }),
    onTask('show', 'taskShow', ['get', 'status', '查看', '详情'], { answer: showTask }),
    onTask('plan', 'taskPlan', ['plan.json', '计划'], { answer: showPlan }),
    subcommand('questions', 'taskQuestions', ['question', 'asks', '问题'], {
      request: () => ({}),
      answer: (_, context, deps) => listQuestions(context, deps),
    }),
    control('cancel', 'taskStop', ['stop', 'abort', '取消', '停止']),
    control('retry', 'taskRetry', ['again', '重试', '再试']),
    control('continue', 'taskContinue', ['resume', 'go', '继续', '恢复']),
  ],
  guess: (_, first, frame) => (id.read(first, frame) === undefined ? null : `show ${first}`),
}

export const createTaskCommand = (deps: TaskDeps): Command => commandFrom(taskTable, deps)

/** More tasks than this have no thread to themselves any more. */
const runsMost = 500
const listed = 30

/** Oldest first, so that a number stays what it is. */
const runsHere = async ({ workspace, conversationId }: CommandContext, { runs }: TaskDeps): Promise<Run[]> =>
  conversationId === '' ? [] : (await runs.list(workspace, runsMost, conversationId)).reverse()

/** R74, C41: the plan as `plan.json`, for other programs. */
async function showPlan({ run, number }: Task, { workspace, locale }: CommandContext, deps: TaskDeps) {
  const words = texts(locale).task
  const state = await deps.runs.state(workspace, run.id)
  if (state === null) return { ok: false, text: words.notFound(number) }
  if (state.task === null) return { ok: false, text: words.noPlan }
  const data = exportPlan(state.run, state.task, number)
  return { ok: true, text: `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\``, data }
}

async function listTasks(context: CommandContext, deps: TaskDeps): Promise<CommandResult> {
  const words = texts(context.locale).task
  const data = await runsHere(context, deps)
  if (data.length === 0) return { ok: true, text: words.none, data }
  const first = Math.max(0, data.length - listed)
  const rows = await Promise.all(
    data.slice(first).map(async (run, index) => {
      const steps = hasEnded(run.status) ? null : await stepsOf(run, context, deps)
      return words.row(first + index + 1, plainText(run.title), words.statuses[run.status], steps)
    }),
  )
  return { ok: true, text: [`**${words.listTitle}**`, ...rows.reverse()].join('\n'), data }
}

async function stepsOf(run: Run, { workspace, locale }: CommandContext, { runs }: TaskDeps): Promise<string | null> {
  const state = await runs.state(workspace, run.id)
  if (state === null || state.task === null) return null
  const { done, items } = progressOf(state.run, state.task)
  return items.length === 0 ? null : texts(locale).core.progress.counts(done, items.length)
}

async function showTask({ run, number }: Task, context: CommandContext, deps: TaskDeps): Promise<CommandResult> {
  const words = texts(context.locale).task
  const state = await deps.runs.state(context.workspace, run.id)
  const progress = progressOf(run, state?.task ?? null)
  const items = progress.items.map((item, index) =>
    words.item(
      plainText(item.text),
      item.done ? 'done' : index === progress.index && !hasEnded(run.status) ? 'current' : 'open',
    ),
  )
  const note = run.parentRunId === null ? [] : [words.retryOf]
  const head = [`**#${number}** ${plainText(run.title)}`, words.statuses[run.status], ...note].join(' · ')
  const ended = run.result ?? run.error
  const result = ended === null ? [] : [`**${words.result}**`, ended]
  return { ok: true, text: [head, ...items, ...result].join('\n'), data: run }
}

async function listQuestions(context: CommandContext, { conversations }: TaskDeps): Promise<CommandResult> {
  const words = texts(context.locale).task
  const { workspace, conversationId } = context
  const state = conversationId === '' ? null : await conversations.state(workspace, conversationId, 0)
  const data = state?.questions ?? []
  const rows = data.map(({ text, choices }) => {
    const options = choices.map((choice, index) => `  ${index + 1}. ${plainText(choice)}`)
    return [`- ${plainText(text)}`, ...options].join('\n')
  })
  const text = rows.length === 0 ? words.noQuestions : [`**${words.questionsTitle}**`, ...rows].join('\n')
  return { ok: true, text, data }
}
