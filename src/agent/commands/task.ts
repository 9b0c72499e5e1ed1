import { texts } from '../../locales/texts.ts'
import { exportPlan } from '../domain/plan-export.ts'
import { progressOf } from '../domain/progress.ts'
import { hasEnded, mayBeginAgain, type Run } from '../domain/run.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { asksHelp } from './command-from-table.ts'
import { narrow, plainText } from './command-line.ts'
import {
  type About,
  anyFrame,
  argument,
  type CommandTable,
  named,
  option,
  subcommand,
  type ValueKind,
} from './grammar.ts'
import { nearest } from './nearest.ts'
import { readCommand } from './reader.ts'
import {
  ownElsewhere,
  type Task,
  type TaskDeps,
  taskNamed,
  tasksAlone,
  tasksHere,
} from './task-names.ts'
import { markOf, newestPlan, planForms, showNumbered } from './task-plan.ts'
import { filledPrompt, promptRows } from './task-prompts.ts'
import { flag, id, number, text } from './value-kinds.ts'

/** Conditions of the actions on a task; each works like the button of the same name. */
const controls = {
  cancel: ({ status }: Run) => !hasEnded(status),
  // A follow-up is nothing that anybody asked for.
  retry: ({ status, type }: Run) => hasEnded(status) && type !== 'follow_up',
  continue: ({ status }: Run) => status === 'paused',
}
type Action = keyof typeof controls

const taskId: ValueKind<string> = {
  ...id,
  read: (typed, frame) =>
    id.read(typed, frame)?.toString() ??
    /^r_?[0-9a-f]{4,32}$/.exec(narrow(typed))?.[0].replace('_', ''),
}
const which = argument('id', 'id', taskId, 'id', false)
const template = argument('template', 'text', text(1_000), 'taskTemplate', false)

type Newest = (context: CommandContext, deps: TaskDeps) => Promise<Task | undefined>
interface OnTask {
  answer(task: Task, context: CommandContext, deps: TaskDeps): Promise<CommandResult>
  action?: Action
  newest?: Newest
}

const newestFor =
  (action?: Action): Newest =>
  async (context, deps) =>
    (await tasksHere(context, deps)).findLast(
      ({ run }) => action === undefined || controls[action](run),
    )

/** C277: the one that the forms below change. */
const newestWithPlan: Newest = async (context, deps) => {
  const open = await newestPlan(context, deps)
  return typeof open === 'string' ? await newestFor()(context, deps) : open
}

/**
 * A form about the task with a number, else about the newest: with an action the newest to which
 * that can be done.
 */
const onTask = (
  name: string,
  about: About,
  aliases: readonly string[],
  { answer, action, newest = newestFor(action) }: OnTask,
) =>
  subcommand(name, about, aliases, {
    takes: [which],
    example: () => '1',
    request: (line) => ({ name: line.get(which) ?? null }),
    async answer({ name }, context, deps: TaskDeps) {
      const words = texts(context.locale).task
      const here = await (name === null ? newest(context, deps) : taskNamed(name, context, deps))
      // One's own work in another thread can be stopped from here (C334).
      const isStop = name !== null && action === 'cancel'
      const found = here ?? (isStop ? await ownElsewhere(name, context, deps) : undefined)
      if (found !== undefined) return await answer(found, context, deps)
      const none = action === undefined ? words.none : words.nothing[action]
      return { ok: false, text: name === null ? none : words.notFound(name) }
    },
  })

const control = (action: Action, about: About, aliases: readonly string[]) =>
  onTask(action, about, aliases, {
    action,
    answer: async ({ run }) => ({ ok: true, text: '', data: run, control: { action, run } }),
  })

const fromStep = argument('step', 'step', { ...number({ min: 1 }, 'bad_step') }, 'againStep', false)
const yes = option('yes', flag, 'sure', ['sure', '确定'])

/** C251: without a step from the one where it stopped. */
const again = subcommand('again', 'taskAgain', ['restart', '重来'], {
  takes: [which, fromStep],
  options: [yes],
  request: (line) => ({
    name: line.get(which) ?? null,
    step: line.get(fromStep) ?? null,
    isSure: line.get(yes) ?? false,
  }),
  async answer({ name, step, isSure }, context, deps: TaskDeps): Promise<CommandResult> {
    const words = texts(context.locale).task
    const found =
      name === null
        ? (await tasksHere(context, deps)).findLast(({ run }) => mayBeginAgain(run))
        : await taskNamed(name, context, deps)
    if (found === undefined)
      return { ok: false, text: name === null ? words.nothing.again : words.notFound(name) }
    const { run } = found
    return { ok: true, text: '', data: run, control: { action: 'again', run, step, isSure } }
  },
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
    onTask('plan', 'taskPlan', ['计划'], { answer: showNumbered, newest: newestWithPlan }),
    ...planForms,
    onTask('json', 'taskJson', ['plan.json'], { answer: showPlan }),
    subcommand('questions', 'taskQuestions', ['question', 'asks', '问题'], {
      request: () => ({}),
      answer: (_, context, deps) => listQuestions(context, deps),
    }),
    subcommand('templates', 'taskTemplates', ['template', 'plans', '模板'], {
      takes: [template],
      request: (line) => ({ typed: line.get(template) ?? null }),
      answer: ({ typed }, context, deps: TaskDeps) =>
        typed === null ? listTemplates(context, deps) : filledPrompt(typed, context, deps.prompts),
    }),
    control('cancel', 'taskStop', ['stop', 'abort', '取消', '停止']),
    control('retry', 'taskRetry', ['重试', '再试']),
    again,
    control('continue', 'taskContinue', ['resume', 'go', '继续', '恢复']),
  ],
  guess: (_, first, frame) => {
    if (id.read(first, frame) !== undefined) return `show ${first}`
    return nearest(narrow(first), namesOfForms) === null ? 'list' : null
  },
}

const namesOfForms = taskTable.subcommands.flatMap(({ name, aliases }) => [name, ...aliases])
/** Forms whose name may also begin a goal, such as `/task plan the offsite`. */
const alsoVerbs = ['list', 'show', 'plan']

/**
 * Goal of a task that `/task` begins, such as `/task compare three venues` (C907); null if the text
 * is anything else.
 */
export function goalIn(text: string): string | null {
  const said = /^\s{0,9}[/／!！]\s{0,9}([^\s:：]{1,20})[:：]?\s{1,9}([\s\S]+)$/u.exec(text)
  const [, name = '', goal = ''] = said ?? []
  const [first = ''] = goal.split(/\s/, 1)
  const isWordy = /\S\s{1,9}\S|\p{Script=Han}{3}/u.test(goal)
  if (named([taskTable], name) === null || !isWordy || asksHelp(goal)) return null
  const form = named(taskTable.subcommands, first)
  if (form === null)
    return nearest(narrow(first), namesOfForms) === null && !isNumber(first) ? goal : null
  const isSaid = alsoVerbs.includes(form.name) && !readCommand(taskTable, goal, anyFrame).ok
  return isSaid && /\S\s{1,9}\S{1,40}\s{1,9}\S/u.test(goal) ? goal : null
}

const isNumber = (word: string): boolean => id.read(word, anyFrame) !== undefined

const listed = 30

/** R74, C41: the plan as `plan.json`, for other programs. */
async function showPlan(
  { run, name }: Task,
  { workspace, locale }: CommandContext,
  deps: TaskDeps,
) {
  const words = texts(locale).task
  const state = await deps.runs.state(workspace, run.id)
  if (state === null) return { ok: false, text: words.notFound(name) }
  if (state.task === null) return { ok: false, text: words.noPlan }
  const data = exportPlan(state.run, state.task, Number(name) || 1)
  return { ok: true, text: `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\``, data }
}

async function listTasks(context: CommandContext, deps: TaskDeps): Promise<CommandResult> {
  const words = texts(context.locale).task
  const [here, alone] = [await tasksHere(context, deps), await tasksAlone(context, deps)]
  const groups = [
    { title: words.listTitle, tasks: here.slice(-listed) },
    { title: words.aloneTitle, tasks: alone.slice(-listed) },
  ].filter(({ tasks }) => tasks.length > 0)
  const data = [...here, ...alone].map(({ run }) => run)
  if (groups.length === 0) return { ok: true, text: words.none, data }
  const parts = groups.map(async ({ title, tasks }) => {
    const rows = await Promise.all(tasks.map((task) => rowOf(task, context, deps)))
    return [`**${title}**`, ...rows.reverse()].join('\n')
  })
  return { ok: true, text: (await Promise.all(parts)).join('\n\n'), data }
}

async function rowOf(
  { run, name }: Task,
  { workspace, locale }: CommandContext,
  { runs }: TaskDeps,
): Promise<string> {
  const { task: words, core } = texts(locale)
  const state = hasEnded(run.status) ? null : await runs.state(workspace, run.id)
  const { done, items } = progressOf(run, state?.task ?? null)
  const head = `- **#${name}** ${plainText(run.title)} · ${words.statuses[run.status]}`
  return items.length === 0 ? head : `${head} · ${core.progress.counts(done, items.length)}`
}

async function showTask(
  { run, name }: Task,
  context: CommandContext,
  deps: TaskDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).task
  const state = await deps.runs.state(context.workspace, run.id)
  const progress = progressOf(run, state?.task ?? null)
  const items = progress.items.flatMap(({ text, done, parts = [] }, index) => [
    `- ${markOf(done, index === progress.index && !hasEnded(run.status))} ${plainText(text)}`,
    ...parts.map((part) => `  - ${markOf(part.done)} ${plainText(part.text)}`),
  ])
  const note = run.parentRunId === null ? [] : [words.retryOf]
  const head = [`**#${name}** ${plainText(run.title)}`, words.statuses[run.status], ...note].join(
    ' · ',
  )
  const ended = run.result ?? run.error
  const result = ended === null ? [] : [`**${words.result}**`, ended]
  return { ok: true, text: [head, ...items, ...result].join('\n'), data: run }
}

async function listQuestions(
  context: CommandContext,
  { conversations }: TaskDeps,
): Promise<CommandResult> {
  const words = texts(context.locale).task
  const { workspace, conversationId } = context
  const state =
    conversationId === '' ? null : await conversations.state(workspace, conversationId, 0)
  const data = state?.questions ?? []
  const rows = data.map(({ text, choices }) => {
    const options = choices.map((choice, index) => `  ${index + 1}. ${plainText(choice)}`)
    return [`- ${plainText(text)}`, ...options].join('\n')
  })
  const text =
    rows.length === 0 ? words.noQuestions : [`**${words.questionsTitle}**`, ...rows].join('\n')
  return { ok: true, text, data }
}

/** C124: lists the templates that a request can name and a plan can begin with. */
async function listTemplates(
  { locale, channel }: CommandContext,
  { templates, prompts }: TaskDeps,
): Promise<CommandResult> {
  const words = texts(locale).task
  const data = (await templates?.()) ?? []
  const served = promptRows(prompts?.list(channel) ?? [], locale)
  if (data.length === 0) return { ok: true, text: served.join('\n') || words.noTemplates, data }
  const rows = data.map(({ name, about, steps }) =>
    words.template(name, plainText(about), steps.length),
  )
  return {
    ok: true,
    text: [
      `**${words.templatesTitle}**`,
      ...rows,
      words.templatesHint(data[0]?.name ?? ''),
      ...served,
    ].join('\n'),
    data,
  }
}
