import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import { shownPlan } from '../domain/progress.ts'
import type { Task } from '../domain/task.ts'
import { mergeChanges, traced } from '../kernel/change.ts'
import { postMessage, runOrigin } from '../kernel/messages.ts'
import { isNothing } from '../schedules/nothing-to-report.ts'
import type { Action } from '../strategies/strategy.ts'
import { askQuestion } from './ask.ts'
import { finishQuietly, finishRun } from './finish.ts'
import { followUpOf } from './follow-up.ts'
import { pauseRun } from './pause.ts'
import { digest } from './pause-report.ts'
import type { Line, Scene } from './scene.ts'
import { sourcesIn } from './sources.ts'

/**
 * Returns what an action that needs no call changes in the thread: a question, a pause or an end.
 * It is in the same commit as the event before it, so that no crash can part them (R15, R16, C27).
 */
export function outcomeOf(task: Task, action: Action): Line[] {
  switch (action.kind) {
    case 'wait':
      return [(scene) => askQuestion(scene, task)]
    case 'pause':
      return [(scene) => pauseRun(scene, task, action.reason)]
    case 'finish':
      return [(scene) => finishTask(scene, task, action)]
    case 'give_up':
      return [
        (scene) =>
          finishRun(scene, { status: 'failed', text: scene.words.core.gaveUp[action.reason] }),
      ]
    case 'call_model':
    case 'call_tool':
    case 'hand_over':
    case 'await_report':
      return []
    default:
      return assertNever(action)
  }
}

function finishTask(scene: Scene, task: Task, action: Extract<Action, { kind: 'finish' }>) {
  if (scene.run.schedule?.quiet && isNothing(action.text)) return finishQuietly(scene)
  const open = task.planItems.filter((item) => !item.done).map((item) => item.text)
  const said = action.text.trim() === '' ? digest(task, scene.locale) : action.text
  const text = open.length === 0 ? said : `${said}\n\n${scene.words.core.skipped(open)}`
  const sources = sourcesIn(scene, text)
  const { items } = shownPlan(task)
  const done = items.filter((item) => item.done).length
  const steps = done < items.length ? { done, total: items.length } : undefined
  if (action.ok)
    return finishRun(
      scene,
      { status: 'succeeded', text, steps, ...sources },
      followUpOf(scene, task, text),
    )
  return finishRun(scene, { status: action.givenUp ? 'given_up' : 'failed', text, ...sources })
}

/** C502: posts what the task says to people beside its work. */
export function sayLine(before: Task, { said = [] }: Task): Line[] {
  const known = before.said?.length ?? 0
  return said.slice(known).map(({ text }, at) => ({ run, thread, now }) => {
    if (thread === null) return {}
    const origin = runOrigin(run.id, thread.conversation.id, now)
    const line = postMessage(origin, `say:${known + at + 1}`, text)
    const told = line.messages?.map(({ id }) => ({ kind: 'said' as const, messageId: id })) ?? []
    return mergeChanges(line, traced(run.id, now, ...told))
  })
}

/** R129: posts the verdict on a report and its reasons, in the commit that decides it. */
export function verdictLine(before: Task, after: Task): Line[] {
  if (after.strategy !== 'coding' || before.strategy !== 'coding') return []
  const { verdict } = after
  if (verdict === null || verdict === before.verdict) return []
  const title = before.steps[verdict.index]?.title ?? ''
  return [
    ({ run, thread, now }) => {
      if (thread === null) return {}
      const { id, locale } = thread.conversation
      const words = texts(locale).coding.verdict[verdict.decision]
      const text = words(verdict.index + 1, before.steps.length, title, verdict.evidence)
      return postMessage(runOrigin(run.id, id, now), `verdict:${verdict.step}`, text)
    },
  ]
}
