import { languages, texts } from '../../locales/texts.ts'
import { inWords as approvalInWords } from '../commands/approvals.ts'
import { plainText } from '../commands/command-line.ts'
import { dueTime } from '../commands/value-kinds.ts'
import { assertNever } from '../domain/assert.ts'
import { type Author, personMessage } from '../domain/message.ts'
import type { AnsweredQuestion, Question } from '../domain/question.ts'
import type { StandingApproval } from '../domain/standing-approval.ts'
import { allowed } from '../domain/words.ts'
import type { TimesIn } from '../domain/zone.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { goesOn } from '../kernel/create-run.ts'
import { delivery, postMessage } from '../kernel/messages.ts'
import { showNext } from '../kernel/questions.ts'
import type { Approvals } from '../ports/approvals.ts'
import type { RunInput } from '../ports/store.ts'
import { choiceIn } from '../said/choice.ts'
import { consentIn, hesitates } from '../said/consent.ts'
import { asksBack } from '../said/question.ts'
import { withoutQuotes } from '../said/quotes.ts'
import { standingIn } from '../said/standing.ts'
import {
  answerWith,
  type Handler,
  joined,
  marked,
  needing,
  originOf,
  personOf,
  saidWith,
  type TurnContext,
  tellPrivately,
  withAttachments,
} from './context.ts'
import { joinable } from './join.ts'
import { endsCalling } from './meant-for.ts'
import { overheard } from './overheard.ts'

export interface AnswerRules {
  approvals: Pick<Approvals, 'list'>
  timesIn: TimesIn
  whoMayAnswer: 'anyone' | 'owner'
  admins: readonly string[]
}

/**
 * The next reply in the thread answers the open question, and so does a click (R146, C47). A late
 * click, or a click on a question that somebody else just answered, gets one friendly line and
 * changes nothing.
 */
export const answerHandler = (rules: AnswerRules): Handler =>
  needing('answer', (turn) => {
    const { content } = turn.entry.event
    const open = turn.state.questions[0]
    if (content.kind === 'answer') {
      const named = turn.state.questions.find((one) => one.id === content.questionId)
      return named === undefined
        ? late(turn, content.questionId)
        : take(turn, named, pressed(named, content.text), rules)
    }
    if (content.kind !== 'message') return null
    if (open === undefined) return atOnce(turn)
    // Words of others that stand alone are shown to the task and approve nothing (C396).
    if (turn.text.trim() === '' && content.shared !== undefined)
      return open.approval === true
        ? null
        : take(turn, open, { kind: 'words', text: turn.words.core.handedOver }, rules)
    return take(turn, open, stayingIn(turn, open) ?? readAnswer(open, turn.text), rules)
  })

/** A click on the third choice of an approval makes it stay (C770). */
function pressed({ tool, choices }: Question, text: string): Reading {
  const isStaying = tool !== undefined && choices[2] === text
  return isStaying ? { kind: 'stays', text, until: null } : { kind: 'choice', text }
}

/**
 * “always here”, “yes, until Friday”; null: words that make nothing stay, or a time that nobody can
 * read.
 */
function stayingIn(turn: TurnContext, { tool, choices }: Question): Reading | null {
  const [approve = '', , always = ''] = choices
  const text = withoutQuotes(turn.text)
  const read = choiceIn(choices, text)
  const isChosen = read?.kind === 'choice' && read.choice === always
  const said = isChosen ? { until: null } : standingIn(text)
  if (tool === undefined || said === null) return null
  if (said.until === null) return { kind: 'stays', text: always, until: null }
  const { locale, timeZone } = turn.state.conversation
  const zone = turn.entry.event.timeZone ?? timeZone
  const until = dueTime.read(said.until, { now: turn.now, timeZone: zone, locale })
  if (until == null || until <= turn.now) return null
  return { kind: 'stays', text: approve, until }
}

/** The row of an approval that stays, and what the thread is told of it (C770). */
async function keptFor(
  turn: TurnContext,
  { question, read, person }: { question: Question; read: Reading; person: Author },
  { approvals, timesIn }: AnswerRules,
): Promise<ChangePart> {
  const { tool, input, owner, id } = question
  if (read.kind !== 'stays' || tool === undefined || input === undefined || owner == null) return {}
  const { channel, workspace } = turn.state.conversation.address
  const last = (await approvals.list(workspace)).at(-1)?.number ?? 0
  const { edited = input } = changeIn(turn, question)
  const row: StandingApproval = {
    version: 1,
    id,
    number: last + 1,
    channel,
    asker: owner,
    by: person,
    tool,
    ended: null,
    input: edited,
    at: turn.now,
    until: read.until,
  }
  const reader = { ...turn.state.conversation, times: timesIn(workspace) }
  const text = turn.words.approvals.kept(approvalInWords(row, reader), row.number)
  return mergeChanges({ approvals: [row] }, postMessage(originOf(turn), `stays:${id}`, text))
}

/** An approval is the requester's or an admin's, whatever the setting says about questions. */
export function mayAnswer(
  { whoMayAnswer, admins }: Pick<AnswerRules, 'whoMayAnswer' | 'admins'>,
  question: Question,
  owner: Author | null,
  person: Author,
) {
  // C851: what a service asks is asked of one person, whose rights nobody else has.
  if (question.service !== undefined) return question.owner?.id === person.id
  if (admins.includes(person.id)) return true
  if (question.approval === true) return approversOf(question, owner).includes(person.id)
  const isNamed = question.approvers?.includes(person.id) === true
  return whoMayAnswer === 'anyone' || owner === null || owner.id === person.id || isNamed
}

/** Questions of earlier releases name nobody; then it is the person who asked for the work. */
const approversOf = ({ approvers }: Question, owner: Author | null): readonly string[] =>
  approvers ?? (owner === null ? [] : [owner.id])

/**
 * Null: what somebody who may not approve says while an approval waits is no answer, but may well
 * be for the task (C50).
 */
async function take(
  turn: TurnContext,
  question: Question,
  read: Reading,
  rules: AnswerRules,
): Promise<ChangePart | null> {
  const { whose } = turn.entry.event
  if (question.approval === true && allowed(whose, 'approve') === null) return null
  const person = personOf(turn)
  const owner = turn.runs.find((run) => run.id === question.runId)?.requestedBy ?? null
  const decides = ['choice', 'ambiguous', 'stays'].includes(read.kind)
  const isOperator = turn.entry.event.author.operator === true
  const isBypassed = isOperator && question.service === undefined
  if (!isBypassed && !mayAnswer(rules, question, owner, person)) {
    // C167: “approved, go ahead” of somebody who may not is told what a click is told.
    if (question.approval === true && !decides) return null
    if (turn.meant === 'unclear' && !decides) return await overheard(turn)
    const name = question.approval === true ? question.askedOf : (owner?.name ?? null)
    const words = turn.words.core
    const only = onlyFor(question, name, words)
    const isSaid = turn.entry.event.content.kind === 'message'
    const text = isSaid ? `${only} ${words.staysInThread}` : only
    return tellPrivately(turn, text, { kind: 'ignored', reason: 'not_allowed' })
  }

  // Among people who talk to each other: a choice is an answer, and so is what the person says who
  // was asked (C77).
  const isAsked = owner === null || owner.id === person.id
  const isTheirs = isAsked && read.kind === 'words' && !/[?？]\s*$/u.test(read.text)
  if (turn.meant === 'unclear' && !decides && !(isTheirs && !(await callsOthers(turn)))) return null
  switch (read.kind) {
    case 'choice':
    case 'words':
    case 'stays':
      return mergeChanges(
        answered(turn, question, read.text, person),
        await keptFor(turn, { question, read, person }, rules),
      )
    case 'ambiguous':
      return answerWith(turn, turn.words.core.whichChoice(turn.text.trim(), read.choices))
    case 'undecided':
      return passedOn(turn, question)
    default:
      return assertNever(read)
  }
}

/** The sentence for somebody who may not answer a question. */
function onlyFor(question: Question, name: string | null, words: TurnContext['words']['core']) {
  if (question.service !== undefined) return words.service.askerOnly(question.askedOf)
  const shown = name === null ? null : plainText(name)
  return question.approval === true ? words.approveOnly(shown) : words.answerOnly(shown)
}

/** C552: “see you there, Ben!” is for Ben. */
async function callsOthers(turn: TurnContext): Promise<boolean> {
  const { id } = personOf(turn)
  const said = [...turn.state.messages, ...(await turn.overheard())]
  const others = said.flatMap(({ author }) =>
    author === null || author.id === id ? [] : [author.name],
  )
  return endsCalling(turn.text, others)
}

/** C331: a question or a remark decides nothing: the task hears it, and the question stays open. */
function passedOn(turn: TurnContext, question: Question): ChangePart | null {
  const run = joinable(turn)
  if (run === null) return null
  const { stillOpen, stillOpenConsent } = turn.words.core
  const text = isConsent(question) ? stillOpenConsent : stillOpen
  const note = tellPrivately(turn, text, { kind: 'joined', runId: run.id })
  return mergeChanges(joined(turn, run, withAttachments(turn), { isSpoken: true }), note)
}

function answered(
  turn: TurnContext,
  question: Question,
  answer: string,
  person: Author,
): ChangePart {
  const { conversation, questions } = turn.state
  const { id: conversationId } = conversation
  const { runId } = question
  const change = changeIn(turn, question)
  const input: RunInput = {
    kind: 'answer',
    entryId: turn.entry.id,
    question,
    text: answer,
    author: person,
    ...change,
  }
  // What is attached to an answer reaches the task beside it.
  const attached = turn.attachments === '' ? [] : [saidWith(turn, turn.attachments)]
  const shown = shownAnswer(turn, question, answer)
  const closed: AnsweredQuestion = {
    question,
    answer: shown,
    author: person,
    at: turn.now,
    ...change,
  }
  const body = { kind: 'answered' as const, answered: closed, runId }
  return mergeChanges(
    {
      expect: [
        { kind: 'question_count', conversationId, count: questions.length },
        { kind: 'run_status', runId, status: 'awaiting_clarification' },
      ],
      answered: closed,
      runs: [{ id: runId, patch: { status: 'running' } }],
      inputs: [input, ...attached].map((one) => ({ runId, input: one })),
      deliveries: [delivery(originOf(turn), 'answered', body)],
      progress: runId,
      ...goesOn(runId, turn.now),
    },
    clicked(turn, question, shown, person),
    showNext(turn.state, ({ id }) => id === question.id, turn.now, turn.reminder),
    marked(turn, { kind: 'answer', questionId: question.id }),
  )
}

/** C853: an answer to what was asked of one person alone is for the service and nobody else. */
function shownAnswer({ words }: TurnContext, { service, choices }: Question, answer: string) {
  const isHidden = service?.alone !== undefined && !choices.includes(answer)
  return isHidden ? words.core.service.answeredAlone : answer
}

/** C184: only a call that waits for approval can be changed by the person who approves it. */
function changeIn({ entry }: TurnContext, question: Question): { edited?: string } {
  const { content } = entry.event
  if (content.kind !== 'answer' || content.edited === undefined || question.input === undefined)
    return {}
  return content.edited.trim() === question.input.trim() ? {} : { edited: content.edited }
}

/** A click says something too: later turns and other people read it in the thread's history. */
function clicked(
  { entry, now }: TurnContext,
  question: Question,
  answer: string,
  person: Author,
): ChangePart {
  if (entry.messageId !== null) return {}
  const said = personMessage(entry.id, person, answer, now)
  const message = question.choices.includes(answer) ? { ...said, chosen: true } : said
  const outcome = { kind: 'answer' as const, questionId: question.id }
  return { messages: [message], outcomes: [{ messageId: message.id, outcome }] }
}

/**
 * C47: two people type an answer at the same moment. The second is told that it came second; what
 * would say more than an answer is not taken for one.
 */
function atOnce(turn: TurnContext): ChangePart | null {
  const { event } = turn.entry
  const last = turn.state.answered.at(-1)
  if (last === undefined || last.author.id === event.author.id || event.at > last.at + atOnceMs)
    return null
  const { choices } = last.question
  const isAnswer =
    choices.length === 0
      ? turn.meant === 'clew'
      : readAnswer(last.question, turn.text).kind === 'choice'
  return isAnswer ? late(turn, last.question.id) : null
}

/** Time after an answer in which people may not have seen it yet, in ms. */
const atOnceMs = 3_000

function late(turn: TurnContext, questionId: string): ChangePart {
  const { core } = turn.words
  const earlier = turn.state.answered.find((one) => one.question.id === questionId)
  const text =
    earlier === undefined
      ? core.questionGone
      : core.alreadyAnswered(plainText(earlier.author.name), earlier.answer)
  return tellPrivately(turn, text, { kind: 'ignored', reason: 'already_answered' })
}

/**
 * Meaning of words as an answer to a question: a choice, an answer of their own, one of several
 * choices, or nothing that decides it.
 */
type Reading =
  | { kind: 'choice' | 'words'; text: string }
  /** It is approved until then, for good if `until` is null (C770). */
  | { kind: 'stays'; text: string; until: number | null }
  | { kind: 'ambiguous'; choices: readonly string[] }
  | { kind: 'undecided' }

function readAnswer(question: Question, whole: string): Reading {
  const { choices } = question
  const text = withoutQuotes(whole)
  if (question.service?.typed === true) return typedFor(choices, text, whole)
  const read = choiceIn(choices, text)
  if (read?.kind === 'choice') return { kind: 'choice', text: read.choice }
  if (read !== null) return read
  if (question.plan === true) return readPlanAnswer(choices, text)
  if (isConsent(question)) return readConsent(choices, text)
  if (asksBack(text)) return { kind: 'undecided' }
  const [clause = ''] = text.split(/[,.;:!，。；：！、\n]/u, 1)
  // “Porto, it is closer” is a choice with more.
  const isChoice = !/[?？]\s*$/u.test(text) && choiceIn(choices, clause)?.kind === 'choice'
  return { kind: isChoice ? 'choice' : 'words', text: whole.trim() }
}

/**
 * C850: a service gets people's words as they stand, a number too; only Clew's ways out have a
 * name.
 */
function typedFor(choices: readonly string[], text: string, whole: string): Reading {
  const said = text.trim().toLowerCase()
  const choice = choices.find((one) => one.toLowerCase() === said)
  return choice === undefined
    ? { kind: 'words', text: whole.trim() }
    : { kind: 'choice', text: choice }
}

function readConsent([approve = '', refuse = '']: readonly string[], text: string): Reading {
  const consent = consentIn(text)
  switch (consent) {
    case 'yes':
      return { kind: 'choice', text: approve }
    case 'no':
      return { kind: 'choice', text: refuse }
    case 'otherwise':
      return { kind: 'words', text: text.trim() }
    case 'undecided':
      return { kind: 'undecided' }
    default:
      return assertNever(consent)
  }
}

/** Words other than a yes, a question or a hesitation say what to change (C765). */
function readPlanAnswer([approve = '', change = '']: readonly string[], text: string): Reading {
  const consent = consentIn(text)
  if (consent === 'yes') return { kind: 'choice', text: approve }
  if (consent === 'no') return { kind: 'choice', text: change }
  const isOpen = consent === 'undecided' && (asksBack(text) || hesitates(text))
  return isOpen ? { kind: 'undecided' } : { kind: 'words', text: text.trim() }
}

/** True where the buttons say yes and no, in either language. */
const isConsent = ({ approval, choices }: Question) =>
  approval === true &&
  languages.some((locale) => {
    const { approve, refuse } = texts(locale).core.approval
    return choices[0] === approve && choices[1] === refuse
  })
