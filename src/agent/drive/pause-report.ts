import { texts, worded } from '../../locales/texts.ts'
import { present } from '../domain/present.ts'
import { sameItem } from '../domain/same-item.ts'
import type { PauseReason, Task } from '../domain/task.ts'
import { ownStrategies } from '../strategies/strategies.ts'
import { failureOf } from './model-outage.ts'

/**
 * R25: reports what is done, why the rest is not, and what to do next. Made without a model.
 *
 * @param again when the day or month that is used up is over; null where none is.
 * @param until time until which the model takes no requests, if known.
 * @param name who asked for it.
 * @param did lines of the calls that took effect.
 */
export function limitReport(
  {
    task,
    reason,
    again,
    until = null,
    name = '',
    did = [],
  }: {
    task: Task
    reason: PauseReason
    again: string | null
    until?: string | null
    name?: string | undefined
    did?: readonly string[]
  },
  locale: string,
): string {
  const { core } = texts(locale)
  const standing = ownStrategies.of(task)?.standing?.(task, core) ?? null
  const open = openItems(task)
  const failure = failureOf(task)
  const why = present([
    failure === null
      ? worded<[string, number, number]>(
          core.reasons[reason],
          name,
          task.limits.maxSteps,
          task.spent.modelCalls,
        )
      : worded(core.modelFailed[failure.kind], until),
    open.length > 0 && core.remaining(open),
  ])
  return present([
    `**${core.paused}**`,
    standing,
    soFar(task, locale),
    did.length > 0 && [core.tookEffect, ...did].join('\n'),
    `**${core.whyStopped}**`,
    why.join(core.between),
    `**${core.nextStep}**`,
    again !== null && core.periodAgain(again),
    task.unattended ? core.retryHint : core.resumeHint,
  ]).join('\n\n')
}

/** Lists what is done so far, and its share of the whole. */
export function soFar(task: Task, locale: string): string {
  const { core } = texts(locale)
  const done = doneIn(task)
  const lines = done.map(({ item, text }) => {
    const more = firstLine(text ?? '')
    return more === '' || isSaid(item, more) ? `- ${item}` : `- ${core.about(item, more)}`
  })
  const counts = core.progress.counts(done.length, done.length + openItems(task).length)
  return `**${core.doneSoFar}** (${counts})\n\n${lines.length === 0 ? core.nothingDone : lines.join('\n')}`
}

const openItems = (task: Task) =>
  task.planItems.filter((item) => !item.done).map((item) => item.text)

/** A round is named by the beginning of what it came to. */
const isSaid = (item: string, more: string) =>
  item === more || (item.endsWith('…') && more.startsWith(item.slice(0, -1)))

/**
 * Items that were closed, and those of the shown plan that are done without having been closed one
 * by one.
 */
function doneIn(task: Task): { item: string; text: string | null }[] {
  const concluded = task.conclusions.filter((one) => one.ok)
  const others = task.planItems.filter(
    (item) => item.done && !task.conclusions.some((one) => sameItem(one.item, item.text)),
  )
  return [...concluded, ...others.map((item) => ({ item: item.text, text: null }))]
}

/** R62, R63: an end without words of the model's gets these. */
export function digest(task: Task, locale: string): string {
  const { core } = texts(locale)
  return core.digest(
    doneIn(task).map((one) => one.item),
    task.spent.toolCalls,
    task.spent.failedSteps,
  )
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`
}
