import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import { exportPlan } from '../domain/plan-export.ts'
import { progressOf } from '../domain/progress.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { Conversations, Runs } from '../ports/store.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import { type About, argument, type CommandTable } from './table.ts'
import { commandFrom } from './table-command.ts'
import { id } from './values.ts'
import { plainText } from './words.ts'

export interface TaskDeps {
  runs: Pick<Runs, 'list' | 'state'>
  conversations: Pick<Conversations, 'state'>
}

type Action = 'list' | 'show' | 'plan' | 'questions' | 'cancel' | 'retry' | 'continue'
interface TaskRequest {
  action: Action
  /** Null: the newest to which it can be done. */
  number: number | null
}

const which = argument('id', 'id', id, 'id', false)
const subcommand = (action: Action, about: About, aliases: readonly string[], takes = [which]) => ({
  name: action,
  about,
  aliases,
  takes,
  example: () => (takes.length === 0 ? '' : '1'),
  request: (line: { get(of: typeof which): number | undefined }): TaskRequest => ({
    action,
    number: line.get(which) ?? null,
  }),
})

export const taskTable: CommandTable<TaskRequest> = {
  name: 'task',
  aliases: ['tasks', 'run', 'runs', '任务'],
  about: 'task',
  errors: (words) => words.task.errors,
  subcommands: [
    subcommand('list', 'taskList', ['ls', 'all', '列表', '列出'], []),
    subcommand('show', 'taskShow', ['get', 'status', '查看', '详情']),
    subcommand('plan', 'taskPlan', ['plan.json', '计划']),
    subcommand('questions', 'taskQuestions', ['question', 'asks', '问题'], []),
    subcommand('cancel', 'taskStop', ['stop', 'abort', '取消', '停止']),
    subcommand('retry', 'taskRetry', ['again', '重试', '再试']),
    subcommand('continue', 'taskContinue', ['resume', 'go', '继续', '恢复']),
  ],
  guess: (_, first, frame) => (id.read(first, frame) === undefined ? null : `show ${first}`),
}

/** More tasks than this have no thread to themselves any more. */
const runsMost = 500
const listed = 30

/**
 * `/task` (R115): the tasks of the thread it is said in, and of no other (R142). Numbers count from the thread's first
 * task. What stops, retries or continues one is carried out as the button of the same name.
 */
export function createTaskCommand(deps: TaskDeps): Command {
  return commandFrom(taskTable, {
    summary: ({ task }) => task.summary,
    answer: (request, context) => answer(request, context, deps),
  })
}

async function answer(
  { action, number }: TaskRequest,
  context: CommandContext,
  deps: TaskDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).task
  const { workspace, conversationId } = context
  // Oldest first, so that a number stays what it is.
  const runs = conversationId === '' ? [] : (await deps.runs.list(workspace, runsMost, conversationId)).reverse()
  switch (action) {
    case 'list':
      return { ok: true, text: runs.length === 0 ? words.none : await list(runs, context, deps), data: runs }
    case 'questions':
      return await questions(context, deps)
    case 'show': {
      const run = number === null ? runs.at(-1) : runs[number - 1]
      if (run === undefined) return { ok: false, text: number === null ? words.none : words.notFound(number) }
      return { ok: true, text: await show(run, runs.indexOf(run) + 1, context, deps), data: run }
    }
    case 'plan':
      return await planOf(number === null ? runs.length : number, runs, context, deps)
    case 'cancel':
    case 'retry':
    case 'continue': {
      const run = number === null ? runs.findLast((one) => suits(one, action)) : runs[number - 1]
      if (run === undefined)
        return { ok: false, text: number === null ? words.nothing[action] : words.notFound(number) }
      return { ok: true, text: '', data: run, control: { action, run } }
    }
    default:
      return assertNever(action)
  }
}

/** R74, C41: the plan as `plan.json`, for other programs. */
async function planOf(number: number, runs: readonly Run[], { workspace, locale }: CommandContext, deps: TaskDeps) {
  const words = texts(locale).task
  const run = runs[number - 1]
  const state = run === undefined ? null : await deps.runs.state(workspace, run.id)
  if (state === null) return { ok: false, text: runs.length === 0 ? words.none : words.notFound(number) }
  if (state.task === null) return { ok: false, text: words.noPlan }
  const data = exportPlan(state.run, state.task, number)
  return { ok: true, text: `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\``, data }
}

/** Which task is meant when none is named: the newest to which it can be done. */
function suits({ status, type }: Run, action: 'cancel' | 'retry' | 'continue'): boolean {
  if (action === 'continue') return status === 'paused'
  // A follow-up is nothing that anybody asked for.
  return action === 'cancel' ? !hasEnded(status) : hasEnded(status) && type !== 'follow_up'
}

async function list(runs: readonly Run[], context: CommandContext, deps: TaskDeps): Promise<string> {
  const words = texts(context.locale).task
  const first = Math.max(0, runs.length - listed)
  const rows = await Promise.all(
    runs.slice(first).map(async (run, index) => {
      const steps = hasEnded(run.status) ? null : await stepsOf(run, context, deps)
      return words.row(first + index + 1, plainText(run.title), words.statuses[run.status], steps)
    }),
  )
  return [`**${words.listTitle}**`, ...rows.reverse()].join('\n')
}

async function stepsOf(run: Run, { workspace, locale }: CommandContext, { runs }: TaskDeps): Promise<string | null> {
  const state = await runs.state(workspace, run.id)
  if (state === null || state.task === null) return null
  const { done, items } = progressOf(state.run, state.task)
  return items.length === 0 ? null : texts(locale).core.progress.counts(done, items.length)
}

async function show(run: Run, number: number, context: CommandContext, deps: TaskDeps): Promise<string> {
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
  return [head, ...items, ...(ended === null ? [] : [`**${words.result}**`, ended])].join('\n')
}

async function questions(context: CommandContext, { conversations }: TaskDeps): Promise<CommandResult> {
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
