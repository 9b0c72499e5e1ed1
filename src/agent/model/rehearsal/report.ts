import type { ReplanInput } from '../../contracts/step.ts'
import { sameItem } from '../../domain/same-item.ts'
import type { Observation } from '../../domain/task.ts'
import { todoIdIn } from './act.ts'
import { isAbout } from './hear.ts'
import type { Task } from './task.ts'
import { shorten } from './text.ts'

/** The final message: what was really done, called, said and left open, and that it was a rehearsal. */
export function report(task: Task, input: ReplanInput): string {
  const { report: say } = task.words
  const parts = [
    shown(input.observations).join('\n'),
    steps(task, input),
    section(say.todos, noted(task, input.observations)),
    section(say.search, searched(task, input.observations)),
    section(say.said, said(task, input)),
    section(say.open, leftOpen(task, input)),
    `*${say.rehearsal}*`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `**${title}**\n\n${lines.join('\n')}`

function steps({ words }: Task, { planItems, conclusions }: ReplanInput): string {
  const done = planItems.filter((item) => item.done)
  if (done.length === 0) return words.report.nothing
  const lines = done.map((item, index) => {
    const text = conclusions.findLast((one) => sameItem(one.item, item.text))?.text ?? ''
    return `${index + 1}. ${words.report.step(flat(item.text, 160), flat(text, 240))}`
  })
  return `${words.report.intro(done.length, planItems.length)}\n\n${lines.join('\n')}`
}

const isTodo = (one: Observation): boolean => one.tool === 'todo'
const isAdding = (one: Observation): boolean => isTodo(one) && /^\s*add\b/i.test(one.input)

/** To-dos that were really added, with the numbers that the tool gave. */
function noted({ words }: Task, observations: readonly Observation[]): string[] {
  return observations
    .filter((one) => isAdding(one))
    .map((one) => {
      const text = one.input
        .replace(/^\s*add\s+/i, '')
        .replace(/ --(?:tag|due|remind|priority) .*$/u, '')
        .replace(/^"(.*)"$/s, (_, inner: string) => inner.replace(/\\(["\\])/g, '$1'))
      if (!one.ok) return `- ${words.report.failed(flat(text, 160), flat(one.result, 160))}`
      const due = / --due (\d{4}-\d{2}-\d{2})/.exec(one.input)?.[1]
      const id = todoIdIn(one.result)
      return `- ${id === null ? '' : `${id} `}${words.report.todo(flat(text, 160), due ?? null)}`
    })
}

/** What the to-do tool answered to the last look at the list, in its own lines. */
function shown(observations: readonly Observation[]): string[] {
  const last = observations.findLast((one) => one.tool === 'schedule' || (isTodo(one) && !isAdding(one)))
  if (last === undefined) return []
  const lines = last.result.trim().split('\n')
  return lines.length <= 30 ? lines : [...lines.slice(0, 30), '- …']
}

function searched({ words }: Task, observations: readonly Observation[]): string[] {
  const searches = observations.filter((one) => one.tool === 'internet_search')
  const lines = searches.map((one) =>
    one.ok
      ? `- ${words.report.found(flat(one.input, 100), flat(belowHeading(one.result), 400))}`
      : `- ${words.report.noAnswer(firstSentence(one.result))}`,
  )
  return [...new Set(lines)]
}

/** The numbered results; what stands above them is for models. */
function belowHeading(result: string): string {
  const lines = result.trim().split('\n')
  return lines
    .slice(
      Math.max(
        0,
        lines.findIndex((line) => /^1\. /.test(line)),
      ),
    )
    .join('\n')
}

function said(task: Task, { clarifications }: ReplanInput): string[] {
  return clarifications.map(({ question, text, author }) => {
    const slot = task.slots.find((one) => isAbout(question, one, task))
    const asked = slot === undefined ? question : task.words.question(slot)
    const [name, words] = [flat(author.name, 60), flat(text, 200)]
    return `- ${asked === null ? task.words.report.added(name, words) : task.words.report.answered(name, flat(asked, 120), words)}`
  })
}

/** What nobody was there to say, or could. */
function leftOpen(task: Task, { clarifications, unattended }: ReplanInput): string[] {
  return task.slots.flatMap((slot, at) => {
    const asked = clarifications.some((one) => isAbout(one.question, slot, task))
    return task.heard.values.has(at) || !(asked || unattended) ? [] : [`- ${task.words.question(slot)}`]
  })
}

const flat = (text: string, most: number): string => shorten(text, most)

const firstSentence = (text: string): string => {
  const line = flat(text, 400)
  return /^.{10,200}?(?:[.!?](?=\s|$)|[。！？])/su.exec(line)?.[0] ?? shorten(line, 200)
}
