import { type Texts, texts } from '../../locales/texts.ts'
import { codeBlock, wholeInput } from '../code-block.ts'
import { assertNever } from '../domain/assert.ts'
import { assistantMessage } from '../domain/message.ts'
import { type Question, questionIdOf } from '../domain/question.ts'
import { ownerOf, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import { showInstant } from '../domain/zone.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { postMessage, runOrigin } from '../kernel/messages.ts'
import { showQuestion } from '../kernel/questions.ts'
import { shownIn } from './finish.ts'
import { soFar } from './pause-report.ts'
import type { Session } from './session.ts'
import { sourcesIn } from './sources.ts'

/** Puts a task's question before the thread, as the first or behind those that wait (R11). */
export async function askQuestion(session: Session, task: Task): Promise<ChangePart> {
  const { run, deps } = session
  if (run.status === 'awaiting_clarification' || task.lastQuestion === null) return {}
  const at = deps.clock.now()
  const thread = await session.thread()
  const { locale } = await session.surroundings()
  const { shown, opening } = shownIn(
    session,
    thread,
    texts(locale).core.titleQuestion(run.title),
    at,
  )
  const { conversation, questions } = shown
  const origin = runOrigin(run.id, conversation.id, at)
  const question: Question = {
    version: 1,
    id: questionIdOf(run.id, task.questionsAsked + (task.approval?.asked ?? 0)),
    runId: run.id,
    ...(await questionWords(session, task)),
    askedAt: at,
    ...answerers(session, task.lastQuestion.reason),
  }
  const { id } = question
  const sources = await sourcesIn(session, task, [question.text, ...question.choices].join('\n'))
  const message = {
    ...assistantMessage(origin.cause, `question:${id}`, question.text, at, id),
    ...sources,
  }
  const status = 'awaiting_clarification'
  return mergeChanges(
    // People who find a thread that nobody opened read first what it is about (C48).
    thread === null ? postMessage(origin, 'so-far', openingWords(run, task, locale)) : {},
    {
      expect: [
        { kind: 'question_count', conversationId: conversation.id, count: questions.length },
      ],
      ask: question,
      messages: [message],
      runs: [{ id: run.id, patch: { status } }],
      ...traced(
        run.id,
        at,
        { kind: 'asked', questionId: id },
        { kind: 'status', status, reason: null },
      ),
    },
    questions.length === 0 ? showQuestion(conversation, question, at, deps.reminder) : {},
    opening,
  )
}

/** C83: what the thread is about, who asked and in which words, and that an answer is needed; then what is done by now. */
function openingWords(run: Run, task: Task, locale: string): string {
  const line = texts(locale).core.opening.question(ownerOf(run)?.name ?? null, run.title)
  return task.conclusions.length === 0 ? line : `${line}\n\n${soFar(task, locale)}`
}

/** What takes effect outside is approved by who wants it, which for scheduled work is who scheduled it (S4). */
function answerers(
  { run, deps }: Session,
  reason: NonNullable<Task['lastQuestion']>['reason'],
): Pick<Question, 'askedOf' | 'owner' | 'ownerOnly' | 'approval' | 'approvers'> {
  const owner = ownerOf(run)
  if (reason !== 'approval' && reason !== 'outcome_unknown') {
    const ownerOnly = deps.whoMayAnswer === 'owner' && run.requestedBy !== null
    return { askedOf: run.requestedBy?.name ?? null, owner, ...(ownerOnly ? { ownerOnly } : {}) }
  }
  return {
    askedOf: owner?.name ?? null,
    owner,
    approval: true,
    approvers: owner === null ? [] : [owner.id],
  }
}

/** R12: the model's question after the prefix, or Clew's own. */
async function questionWords(
  session: Session,
  task: Task,
): Promise<Pick<Question, 'text' | 'choices' | 'whole' | 'input'>> {
  const { locale } = await session.surroundings()
  const { core, coding } = texts(locale)
  const { reason = 'asked', text = null, choices = [] } = task.lastQuestion ?? {}
  switch (reason) {
    case 'asked':
      return { text: core.questionPrefix + (text ?? ''), choices }
    case 'stuck': {
      const item = task.planItems[task.currentPlanIndex]?.text ?? task.goal
      return { text: core.questionPrefix + core.stuckQuestion(item), choices: core.stuckChoices }
    }
    case 'mission_stuck': {
      const failed = task.conclusions.findLast((one) => !one.ok)
      const stuck = coding.stuck(failed?.item ?? task.goal, failed?.text ?? null)
      return { text: core.questionPrefix + stuck, choices: coding.stuckChoices }
    }
    case 'outcome_unknown': {
      const call = task.observations.findLast(({ unknown }) => unknown) ?? task.observations.at(-1)
      const { tool, input } = call ?? { tool: '', input: '' }
      const asks =
        core.questionPrefix + core.unknownOutcome(tool, await begunAt(session, call?.step))
      return { ...callWords(session, asks, input, core), choices: core.unknownOutcomeChoices }
    }
    case 'approval':
      return approvalWords(session, task, core)
    default:
      return assertNever(reason)
  }
}

const editableMost = 2_500

function approvalWords(session: Session, { intent, approval }: Task, core: Texts['core']) {
  const { tool, input } = intent ?? { tool: '', input: '' }
  const { asks, once, approve, refuse } = core.approval
  const words = callWords(session, asks(tool), input, core)
  const text = approval?.covers === 'tool' ? `${words.text}\n\n${once}` : words.text
  // A form has room for so much.
  const change = input.length <= editableMost ? { input } : {}
  return { ...words, text, choices: [approve, refuse], ...change }
}

/** C301: a call with its whole input, who asked for it and with whose rights it is made. */
function callWords({ run }: Session, asks: string, input: string, { approval }: Texts['core']) {
  const shown = codeBlock(input, approval.notShown)
  const whole = wholeInput(input)
  const by = approval.by(ownerOf(run)?.name ?? null, run.schedule?.id ?? null)
  // C87: nobody approves what they cannot read.
  const more = shown.includes(whole) ? {} : { whole }
  return { text: [asks, shown, by].join('\n\n'), ...more }
}

/** When a call was begun, as people of the thread read it; null where the trace does not say. */
async function begunAt({ deps, run, surroundings }: Session, step = -1): Promise<string | null> {
  const trace = await deps.store.runs.trace(run.workspace, run.id)
  const begun = trace.findLast(({ what }) => what.kind === 'acting' && what.step === step)
  const { timeZone } = await surroundings()
  return begun === undefined ? null : showInstant(deps.timesIn(run.workspace), timeZone, begun.at)
}
