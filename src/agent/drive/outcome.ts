import { texts } from '../../locales/texts.ts'
import type { Conversation } from '../domain/conversation.ts'
import { deriveId } from '../domain/id.ts'
import { assistantMessage } from '../domain/message.ts'
import { type Question, questionIdOf } from '../domain/question.ts'
import type { Ending, Run } from '../domain/run.ts'
import type { PauseReason, Task } from '../domain/task.ts'
import { endOfDay } from '../domain/usage.ts'
import { formatInstant } from '../domain/zone.ts'
import { ending } from '../kernel/end-run.ts'
import { type Rest, rest } from '../kernel/lease.ts'
import { say, together } from '../kernel/messages.ts'
import { showQuestion } from '../kernel/questions.ts'
import { quoted } from '../literal-block.ts'
import type { Change } from '../ports/store.ts'
import { runTypeOf } from '../run-types.ts'
import { isNothing } from '../schedules/quiet.ts'
import type { Action } from '../strategies/strategy.ts'
import { followUpOf } from './follow-up.ts'
import { digest, limitReport, soFar } from './limit-report.ts'
import type { Place, Session } from './session.ts'

/**
 * What a task's next action means for the thread when it needs no call: a question, a pause, an end. It goes into the
 * same commit as the event that led to it, so no crash can part them (R15, R16, C27).
 */
export async function settlement(session: Session, task: Task, action: Action): Promise<Partial<Change>> {
  switch (action.kind) {
    case 'wait':
      return await settleQuestion(session, task)
    case 'pause':
      return await settlePause(session, task, action.reason)
    case 'finish': {
      const place = await session.place()
      const locale = localeOf(session, place)
      const { core } = texts(locale)
      if (session.run.schedule?.quiet && isNothing(action.text)) return await settleQuietly(session, place, locale)
      const open = task.planItems.filter((item) => !item.done).map((item) => item.text)
      const said = action.text.trim() === '' ? digest(task, locale) : action.text
      const text = open.length === 0 ? said : `${said}\n\n${core.skipped(open)}`
      const outcome = { status: action.ok ? ('succeeded' as const) : ('failed' as const), text }
      return await settleEnd(session, place, outcome, action.ok ? () => followUpOf(session, task, text) : undefined)
    }
    case 'give_up': {
      const place = await session.place()
      const { core } = texts(localeOf(session, place))
      return await settleEnd(session, place, { status: 'failed', text: core.gaveUp[action.reason] })
    }
    default:
      return {}
  }
}

const localeOf = (session: Session, place: Place | null) => (place?.conversation ?? homeOf(session)).locale

/** The language and zone of work that has no conversation yet. */
const homeOf = ({ run, deps }: Session) => run.schedule?.place ?? deps.defaults
/** Enough to find the run that waits behind an old one. */
const runsRead = 50

/** Nothing that came in meanwhile may be lost: an end or a pause holds only while the mailbox is empty (C50, P5). */
const nothingNew = (session: Session): Partial<Change> => ({
  expect: [{ kind: 'mailbox', count: session.inputs.length }],
})

/** F13: nobody hears of it, unless a thread was opened for it already. */
async function settleQuietly(session: Session, place: Place | null, locale: string): Promise<Partial<Change>> {
  const text = texts(locale).schedule.nothingToReport
  if (place !== null) return await settleEnd(session, place, { status: 'succeeded', text })
  const { id } = session.run
  const at = session.deps.clock.now()
  return together(nothingNew(session), {
    runs: [{ id, patch: { status: 'succeeded', endedAt: at, attempts: 0, result: text } }],
    trace: [{ of: id, entry: { at, what: { kind: 'status', status: 'succeeded', reason: null } } }],
  })
}

export async function settleEnd(
  session: Session,
  place: Place | null,
  outcome: { status: Ending; text: string },
  /** What comes after it where no run of the same turn waits for it. */
  following: () => Partial<Change> = () => ({}),
): Promise<Partial<Change>> {
  const at = session.deps.clock.now()
  const { run } = session
  const { core } = texts(localeOf(session, place))
  const title = outcome.status === 'succeeded' ? core.titleSucceeded(run.title) : core.titleFailed(run.title)
  const shown = place ?? opened(session, title, at)
  const next = await followers(session, at)
  return together(
    nothingNew(session),
    place === null ? opening(session, shown.conversation) : {},
    ending(run, shown, { ...outcome, at, reminder: session.deps.reminder }),
    next.runs?.length ? next : together(next, following()),
  )
}

/** Ends a run that is no task, and looks again when something came in meanwhile. */
export async function endWith(
  session: Session,
  outcome: { status: Ending; text: string },
  more: Partial<Change> = {},
): Promise<Rest> {
  for (;;) {
    const change = await settleEnd(session, await session.place(), outcome)
    if ((await session.commit(together(change, more))) === 'committed') return rest
  }
}

/** R120: the run of the same turn that waited for this one; the thread's plan is now its (C42). */
async function followers(session: Session, at: number): Promise<Partial<Change>> {
  const { run, deps } = session
  if (run.conversationId === null) return {}
  const runs = await deps.store.runs.list(run.workspace, runsRead, run.conversationId)
  const next = runs.filter((one) => one.afterRunId === run.id && one.status === 'queued')
  const shown = next.find((one) => runTypeOf(one.type)?.foreground)
  return {
    runs: next.map(({ id }) => ({ id, patch: {}, due: at })),
    ...(shown === undefined ? {} : { conversation: { id: run.conversationId, patch: { foreground: shown.id } } }),
  }
}

async function settleQuestion(session: Session, task: Task): Promise<Partial<Change>> {
  if (session.run.status === 'awaiting_clarification' || task.lastQuestion === null) return {}
  const { run, deps } = session
  const at = deps.clock.now()
  const known = await session.place()
  const locale = localeOf(session, known)
  const place = known ?? opened(session, texts(locale).core.titleQuestion(run.title), at)
  const { conversation, questions } = place
  const question: Question = {
    version: 1,
    id: questionIdOf(run.id, task.questionsAsked + (task.approval?.asked ?? 0)),
    runId: run.id,
    ...questionWords(task, locale),
    askedAt: at,
    ...answerers(run, task.lastQuestion.reason),
  }
  const first = questions.length === 0
  const message = assistantMessage(
    { kind: 'run', refId: run.id },
    `question:${question.id}`,
    question.text,
    at,
    question.id,
  )
  // Whoever finds a thread that nobody opened reads first what it is about (C48).
  const report =
    known === null
      ? say(conversation.id, { kind: 'run', refId: run.id }, 'so-far', soFar(task, locale), at, run.id)
      : {}
  return together(
    report,
    {
      expect: [{ kind: 'question_count', conversationId: conversation.id, count: questions.length }],
      ask: question,
      messages: [message],
      runs: [{ id: run.id, patch: { status: 'awaiting_clarification' } }],
      progress: run.id,
      trace: [
        { of: run.id, entry: { at, what: { kind: 'asked', questionId: question.id } } },
        { of: run.id, entry: { at, what: { kind: 'status', status: 'awaiting_clarification', reason: null } } },
      ],
    },
    first ? showQuestion(conversation, question, at, deps.reminder) : {},
    known === null ? opening(session, conversation) : {},
  )
}

/** What takes effect outside is approved by whoever wants it, which for scheduled work is whoever scheduled it (S4). */
function answerers(
  run: Run,
  reason: NonNullable<Task['lastQuestion']>['reason'],
): Pick<Question, 'askedOf' | 'approval' | 'approvers'> {
  if (reason !== 'approval' && reason !== 'outcome_unknown') return { askedOf: run.requestedBy?.name ?? null }
  const owner = run.requestedBy ?? run.schedule?.createdBy ?? null
  return { askedOf: owner?.name ?? null, approval: true, approvers: owner === null ? [] : [owner.id] }
}

/** R12: the model's question after the prefix, or Clew's own. */
function questionWords(task: Task, locale: string): { text: string; choices: string[] } {
  const { core } = texts(locale)
  const asked = task.lastQuestion
  switch (asked?.reason) {
    case 'stuck': {
      const item = task.planItems[task.currentPlanIndex]?.text ?? task.goal
      return { text: core.questionPrefix + core.stuckQuestion(item), choices: core.stuckChoices }
    }
    case 'mission_stuck': {
      const failed = task.conclusions.findLast((one) => !one.ok)
      const { coding } = texts(locale)
      return {
        text: core.questionPrefix + coding.stuck(failed?.item ?? task.goal, failed?.text ?? null),
        choices: coding.stuckChoices,
      }
    }
    case 'outcome_unknown': {
      const tool = task.observations.at(-1)?.tool ?? ''
      return { text: core.questionPrefix + core.unknownOutcome(tool), choices: core.unknownOutcomeChoices }
    }
    case 'approval': {
      const { tool, input } = task.intent ?? { tool: '', input: '' }
      const words = core.approval
      const text = [
        words.asks(tool),
        quoted(input, words.notShown),
        ...(task.approval?.covers === 'tool' ? [words.once] : []),
      ]
      return { text: text.join('\n\n'), choices: [words.approve, words.refuse] }
    }
    default:
      return { text: core.questionPrefix + (asked?.text ?? ''), choices: asked?.choices ?? [] }
  }
}

/** R129: what was made of a report and what that rests on, said in the thread when it was decided. */
export async function verdictLine(session: Session, before: Task, after: Task): Promise<Partial<Change>> {
  if (after.strategy !== 'coding' || before.strategy !== 'coding') return {}
  const { verdict } = after
  if (verdict === null || verdict === before.verdict) return {}
  const { run, deps } = session
  const place = await session.place()
  if (place === null) return {}
  const { coding } = texts(place.conversation.locale)
  const title = before.steps[verdict.index]?.title ?? ''
  const text = coding.verdict[verdict.decision](verdict.index + 1, before.steps.length, title, verdict.evidence)
  const cause = { kind: 'run' as const, refId: run.id }
  return say(place.conversation.id, cause, `verdict:${verdict.step}`, text, deps.clock.now(), run.id)
}

const budgetsMost = 5

/** C35: a pause in a person's thread; the end of work that nobody asked for there, with the same text. */
async function settlePause(session: Session, task: Task, reason: PauseReason): Promise<Partial<Change>> {
  const { run, deps } = session
  const place = await session.place()
  const { timeZone } = place?.conversation ?? homeOf(session)
  const again = formatInstant(timeZone, endOfDay(deps.clock.now(), deps.day.timeZone))
  const text = limitReport({ run, task, reason, again }, localeOf(session, place))
  // F24: what goes on by itself does so for five budgets, not for ever.
  const isSpent = deps.onPause === 'auto' && task.spent.pauses >= budgetsMost - 1
  if (task.unattended || place === null || isSpent) return await settleEnd(session, place, { status: 'failed', text })
  const at = deps.clock.now()
  const said = say(
    place.conversation.id,
    { kind: 'run', refId: run.id },
    `pause:${task.spent.pauses}`,
    text,
    at,
    run.id,
  )
  return together(nothingNew(session), said, {
    runs: [{ id: run.id, patch: { status: 'paused' } }],
    progress: run.id,
    trace: [
      { of: run.id, entry: { at, what: { kind: 'status', status: 'paused', reason } } },
      ...said.messages.map(({ id }) => ({ of: run.id, entry: { at, what: { kind: 'said' as const, messageId: id } } })),
    ],
  })
}

/** R106: work without a thread opens one, unread, with its first question or its final. */
function opened(session: Session, title: string, at: number): Place {
  const { run } = session
  const id = deriveId('c', 'run', run.id)
  return {
    questions: [],
    conversation: {
      version: 1,
      id,
      // The platform names the thread when the first delivery opens it.
      address: { workspace: run.workspace, channel: run.channel, thread: null },
      title,
      createdAt: at,
      updatedAt: at,
      lastReadAt: null,
      foreground: run.id,
      locale: homeOf(session).locale,
      timeZone: homeOf(session).timeZone,
      remindAt: null,
    },
  }
}

function opening(session: Session, conversation: Conversation): Partial<Change> {
  return {
    conversation: { open: conversation },
    conversationId: conversation.id,
    runs: [{ id: session.run.id, patch: { conversationId: conversation.id } }],
  }
}
