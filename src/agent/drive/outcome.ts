import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Task } from '../domain/task.ts'
import type { ChangePart } from '../kernel/change.ts'
import { postMessage, runOrigin } from '../kernel/messages.ts'
import { isNothing } from '../schedules/nothing-to-report.ts'
import type { Action } from '../strategies/strategy.ts'
import { askQuestion } from './ask.ts'
import { finishQuietly, finishRun } from './finish.ts'
import { followUpOf } from './follow-up.ts'
import { pauseRun } from './pause.ts'
import { digest } from './pause-report.ts'
import type { Session } from './session.ts'
import { sourcesIn } from './sources.ts'

/**
 * What a task's next action means for the thread when it needs no call: a question, a pause, an end. It goes into the
 * same commit as the event that led to it, so no crash can part them (R15, R16, C27).
 */
export async function outcomeOf(session: Session, task: Task, action: Action): Promise<ChangePart> {
  switch (action.kind) {
    case 'wait':
      return await askQuestion(session, task)
    case 'pause':
      return await pauseRun(session, task, action.reason)
    case 'finish':
      return await finishTask(session, task, action)
    case 'give_up':
      return await finishRun(session, {
        status: 'failed',
        text: (await session.words()).core.gaveUp[action.reason],
      })
    case 'call_model':
    case 'call_tool':
    case 'hand_over':
    case 'await_report':
      return {}
    default:
      return assertNever(action)
  }
}

async function finishTask(
  session: Session,
  task: Task,
  action: Extract<Action, { kind: 'finish' }>,
) {
  if (session.run.schedule?.quiet && isNothing(action.text)) return await finishQuietly(session)
  const { locale } = await session.surroundings()
  const open = task.planItems.filter((item) => !item.done).map((item) => item.text)
  const said = action.text.trim() === '' ? digest(task, locale) : action.text
  const text = open.length === 0 ? said : `${said}\n\n${texts(locale).core.skipped(open)}`
  const sources = await sourcesIn(session, task, text)
  if (!action.ok) return await finishRun(session, { status: 'failed', text, ...sources })
  return await finishRun(session, { status: 'succeeded', text, ...sources }, () =>
    followUpOf(session, task, text),
  )
}

/** R129: what was made of a report and what that rests on, said in the thread when it was decided. */
export async function verdictLine(
  session: Session,
  before: Task,
  after: Task,
): Promise<ChangePart> {
  if (after.strategy !== 'coding' || before.strategy !== 'coding') return {}
  const { verdict } = after
  if (verdict === null || verdict === before.verdict) return {}
  const thread = await session.thread()
  if (thread === null) return {}
  const { id, locale } = thread.conversation
  const title = before.steps[verdict.index]?.title ?? ''
  const words = texts(locale).coding.verdict[verdict.decision]
  const text = words(verdict.index + 1, before.steps.length, title, verdict.evidence)
  const origin = runOrigin(session.run.id, id, session.deps.clock.now())
  return postMessage(origin, `verdict:${verdict.step}`, text)
}
