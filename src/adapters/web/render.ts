import { setImmediate as othersFirst } from 'node:timers/promises'
import { ruleInWords } from '../../agent/commands/rule-words.ts'
import { clockRule, pastInWords } from '../../agent/commands/schedule-render.ts'
import { addressesKnown, addressOf } from '../../agent/domain/address.ts'
import type { Artifact } from '../../agent/domain/artifact.ts'
import { assertNever } from '../../agent/domain/assert.ts'
import {
  type Conversation,
  groupOf,
  isArchived,
  isUnread,
  titleFrom,
} from '../../agent/domain/conversation.ts'
import { isImageType } from '../../agent/domain/document.ts'
import type { Message, Offer } from '../../agent/domain/message.ts'
import { progressOf } from '../../agent/domain/progress.ts'
import { type AnsweredQuestion, type Question, seenBy } from '../../agent/domain/question.ts'
import type { Run } from '../../agent/domain/run.ts'
import type { Schedule } from '../../agent/domain/schedule.ts'
import { marked, type Term } from '../../agent/domain/search-words.ts'
import type { Task } from '../../agent/domain/task.ts'
import { dueDayOf, type Todo } from '../../agent/domain/todo.ts'
import { uploadIn } from '../../agent/domain/upload.ts'
import type { Need } from '../../agent/ports/needs.ts'
import type {
  ConversationState,
  FoundThread,
  RunState,
  ThreadLine,
} from '../../agent/ports/store.ts'
import { memoryName } from '../../agent/recall.ts'
import { nextSlots } from '../../agent/schedules/recurrence.ts'
import { withoutEnding } from '../../locales/sentence-end.ts'
import { texts } from '../../locales/texts.ts'
import { editable } from '../channel-kit/gestures.ts'
import { namedInstant, withInstants } from '../instants.ts'
import { linksAmong, type MayLink } from '../safety.ts'
import { shownTitle } from '../thread-title.ts'
import { limits } from './limits.ts'
import { createRememberedMarkdown } from './remembered-markdown.ts'
import {
  type AnsweredView,
  type ConversationLine,
  type ConversationView,
  type MessageView,
  type NeedView,
  type QuestionView,
  RunView,
  ScheduleView,
  TodoView,
} from './views.ts'

const renderMarkdown = createRememberedMarkdown()

export function renderLine(line: ThreadLine): ConversationLine {
  const { conversation, newest, status, steps = null } = line
  return {
    id: conversation.id,
    title: titleOf(conversation, newest === null ? [] : [newest]),
    unread: isUnread(conversation),
    updatedAt: conversation.updatedAt,
    createdAt: conversation.createdAt,
    status,
    steps,
    workspace: conversation.address.workspace,
    group: groupOf(conversation, status, line),
    askedOf: line.askedOf,
    pinned: conversation.pinnedAt != null,
    archived: isArchived(conversation),
    lastLine: previewOf(newest?.text ?? ''),
    found: null,
  }
}

/** Line of a list for a conversation's state. */
export const lineOf = ({
  conversation,
  messages,
  foreground,
  questions,
  inbox,
}: ConversationState): ThreadLine => ({
  conversation,
  newest: messages.at(-1) ?? null,
  status: foreground?.status ?? null,
  steps: foreground?.steps,
  isAsked: questions.length > 0,
  askedOf: questions[0]?.askedOf ?? null,
  isHeard: inbox.length > 0,
})

const titleOf = (conversation: Conversation, messages: readonly Message[]) =>
  shownTitle(conversation) ||
  titleFrom(messages.find((message) => message.role === 'user')?.text ?? '')

/** C202: line of a thread that was found, with the matching part of its message. */
export function renderFound(
  { line, message }: FoundThread,
  terms: readonly Term[],
): ConversationLine {
  if (message === null) return renderLine(line)
  const [before] = marked(message.text, terms)
  const at = before === undefined || before.hit ? 0 : before.text.length
  const from = Math.max(0, at - limits.excerptBefore)
  const text = plainLine(message.text.slice(from))
  return {
    ...renderLine(line),
    found: { messageId: message.id, text: from === 0 ? text : `…${text}` },
  }
}

/**
 * Renders a conversation, message by message. Other requests are served in between, as all messages
 * together may take too long (S11).
 */
export async function renderConversation(options: {
  state: ConversationState
  /** Runs, newest first, as the store lists them. Those with a task are shown with their plan. */
  runs?: readonly { run: Run; task: RunState['task'] | undefined }[]
  /** Answers older than those of the state. */
  earlier?: readonly AnsweredQuestion[]
  limit: number
  linkHosts?: readonly string[]
  files?: readonly Artifact[]
  /** Address of the thread on its platform. */
  link?: string | null
  /** True for questions that the viewer may answer. */
  isAsked?: (question: Question) => boolean
}): Promise<ConversationView> {
  const { state, runs = [], earlier = [], limit, linkHosts = [], files = [], link = null } = options
  const { isAsked = () => false } = options
  const mayLink = linksOf(state.messages, linkHosts)
  const views = runs.map(({ run, task }) => renderRun(run, task)).reverse()
  const foreground = state.foreground
  const run =
    foreground === null
      ? null
      : (views.find(({ id }) => id === foreground.id) ?? renderRun(foreground))
  const [question] = state.questions
  const { id, unread, pinned, archived } = renderLine(lineOf(state))
  const title = titleOf(state.conversation, state.messages)
  const messages = await inTurn(state.messages, (message): MessageView => {
    const run = views.find(({ id }) => message.source.kind === 'run' && id === message.source.refId)
    return renderMessage(message, { state, mayLink, run })
  })
  return {
    id,
    title,
    link,
    unread,
    pinned,
    archived,
    readAt: state.conversation.lastReadAt,
    messages,
    more: state.messages.length >= limit,
    plan:
      run?.progress === undefined
        ? null
        : { items: [...run.progress.items], index: run.progress.index },
    question: question === undefined ? null : openQuestion(question, mayLink, isAsked(question)),
    answered: await inTurn([...earlier, ...state.answered], (answered) =>
      renderAnswered(answered, mayLink),
    ),
    run,
    runs: views,
    files: files.map(({ name, text, at }) => ({ name, characters: text.length, at })),
  }
}

/** Renders a list, `many` at a time, and serves other requests in between (S11). */
export async function inTurn<T, V>(
  list: readonly T[],
  render: (one: T) => V,
  many = 1,
): Promise<V[]> {
  const views: V[] = []
  for (const one of list) {
    views.push(render(one))
    if (views.length % many === 0) await othersFirst()
  }
  return views
}

export function renderRun(run: Run, task?: RunState['task']): RunView {
  const view = RunView.parse(run)
  if (task === undefined) return view
  return {
    ...view,
    progress: progressOf(run, task),
    work: task ? workOf(task) : undefined,
  }
}

function workOf(task: Task): NonNullable<RunView['work']> {
  const { modelCalls, toolCalls, promptTokens, completionTokens } = task.spent
  const rounds = task.strategy === 'batch' ? task.rounds : null
  return {
    strategy: task.strategy,
    rounds,
    modelCalls,
    toolCalls,
    tokens: promptTokens + completionTokens,
  }
}

/** Offers that are still open: none once somebody has taken one of them, by a press or in words. */
function openOffers({ offers = [], at }: Message, messages: readonly Message[]): Offer[] {
  const isTaken = messages.some(
    (later) =>
      later.role === 'user' &&
      later.at >= at &&
      offers.some(({ command }) => command === later.text.trim()),
  )
  return isTaken ? [] : offers
}

/** C146: text of a report beside its plan, whose card already shows the outcome and the title. */
function besidePlan(text: string, { title, type }: Pick<Run, 'title' | 'type'>): string {
  const named = title === '' ? type : title
  for (const { core } of [texts('en'), texts('zh')]) {
    const [completed, failed] = [core.succeeded(named, ''), core.failed(named, '')]
    const givenUp = core.givenUp(named, '')
    const canceled = `\n\n${core.runCanceled(named)}`
    if (text.startsWith(completed)) return text.slice(completed.length)
    if (text.startsWith(givenUp)) return text.slice(givenUp.length)
    if (text.startsWith(failed)) return core.failedBecause(text.slice(failed.length))
    // Beginning that earlier versions wrote.
    const before = [core.titleSucceeded(named), core.titleFailed(named)].find((title) =>
      text.startsWith(`${title}\n\n`),
    )
    if (before !== undefined) return text.slice(before.length + 2)
    if (text.endsWith(canceled)) return text.slice(0, -canceled.length)
  }
  return text
}

function renderMessage(
  message: Message,
  { state, mayLink, run }: { state: ConversationState; mayLink: MayLink; run: RunView | undefined },
): MessageView {
  const { id, role, author, text, at, source, questionId, files = [] } = message
  // People may link to anything. Clew's text may come from anywhere, even if somebody chose it
  // (S2).
  const html = renderMarkdown(
    run === undefined ? text : besidePlan(text, run),
    role === 'user' && message.chosen !== true ? () => true : mayLink,
  )
  const runId = source.kind === 'run' ? source.refId : null
  return {
    id,
    role,
    author,
    text,
    html,
    at,
    editedAt: message.editedAt ?? null,
    runId,
    questionId,
    outcome: state.outcomes[id] ?? null,
    files: files.map(({ name, mimetype, url }) => ({
      name,
      image: isImageType(mimetype),
      upload: uploadIn(url),
    })),
    offers: openOffers(message, state.messages),
  }
}

/** The open question; a service's words for one person alone are for that person (C853). */
function openQuestion(question: Question, mayLink: MayLink, mine: boolean): QuestionView {
  if (!mine) return renderQuestion(question, mayLink, false)
  const { owner, service } = question
  const handed = service?.link === undefined ? null : addressOf(service.link)
  const mayOpen: MayLink = (address) => address === handed || mayLink(address)
  return renderQuestion(seenBy(question, owner?.id ?? null), mayOpen, true)
}

function renderQuestion(question: Question, mayLink: MayLink, mine: boolean): QuestionView {
  const { id, text, choices, askedAt, askedOf, approval = false, runId, whole, service } = question
  const shown = whole === undefined ? text : `${text}\n\n\`\`\`text\n${whole}\n\`\`\``
  const input =
    question.approval === true && question.input !== undefined ? editable(question) : null
  return {
    id,
    text,
    choices,
    html: renderMarkdown(shown, mayLink),
    askedAt,
    askedOf,
    approval,
    mine,
    personal: service === undefined ? undefined : true,
    input,
    runId,
  }
}

function renderAnswered(
  { question, answer, edited, author, at }: AnsweredQuestion,
  mayLink: MayLink,
): AnsweredView {
  return { ...renderQuestion(question, mayLink, false), answer, edited: edited ?? null, author, at }
}

/** Context of a need's view: what the need itself does not hold. */
type NeedFacts = Pick<NeedView, 'late' | 'link' | 'again'>

export function renderNeed(need: Need, { late, link, again }: NeedFacts): NeedView {
  const { workspace, name, at, conversation } = need
  const run = 'run' in need ? need.run : null
  const own = {
    name,
    workspace,
    kind: need.kind,
    at,
    late,
    link,
    title: conversation?.title ?? run?.title ?? '',
    conversationId: conversation?.id ?? null,
    text: '',
    question: null,
    memory: null,
    runId: null,
    again,
  }
  switch (need.kind) {
    case 'question': {
      const { question } = need
      const { text, runId } = question
      const kind = question.approval === true ? 'approval' : 'question'
      return { ...own, kind, text, question: renderQuestion(question, () => false, true), runId }
    }
    case 'proposal':
      return { ...own, text: need.proposal.text, memory: memoryName(need.proposal) }
    case 'paused':
    case 'failed': {
      const { id, error, result, title } = need.run
      return { ...own, text: plainLine(error ?? result ?? title), runId: id }
    }
    case 'unreadable':
      return { ...own, conversationId: need.conversationId }
    default:
      return assertNever(need)
  }
}

/** Links of a conversation that may be followed (S2, S21). */
export const linksOf = (messages: readonly Message[], linkHosts: readonly string[]): MayLink =>
  linksAmong(addressesKnown(messages), linkHosts)

export function renderSchedule(schedule: Schedule, now: number, locale: string): ScheduleView {
  const {
    mode = 'safe',
    strategy = null,
    quiet = false,
    place,
    nextAt,
    lastAt,
    paused,
    remindAt,
  } = schedule
  const { timeZone, conversationId } = place
  return ScheduleView.parse({
    ...schedule,
    mode,
    strategy,
    quiet,
    timeZone,
    conversationId,
    rule: ruleInWords(schedule, { locale }),
    next: nextAt === null ? [] : nextSlots(schedule, Math.max(now, lastAt ?? 0), 3),
    clockRule: clockRule(timeZone, now, locale),
    remindAt: paused ? null : remindAt,
    took: pastInWords(schedule, locale),
  })
}

/** View of a to-do. `timeZone` is that of rows that do not say whether a day alone was meant. */
export const renderTodo = (todo: Todo, timeZone: string): TodoView =>
  TodoView.parse({
    ...todo,
    dueDay: dueDayOf(todo, timeZone),
    reminded: todo.remindAt !== null && todo.reminded === todo.remindAt,
  })

/** First lines of reports, by what stands before and behind the task's title. */
const heads = [texts('en'), texts('zh')].flatMap(({ core }) =>
  [core.succeeded, core.failed, core.givenUp].map((report) =>
    (report('\0', '').split('\n', 1)[0] ?? '').split('\0'),
  ),
)
const isHead = (line: string) =>
  /^#{1,6} /.test(line) ||
  heads.some(([before = '', after = '']) => line.startsWith(before) && line.endsWith(after))
const isRule = (line: string) => /^[\s|:-]+$/.test(line) && line.includes('--')

/** First words of a message's text that are neither its title nor a rule, as one line. */
export function previewOf(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n')
  const said = [first, ...rest].filter((line, at) => !isRule(line) && !(at === 0 && isHead(line)))
  return plainLine(said.some((line) => line.trim() !== '') ? said.join('\n') : text)
}

/** Start of a Markdown text as one line without its marks. */
export function plainLine(text: string): string {
  const line = text
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/^(?:#{1,6}|>+|[-*+]) +|```[^\n]*|\|/gm, ' ')
    .replaceAll(/[*`~]+/g, '')
    .replaceAll(/\w+/g, (word) => withoutEnding(word.replace(/^_+/, ''), '_'))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return Array.from(withInstants(line.slice(0, 400), namedInstant))
    .slice(0, limits.excerpt)
    .join('')
}
