import { codeBlock, linesBlock, wholeInput } from '../code-block.ts'
import { isStrange } from '../domain/argument-origin.ts'
import { assertNever } from '../domain/assert.ts'
import { errandQuestion, linked } from '../domain/elsewhere.ts'
import { amountsIn, runSpent } from '../domain/forecast.ts'
import { assistantMessage } from '../domain/message.ts'
import { shownPlan } from '../domain/progress.ts'
import { type Question, questionIdOf } from '../domain/question.ts'
import { ownerOf, type Run } from '../domain/run.ts'
import { choicesShown } from '../domain/service-question.ts'
import type { CodingTask, Task } from '../domain/task.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { delivery, type Origin, postMessage, runOrigin } from '../kernel/messages.ts'
import { showQuestion } from '../kernel/questions.ts'
import { ownerNameOf } from '../shown-name.ts'
import { callInWords } from '../tools/call-words.ts'
import { effectOf } from './calls.ts'
import { shownIn } from './finish.ts'
import { soFar } from './pause-report.ts'
import { instantIn, type Scene, unknownCall } from './scene.ts'
import { sourcesIn } from './sources.ts'

/** Puts a task's question before the thread, as the first or behind those that wait (R11). */
export function askQuestion(scene: Scene, task: Task): ChangePart {
  const { run, thread, words, settings, now: at } = scene
  if (run.status === 'awaiting_clarification' || task.lastQuestion === null) return {}
  const { shown, opening } = shownIn(scene, words.core.titleQuestion(run.title))
  const { conversation, questions } = shown
  const origin = runOrigin(run.id, conversation.id, at)
  const question: Question = {
    version: 1,
    id: idOf(run, task),
    runId: run.id,
    ...questionWords(scene, task),
    askedAt: at,
    ...answerers(scene, task.lastQuestion),
  }
  const { id } = question
  const link = task.lastQuestion.awaits?.link ?? null
  const known = link === null ? scene : { links: new Set([...scene.links, link]) }
  const sources = sourcesIn(known, [question.text, ...question.choices].join('\n'))
  const message = {
    ...assistantMessage(origin.cause, `question:${id}`, question.text, at, id),
    choices: question.choices,
    ...sources,
  }
  const status = 'awaiting_clarification'
  return mergeChanges(
    // People who find a thread that nobody opened read first what it is about (C48).
    thread === null
      ? postMessage(origin, 'so-far', openingWords(scene, task))
      : summaryBefore(origin, task),
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
    questions.length === 0 ? showQuestion(conversation, question, at, settings.reminder) : {},
    askedAlone(origin, question),
    opening,
  )
}

/** The call that awaits an answer names its question, so that the answer finds it (C843). */
const idOf = (run: Run, task: Task) =>
  task.lastQuestion?.reason === 'elsewhere' && task.intent !== null
    ? errandQuestion(effectOf(run, task.intent))
    : questionIdOf(run.id, timesAsked(task))

/** C853: the service's words, for the person whom it asks alone. */
function askedAlone(origin: Origin, { id, owner, service }: Question): ChangePart {
  if (service?.alone === undefined || owner == null) return {}
  const { alone: text, link } = service
  const body = { kind: 'private' as const, to: owner.id, text, link }
  return { deliveries: [delivery(origin, `service:${id}`, body)] }
}

const timesAsked = ({ questionsAsked, approval, outsized, service }: Task) =>
  questionsAsked + (approval?.asked ?? 0) + (outsized ? 1 : 0) + (service?.asked ?? 0)

/** C500: what the last round came to stands whole before a question that rests on it. */
function summaryBefore(origin: Origin, { strategy, lastQuestion, conclusions }: Task): ChangePart {
  const last = conclusions.at(-1)
  const isResting = strategy === 'batch' && lastQuestion?.reason === 'asked'
  const text = isResting ? (last?.text ?? '') : ''
  return text === '' ? {} : postMessage(origin, `round:${last?.step}`, text)
}

/**
 * C83: opens a thread with the topic, the asker, and the note that an answer is needed; then the
 * results so far.
 */
function openingWords({ run, words, locale }: Scene, task: Task): string {
  const line = words.core.opening.question(ownerNameOf(run), run.title)
  return task.conclusions.length === 0 ? line : `${line}\n\n${soFar(task, locale)}`
}

/**
 * Returns who answers a question. What takes effect outside is approved by the person who wants it;
 * for scheduled work, by its scheduler (S4).
 */
function answerers(
  { run, settings }: Scene,
  { reason, awaits }: NonNullable<Task['lastQuestion']>,
): Pick<Question, 'askedOf' | 'owner' | 'ownerOnly' | 'approval' | 'plan' | 'approvers'> {
  const owner = ownerOf(run)
  if (reason === 'service') return { askedOf: owner?.name ?? null, owner, ownerOnly: true }
  if (!['approval', 'outcome_unknown', 'plan'].includes(reason)) {
    const ownerOnly =
      settings.whoMayAnswer === 'owner' && run.requestedBy !== null ? { ownerOnly: true } : {}
    if (awaits === undefined) return { askedOf: run.requestedBy?.name ?? null, owner, ...ownerOnly }
    const { of, here } = awaits
    const approvers = owner === null ? [of.id] : [owner.id, of.id]
    return { askedOf: of.name, owner: here ? of : null, approvers, ...ownerOnly }
  }
  return {
    askedOf: owner?.name ?? null,
    owner,
    approval: true,
    plan: reason === 'plan' ? true : undefined,
    approvers: owner === null ? [] : [owner.id],
  }
}

/** R12: the model's question after the prefix, or Clew's own. */
function questionWords(
  scene: Scene,
  task: Task,
): Pick<Question, 'text' | 'choices' | 'whole' | 'input' | 'tool' | 'service'> {
  const { core, coding } = scene.words
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
      const { tool, input } = unknownCall(task) ?? { tool: '', input: '' }
      const begun = scene.begunAt === null ? null : instantIn(scene, scene.begunAt)
      const asks = core.questionPrefix + core.unknownOutcome(tool, begun)
      return { ...callWords(scene, asks, input), choices: core.unknownOutcomeChoices }
    }
    case 'outsized':
      return outsizedWords(scene, task)
    case 'approval':
      return approvalWords(scene, task)
    case 'service':
      return serviceWords(scene, task)
    case 'plan':
      return planWords(scene, task)
    case 'elsewhere':
      return awaitedWords(scene, task)
    case 'plan_change':
      return { text: core.questionPrefix + core.plan.whatElse, choices: [] }
    default:
      return assertNever(reason)
  }
}

/** C843: whose answer the task waits for, and the way on without it. */
function awaitedWords({ run, words: { elsewhere } }: Scene, { lastQuestion }: Task) {
  const { place = '', link = null, text = '', here = false } = lastQuestion?.awaits ?? {}
  const asker = ownerNameOf(run)
  const asks = here ? elsewhere.asksHere(asker, text) : elsewhere.waits(linked(place, link), text)
  return { text: asks, choices: [elsewhere.withdraw] }
}

/** C764: the plan with what is done of it, and the call with which it would begin. */
function planWords({ words }: Scene, task: Task): Pick<Question, 'text' | 'choices' | 'whole'> {
  const { plan, approval } = words.core
  const { items } = shownPlan(task)
  const steps = items.some(({ done }) => !done)
    ? items.map(({ text, done }, at) => `${done ? '✓' : `${at + 1}.`} ${text}`)
    : (task.approval?.plan?.asked ?? []).map((step, at) => `${at + 1}. ${step}`)
  const { tool, input } = task.intent ?? { tool: null, input: '' }
  const begins = tool === null ? [] : [plan.begins(tool), codeBlock(input, approval.notShown)]
  const isTold = task.approval?.plan?.approved.length === 0
  const asks = isTold ? plan.asks : plan.asksAgain
  const choices = [plan.approve, plan.change]
  return { text: [asks, steps.join('\n'), ...begins, plan.note].join('\n\n'), choices }
}

/** C736: what it took, and what the largest before it did. */
function outsizedWords({ run, locale, settings, words: { core } }: Scene, task: Task) {
  const spent = runSpent(task.spent, settings.usage.currency)
  const now = amountsIn(spent, locale)
  const largest = amountsIn(run.forecast?.most ?? spent, locale)
  const said = core.forecast.outsized(run.forecast?.of ?? 0, now, largest)
  return { text: core.questionPrefix + said, choices: core.forecast.outsizedChoices }
}

/**
 * C850, C853: the service's words; of those for one person alone the thread sees only whose they
 * are.
 */
function serviceWords({ words: { core } }: Scene, { service }: Task) {
  const { asks, asksAlone, aloneHow, opens, decline, later } = core.service
  if (service === undefined) return { text: core.questionGone, choices: [] }
  const { server, text, choices, alone, link } = service.last
  const shown = [...choicesShown(service.last), decline, later]
  const typed = link === undefined && choices.length === 0
  if (!alone) return { text: asks(server, text), choices: shown, service: { typed } }
  const how =
    link === undefined ? [...choices.map((choice) => `- ${choice}`), '', aloneHow] : [link]
  const whole = [asks(server, text), how.join('\n')].join('\n\n')
  const asked = link === undefined ? asksAlone(server) : opens(server)
  return { text: asked, choices: shown, service: { alone: whole, typed, link } }
}

const editableMost = 2_500

/** C871: an agent's request is approved as it is, and once. */
function permissionWords(scene: Scene, { order }: CodingTask) {
  const { approve, refuse } = scene.words.core.approval
  const words = callWords(scene, scene.words.coding.permission, order?.asks?.text ?? '')
  return { ...words, choices: [approve, refuse] }
}

function approvalWords(scene: Scene, task: Task) {
  if (task.strategy === 'coding') return permissionWords(scene, task)
  const { intent, approval } = task
  const { tool, input } = intent ?? { tool: '', input: '' }
  const { asks, once, approve, refuse, always } = scene.words.core.approval
  const said = callInWords(tool, input, scene)
  const asked = said === null ? asks(tool) : `${asks(tool)}\n\n${said}`
  const words = callWords(scene, asked, input, said === null ? originLines(scene) : [])
  const text = approval?.covers === 'tool' ? `${words.text}\n\n${once}` : words.text
  // A form has room for so much.
  if (input.length > editableMost) return { ...words, text, choices: [approve, refuse] }
  // Nobody's work has nobody for whom it could stay approved.
  const isTheirs = ownerOf(scene.run) !== null
  const choices = isTheirs ? [approve, refuse, always] : [approve, refuse]
  return { ...words, text, choices, input, tool: isTheirs ? tool : undefined }
}

/** C301: a call with its whole input, who asked for it and with whose rights it is made. */
function callWords(
  { run, words }: Scene,
  asks: string,
  input: string,
  origins: readonly string[] = [],
) {
  const { approval } = words.core
  const shown = codeBlock(input, approval.notShown)
  const whole = wholeInput(input)
  const by = approval.by(ownerNameOf(run), run.schedule?.id ?? null)
  // C87: nobody approves what they cannot read.
  const more = shown.includes(whole) ? {} : { whole }
  return { text: [asks, shown, ...origins, by].join('\n\n'), ...more }
}

/** Size of the list of arguments: lines, and characters of a name, a value and a source. */
const listed = { lines: 8, characters: 40 }
const short = (text: string | null = null) =>
  text === null || text.length <= listed.characters
    ? (text ?? '')
    : `${text.slice(0, listed.characters)}…`

/** C897: where each argument comes from; those that nobody said stand first, marked. */
function originLines({ call, run, words }: Scene): string[] {
  const { title, from, strange, more } = words.core.approval.origins
  const asker = ownerOf(run)?.name ?? null
  const all = [...call.filter(isStrange), ...call.filter((one) => !isStrange(one))]
  const lines = all.slice(0, listed.lines).map((one) => {
    const source = from[one.origin](short(one.origin === 'asker' ? asker : one.from))
    const name = short(one.name)
    if (!isStrange(one)) return [name, source].filter(Boolean).join(' – ')
    // A line stands above as it is.
    const what = name === '' ? '' : `${name}: ${short(one.value)} – `
    return `⚠ ${what}${strange(source, asker)}`
  })
  if (lines.length === 0) return []
  const left = all.length - lines.length
  return [title, linesBlock(left === 0 ? lines : [...lines, more(left)])]
}
