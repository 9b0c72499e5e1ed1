import { texts } from '../../locales/texts.ts'
import { type PlanEdit, planEditMost } from '../domain/plan-edit.ts'
import { present } from '../domain/present.ts'
import { progressOf } from '../domain/progress.ts'
import { hasEnded } from '../domain/run.ts'
import type { PlanItem } from '../domain/task.ts'
import { ownStrategies } from '../strategies/strategies.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { plainText } from './command-line.ts'
import { type About, argument, type Line, option, type Subcommand, subcommand } from './grammar.ts'
import { type Task, type TaskDeps, taskNamed, tasksHere } from './task-names.ts'
import { choice, id, number, text } from './value-kinds.ts'

/*
 * C252: the plan of a task, changed by words. Steps have the numbers of the list that `/task plan`
 * shows; what is made of those that have not begun goes the way of the page's editor (C208).
 */

const stepNumber = number({ min: 1 }, 'bad_step')
const step = argument('step', 'step', { ...stepNumber, missing: 'no_step' }, 'planStep')
const newWords = argument('text', 'text', text(planEditMost.characters, 'step'), 'planWords')
const sideKind = choice(
  ['before', 'after'],
  { before: ['之前', '前', 'above'], after: ['之后', '后', 'below', 'behind'] },
  'bad_side',
  'before',
)
const side = argument('side', 'name', sideKind, 'planSide')
const other = argument('other', 'step', { ...stepNumber, missing: 'no_step' }, 'planOther')
const after = option('after', stepNumber, 'planAfter', ['behind', '之后', '在后'])
const ofTask = option('task', id, 'id', ['任务'])

/** A step as it is named: by its number in the whole plan. */
interface NumberedStep {
  number: number
  text: string
}
/** Result of an edit: the steps that have not begun, or a number that is none of theirs. */
type Made = { steps: readonly NumberedStep[] } | { unknown: number }
type Edit = (left: readonly NumberedStep[]) => Made

interface EditForm extends Pick<Subcommand, 'takes' | 'options' | 'example'> {
  edit(line: Pick<Line, 'get' | 'need'>): Edit
}

const editing = (
  name: string,
  about: About,
  aliases: readonly string[],
  { edit, options = [], ...form }: EditForm,
) =>
  subcommand(name, about, aliases, {
    ...form,
    options: [...options, ofTask],
    request: (line) => ({ task: line.get(ofTask)?.toString() ?? null, edit: edit(line) }),
    answer: ({ task, edit }, context, deps: TaskDeps) => changePlan(task, edit, context, deps),
  })

export const planForms = [
  editing('skip', 'planSkip', ['leave-out', '跳过'], {
    takes: [step],
    edit: (line) => replaced(line.need(step), () => []),
  }),
  editing('edit', 'planEdit', ['change', 'reword', '修改'], {
    takes: [step, newWords],
    edit: (line) => replaced(line.need(step), (one) => [{ ...one, text: line.need(newWords) }]),
  }),
  editing('add', 'planAdd', ['添加', '增加'], {
    takes: [newWords],
    options: [after],
    edit: (line) => added(line.need(newWords), line.get(after)),
  }),
  editing('move', 'planMove', ['移动'], {
    takes: [step, side, other],
    example: () => '3 before 2',
    edit: (line) => moved(line.need(step), line.need(other), line.need(side) === 'after' ? 1 : 0),
  }),
]

const placeOf = (left: readonly NumberedStep[], wanted: number) =>
  left.findIndex(({ number }) => number === wanted)

const replaced =
  (wanted: number, make: (one: NumberedStep) => NumberedStep[]): Edit =>
  (left) => {
    const one = left[placeOf(left, wanted)]
    return one === undefined
      ? { unknown: wanted }
      : { steps: left.flatMap((each) => (each === one ? make(one) : [each])) }
  }

/** Behind the last step where nothing is said; behind the one that is worked on it is the first. */
const added =
  (text: string, behind: number | undefined): Edit =>
  (left) => {
    const putAt = (at: number) => ({ steps: left.toSpliced(at, 0, { number: 0, text }) })
    if (behind === undefined) return putAt(left.length)
    if (behind + 1 === left[0]?.number) return putAt(0)
    const at = placeOf(left, behind)
    return at === -1 ? { unknown: behind } : putAt(at + 1)
  }

const moved =
  (wanted: number, target: number, offset: 0 | 1): Edit =>
  (left) => {
    const one = left[placeOf(left, wanted)]
    if (one === undefined) return { unknown: wanted }
    if (placeOf(left, target) === -1) return { unknown: target }
    if (target === wanted) return { steps: left }
    const others = left.filter((each) => each !== one)
    return { steps: others.toSpliced(placeOf(others, target) + offset, 0, one) }
  }

interface Plan {
  items: readonly PlanItem[]
  /** Which item is worked on, from 0. */
  index: number
  /** The steps that have not begun; null where nobody may change them. */
  left: readonly NumberedStep[] | null
}

/**
 * The plan as it will be once its waiting changes are applied; the next change builds on those
 * (C222).
 */
async function planOf({ run }: Task, { workspace }: CommandContext, deps: TaskDeps): Promise<Plan> {
  const state = await deps.runs.state(workspace, run.id)
  const task = state?.inputs.reduce(
    (changed, input) =>
      input.kind === 'plan_edit' && changed
        ? (ownStrategies
            .of(changed)
            ?.apply(changed, { ...input, kind: 'plan_edited', by: input.author }) ?? changed)
        : changed,
    state.task,
  )
  const { items, index, left } = progressOf(run, task ?? null)
  const open = items.flatMap(({ text, done }, at) =>
    done || at <= index ? [] : [{ number: at + 1, text }],
  )
  return { items, index, left: left === undefined ? null : open }
}

interface Open extends Task {
  left: readonly NumberedStep[]
}

/** The newest task that goes on and has a plan; words for why there is none. */
export async function newestPlan(context: CommandContext, deps: TaskDeps): Promise<Open | string> {
  const { plan: words, noPlan } = texts(context.locale).task
  const going = (await tasksHere(context, deps))
    .filter(({ run }) => !hasEnded(run.status))
    .reverse()
  for (const one of going) {
    const { left } = await planOf(one, context, deps)
    if (left !== null) return { ...one, left }
  }
  return going.length === 0 ? words.none : noPlan
}

/** The same of a task that is named. */
async function namedPlan(
  name: string,
  context: CommandContext,
  deps: TaskDeps,
): Promise<Open | string> {
  const words = texts(context.locale).task
  const found = await taskNamed(name, context, deps)
  if (found === undefined) return words.notFound(name)
  const { run } = found
  if (hasEnded(run.status))
    return texts(context.locale).core.alreadyEnded(run.title, words.statuses[run.status])
  const { left } = await planOf(found, context, deps)
  return left === null ? words.noPlan : { ...found, left }
}

async function changePlan(
  name: string | null,
  edit: Edit,
  context: CommandContext,
  deps: TaskDeps,
): Promise<CommandResult> {
  const { plan: words } = texts(context.locale).task
  const open = await (name === null ? newestPlan(context, deps) : namedPlan(name, context, deps))
  if (typeof open === 'string') return { ok: false, text: open }
  const { run, left } = open
  const made = edit(left)
  const numbers = left.map(({ number }) => number)
  if ('unknown' in made) return { ok: false, text: words.notLeft(made.unknown, numbers) }
  if (made.steps.length > planEditMost.steps)
    return { ok: false, text: words.tooMany(planEditMost.steps) }
  const textsOf = (steps: readonly NumberedStep[]) => steps.map(({ text }) => text)
  const change: PlanEdit = { seen: textsOf(left), steps: textsOf(made.steps) }
  return { ok: true, text: '', data: change, control: { action: 'plan', run, ...change } }
}

/** Returns the mark of a step: done, in progress or open. */
export function markOf(done: boolean, isCurrent = false): string {
  if (done) return '☑'
  return isCurrent ? '▶' : '☐'
}

/** The plan with its numbers, and how what has not begun is changed. */
export async function showNumbered(
  shown: Task,
  context: CommandContext,
  deps: TaskDeps,
): Promise<CommandResult> {
  const { run, name } = shown
  const { plan: words, ...others } = texts(context.locale).task
  const { items, index, left } = await planOf(shown, context, deps)
  if (items.length === 0) return { ok: false, text: others.noPlan }
  const rows = items.map(
    ({ text, done }, at) =>
      `- ${markOf(done, at === index && !hasEnded(run.status))} ${at + 1}. ${plainText(text)}`,
  )
  const [first] = left ?? []
  const head = `**#${name}** ${plainText(run.title)} · ${others.statuses[run.status]}`
  return {
    ok: true,
    text: present([head, ...rows, first && words.how(first.number)]).join('\n'),
    data: items,
  }
}
