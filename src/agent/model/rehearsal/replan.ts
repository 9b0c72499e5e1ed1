import type { TaskInput } from '../../contracts/input.ts'
import type { ReplanInput } from '../../contracts/step.ts'
import type { ContractReplies } from '../../contracts.ts'
import { sameItem } from '../../domain/same-item.ts'
import { callsOf, madeBefore } from './act.ts'
import { costOf, type Step } from './draft.ts'
import { report } from './report.ts'
import { asideOf, type Task, understand, understandLoop } from './task.ts'

/** The whole list from the words of the request (R29). */
export function plan(input: TaskInput): ContractReplies['plan'] {
  return { status: 'planned', plan: understand(input).steps.map((step) => step.text) }
}

/** Finished items stay as they are; the others follow from all that is known now. Nothing open: the report (R34). */
export function replan(input: ReplanInput): ContractReplies['replan'] {
  const task = understandLoop(input)
  const done = input.planItems.filter((item) => item.done).map((item) => item.text)
  const { items, folded } = affordable(openItems(task, input, done), input)
  const open = withConditions(items, [...newConditions(task, input), ...folded], { task, input, done })
  if (open.length === 0) return { status: 'done', plan: [], response: report(task, input) }
  const plan = [...done.filter((item) => item.trim() !== ''), ...open.map((item) => item.text)]
  return { status: 'replanned', plan, response: null }
}

interface Item {
  text: string
  /** Null for an item of somebody else's. */
  step: Step | null
}

function openItems(task: Task, input: ReplanInput, done: readonly string[]): Item[] {
  const before = input.planItems.filter((item) => !item.done).map((item) => item.text)
  const finished = done.flatMap((item) => task.stepOf(item) ?? [])
  const closer = new Set(task.steps.filter((step) => step.key.startsWith('check:')).map((step) => step.base))
  const isOpen = (step: Step): boolean =>
    !finished.some((one) => one.key === step.key) &&
    !done.some((item) => sameItem(item, step.text)) &&
    // A first look is not worth having once there is a closer one to take.
    !(closer.has(step.base) && !step.key.startsWith('check:')) &&
    // What is finished and has no answer in it stays finished when an answer comes.
    !(finished.some((one) => one.base === step.base) && !step.key.includes('=')) &&
    !(step.added && input.planItems.some((item) => isFolded(step, item.text, task)))
  const ours = task.steps.filter(isOpen).map((step): Item => {
    const earlier = before.find((item) => task.stepOf(item)?.base === step.base)
    const from = earlier === undefined ? null : task.stepOf(earlier)
    const aside = earlier === undefined || from === null ? '' : asideOf(earlier, from)
    return { text: `${step.text}${task.words.aside(aside === '' ? [] : [aside])}`, step }
  })
  const others = before.filter(
    (item) => item.trim() !== '' && task.stepOf(item) === null && !done.some((one) => sameItem(one, item)),
  )
  return [...ours, ...others.map((text): Item => ({ text, step: null }))]
}

/** Added work that an earlier replan put behind another item. */
function isFolded(added: Step, item: string, task: Task): boolean {
  const host = task.stepOf(item)
  return host !== null && !host.added && asideOf(item, host).includes(added.clause.text)
}

/** Added work that the steps left would not carry is not put off to a pause: it goes along with an item that is there. */
function affordable(items: readonly Item[], { maxSteps, stepCount }: ReplanInput): { items: Item[]; folded: string[] } {
  const cost = items.reduce((sum, { step }) => sum + (step === null ? 2 : costOf(step)), 0)
  const extra = items.filter(({ step }) => step?.added === true && step.work !== 'note' && step.work !== 'command')
  const hosts = items.some(
    ({ step }) => step !== null && !step.added && (step.work === 'order' || step.work === 'text'),
  )
  if (cost <= maxSteps - stepCount - 1 || extra.length === 0 || !hosts) return { items: [...items], folded: [] }
  return {
    items: items.filter((item) => !extra.includes(item)),
    folded: extra.flatMap(({ step }) => (step === null ? [] : [step.clause.text])),
  }
}

function newConditions(task: Task, input: ReplanInput): string[] {
  const heardBefore = input.clarifications.length - input.newClarifications.length
  return task.heard.conditions.filter((one) => one.from >= heardBefore).map((one) => one.text)
}

interface Around {
  task: Task
  input: ReplanInput
  done: readonly string[]
}

/** Conditions go to the last item that they can still change; without one they become items of their own. */
function withConditions(items: readonly Item[], conditions: readonly string[], around: Around): Item[] {
  if (conditions.length === 0) return [...items]
  const { words } = around.task
  const target = items.findLastIndex(({ text, step }) => step !== null && takesConditions(step, text, around))
  const { text = '', step = null } = items[target] ?? {}
  if (step !== null) {
    const aside = asideOf(text, step)
    const changed = `${step.text}${words.aside([...(aside === '' ? [] : [aside]), ...conditions])}`
    return items.with(target, { text: changed, step })
  }
  const own = conditions.map((condition): Item => ({ text: words.allowFor(condition), step: null }))
  const isNew = (one: Item) =>
    !around.done.some((item) => sameItem(item, one.text)) && !items.some((other) => sameItem(other.text, one.text))
  return [...items, ...own.filter(isNew)]
}

/** Once a step has acted, new words would make it act again. */
function takesConditions(step: Step, item: string, { task, input }: Around): boolean {
  if (step.work === 'note' || step.work === 'command' || step.work === 'search') return false
  return callsOf(step, item, task, input).every((call) => madeBefore(call, input.observations) === null)
}
