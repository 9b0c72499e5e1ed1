import { quoteIfNeeded } from '../../commands/words.ts'
import type { LoopInput } from '../../contracts/input.ts'
import type { Observation } from '../../domain/task.ts'
import { dueOf } from './days.ts'
import type { Step } from './draft.ts'
import { asideOf, type Task } from './task.ts'
import { shorten } from './text.ts'

export interface Call {
  tool: string
  input: string
}

/** A search that has failed this often is not there. */
const searchTries = 2

/** The tool calls that a step is made of, in order; only tools that are offered. `item` is the step as the plan has it. */
export function callsOf(step: Step, item: string, task: Task, input: LoopInput): Call[] {
  const offered = (tool: string) => input.tools.some((card) => card.name === tool)
  switch (step.work) {
    case 'search':
      return offered('internet_search') && failedSearches(input.observations) < searchTries
        ? [{ tool: 'internet_search', input: task.grammar.query(step.clause) }]
        : []
    case 'order':
      return offered('todo') ? [todo(orderText(step, item, task), step, task, input)] : []
    case 'note':
      return offered('todo') ? step.clause.names.map((name) => todo(noteText(name, step, task), step, task, input)) : []
    case 'command': {
      const tool = step.clause.tool ?? 'todo'
      return offered(tool) ? [{ tool, input: step.clause.command ?? 'list' }] : []
    }
    case 'judge':
    case 'day':
    case 'text':
    case 'think':
    case 'keep':
      return []
  }
}

const failedSearches = (observations: readonly Observation[]): number =>
  observations.filter((one) => one.tool === 'internet_search' && !one.ok).length

/** The to-do says on its own what is to be done: answers that other steps asked for and conditions stand behind it. */
function orderText(step: Step, item: string, task: Task): string {
  const elsewhere = [...task.heard.values].flatMap(([at, value]) =>
    task.slots[at]?.clause === undefined || step.key.includes(`=${value}`) || step.clause.text.includes(value)
      ? []
      : [value],
  )
  const aside = asideOf(item, step)
  return `${task.words.item(step.clause.text)}${task.words.aside([...elsewhere, ...(aside === '' ? [] : [aside])])}`
}

/** “Changelog” alone says little; what the list is for does. */
const noteText = (name: string, step: Step, task: Task): string =>
  step.clause.purpose === null || step.clause.names.length < 2 || name.length > 40
    ? name
    : task.words.nameFor(name, step.clause.purpose)

function todo(text: string, step: Step, task: Task, input: LoopInput): Call {
  const tag = task.grammar.tag(step.clause)
  const due = chosenDay(input) ?? dueOf(task.grammar.dateIn(step.clause.text), input)
  const ofDay =
    step.work === 'order' && step.clause.kind === 'book' ? due : dueOf(task.grammar.dateIn(step.clause.text), input)
  const remind = step.clause.reminds && input.tools.some((card) => card.description.includes('--remind'))
  const options = [
    ...(tag === null ? [] : [`--tag ${tag}`]),
    ...(ofDay === null ? [] : [`--due ${ofDay}`]),
    ...(ofDay === null || !remind ? [] : [`--remind ${ofDay}`]),
  ]
  // Of a request that is nothing but its time, the request itself is what to do.
  const said = text.trim() === '' ? step.clause.text.trim() : text
  return { tool: 'todo', input: ['add', quoteIfNeeded(shorten(said, 200)), ...options].join(' ') }
}

/** The day that an earlier step settled on; its conclusion names it. */
function chosenDay(input: LoopInput): string | null {
  const day = input.conclusions
    .map((one) => /\b(\d{4}-\d{2}-\d{2})\b/.exec(one.text ?? '')?.[1])
    .findLast((one) => one !== undefined)
  return day === undefined ? null : `${day} 18:00`
}

/** A call counts as made whatever time it named: midnight may have passed since. */
export const madeBefore = (call: Call, observations: readonly Observation[]): Observation | null =>
  observations.findLast((one) => one.tool === call.tool && timeless(one.input) === timeless(call.input)) ?? null

const timeless = (input: string): string => input.replace(/ --(?:due|remind) \d{4}-\d{2}-\d{2} \d{2}:\d{2}/g, '')

/** The number that the to-do tool gave: `#3`. */
export const todoIdIn = (result: string): string | null => /#\d+/.exec(result)?.[0] ?? null
