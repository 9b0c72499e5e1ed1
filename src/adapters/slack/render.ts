import type { ContextActionsBlock } from '@slack/types'
import { codeBlock } from '../../agent/code-block.ts'
import { assertNever } from '../../agent/domain/assert.ts'
import type { DeliveryBody } from '../../agent/domain/delivery.ts'
import type { OpinionAsked } from '../../agent/domain/feedback.ts'
import { feedbackReasons } from '../../agent/domain/feedback-reasons.ts'
import type { Offer } from '../../agent/domain/message.ts'
import type { AnsweredQuestion, Question } from '../../agent/domain/question.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { answerLine } from '../channel-kit/answer-line.ts'
import { hasInstant, namedInstant, withInstants } from '../instants.ts'
import { defang, type MayLink } from '../safety.ts'
import { shortened, splitMarkdown } from '../text.ts'
import {
  actions,
  type Block,
  type Button,
  button,
  context,
  fallback,
  markdown,
  type Part,
  section,
} from './blocks.ts'
import { limits } from './limits.ts'
import { escapeText, inMrkdwn } from './markdown.ts'
import { type MarkdownPart, partsOf, writtenIn } from './markdown-blocks.ts'

/**
 * Ids of buttons. A button carries only an action and the id of its subject. The rest is looked up
 * at each press, so an old button can only lead to an explanation.
 */
export const actionIds = {
  answer: (index: number) => `clew:answer:${index}`,
  cancel: 'clew:cancel',
  continue: 'clew:continue',
  retry: 'clew:retry',
  /** Home tab button; its value is the command. `place` makes its id unique. */
  command: (place: string) => `clew:command:${place}`,
  zone: 'clew:zone',
  /**
   * Forms: an answer in own words, a call edited before approval, a new schedule (C183 to C185).
   */
  words: 'clew:words',
  edit: 'clew:edit',
  schedule: 'clew:schedule',
  /** Form about a picked message (C303). */
  picked: 'clew:picked',
  feedback: 'clew:feedback',
  reason: (index: number) => `clew:feedback:${index}`,
  /** Form for what was wrong with a report (C730). */
  why: 'clew:why',
  /** Form for what would have been right (C732). */
  keep: 'clew:keep',
  /** Only button that carries words: the command that it gives. */
  offer: (index: number) => `clew:offer:${index}`,
  /** The same below a message that only one person sees (C286). */
  privateOffer: (index: number) => `clew:private:${index}`,
} as const

export interface RenderContext {
  locale: string
  /** True in direct messages, where nobody else can answer. */
  inPrivate?: boolean
  mayLink: MayLink
}

/**
 * Renders a delivery as at least one message. Receipts are not messages and are handled elsewhere.
 */
export function renderParts(
  body: PostedBody,
  { locale, mayLink, inPrivate = false }: RenderContext,
): Part[] {
  const words = texts(locale)
  switch (body.kind) {
    case 'message':
    case 'decided':
      return withOffers(renderMarkdown(body.text, mayLink), body.offers ?? [])
    case 'private': {
      const posts = renderMarkdown(body.text, mayLink)
      const { offers = [], asks } = body
      if (asks !== undefined) return withButtons(posts, opinionButtons(asks, words))
      return withOffers(posts, offers, actionIds.privateOffer)
    }
    case 'final':
      return renderReport(body, words, mayLink)
    case 'question':
      return renderQuestion(body.question, hintOf(body.question, words, inPrivate), mayLink, words)
    case 'answered':
      return [renderAnswered(body.answered, { locale, mayLink })]
    case 'closed':
      return [closedAs(body.question, words.slack.unanswered[body.status], mayLink)]
    default:
      return assertNever(body)
  }
}

export type PostedBody = Exclude<DeliveryBody, { kind: 'receipt' | 'withdrawn' }>

/** Splits sanitized Markdown into as many messages as it needs (R152, S1, S2). */
export function renderMarkdown(text: string, mayLink: MayLink): Part[] {
  return shownParts(text, mayLink).map(postOf)
}

/** Parts of a text; of a blank one a part that stands for it. */
function shownParts(text: string, mayLink: MayLink): MarkdownPart[] {
  const parts = partsOf(text, mayLink)
  return parts.length === 0 ? [{ text: '…', blocks: [markdown('…')] }] : parts
}

/**
 * C138: uses a section for a text with times if the text is plain enough, since `markdown` blocks
 * cannot show times in the reader's zone.
 */
function postOf({ text: part, blocks }: MarkdownPart): Part {
  if (!hasInstant(part) || blocks.some(({ type }) => type === 'rich_text'))
    return { text: fallback(part), blocks }
  const named = withInstants(part, namedInstant)
  const dated = named.length > limits.fallbackCharacters ? null : inMrkdwn(part)
  const sections = splitMarkdown(dated ?? '', limits.sectionCharacters).map(section)
  return { text: fallback(part), blocks: sections.length === 0 ? [markdown(named)] : sections }
}

/** Adds buttons below the last part. Of a command too long for a button the words are typed. */
export function withOffers(
  posts: Part[],
  offers: readonly Offer[],
  idOf: (index: number) => string = actionIds.offer,
): Part[] {
  const buttons = offers
    .filter(({ command }) => command.length <= limits.valueCharacters)
    .map(({ label, command }, index) => button(idOf(index), command, label))
  return withButtons(posts, buttons)
}

function withButtons(posts: Part[], buttons: readonly Button[]): Part[] {
  return buttons.length === 0 ? posts : withBelow(posts, [actions([...buttons])])
}

/** Puts blocks below the last message. */
const withBelow = (posts: readonly Part[], below: readonly Block[]): Part[] =>
  posts.map((post, index) =>
    index < posts.length - 1 ? post : { ...post, blocks: [...post.blocks, ...below] },
  )

/** C730, C732: buttons for the reason of a 👎, or to keep the run as a test. */
function opinionButtons({ about, runId }: OpinionAsked, { core }: Texts): Button[] {
  if (about === 'test') return [button(actionIds.keep, runId, core.test.keep)]
  const reasons = feedbackReasons.map((reason, index) =>
    button(actionIds.reason(index), `${reason}:${runId}`, core.feedbackReasons[reason]),
  )
  return [...reasons, button(actionIds.why, runId, core.feedbackOwn)]
}

/** Adds a mention of the recipient, the only mention that Clew itself makes (C82, S1). */
export function withCall([first, ...rest]: readonly Part[], person: string | null): Part[] {
  if (first === undefined) return []
  // The asker may be an app, which cannot be mentioned (C397).
  const isPerson = person !== null && /^[UW]/.test(person)
  const blocks = isPerson ? [section(`<@${person}>`), ...first.blocks] : first.blocks
  return [{ ...first, blocks }, ...rest]
}

/** Errors about blocks, or about the attachments that Slack makes of their tables. */
const badBlocks = [
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'too_many_attachments',
  'attachment_payload_limit_exceeded',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
]

/** True for a refusal of a message's form, after which it goes as plain text. */
export const isAboutBlocks = (sent: Sent): boolean =>
  sent.kind === 'refused' && badBlocks.includes(sent.reason)

/** Renders a delivery as plain text, for when Slack refuses its blocks. */
export function renderPlain(posts: readonly Part[]): Part[] {
  const text = posts
    .flatMap(({ text: short, blocks }) => {
      const written = blocks.flatMap(writtenIn)
      return written.length > 0 ? written : [short]
    })
    .join('\n\n')
  return splitMarkdown(escapeText(text), limits.plainCharacters).map((part) => ({
    text: part,
    blocks: [],
  }))
}

function renderReport(
  body: Extract<PostedBody, { kind: 'final' }>,
  words: Texts,
  mayLink: MayLink,
): Part[] {
  // A notification is read outside its thread.
  const [whole] = renderMarkdown(body.text, mayLink)
  const [first, ...rest] = renderMarkdown(body.brief ?? body.text, mayLink)
  const posts = first === undefined ? [] : [{ ...first, text: whole?.text ?? first.text }, ...rest]
  if (body.status === undefined) return posts
  const { slack } = words
  // A canceled task has no report to rate.
  const opinion = body.status === 'canceled' ? [] : [feedback(body.runId, slack)]
  const again =
    body.status === 'succeeded'
      ? []
      : [actions([button(actionIds.retry, body.runId, slack.retry, 'primary')])]
  return withBelow(posts, [...again, ...opinion])
}

/** C182: Slack's own feedback buttons. */
const feedback = (runId: string, { helpful, unhelpful }: Texts['slack']): ContextActionsBlock => {
  const one = (value: string, sign: string, accessibility_label: string) => ({
    text: { type: 'plain_text' as const, text: sign },
    value: `${value}:${runId}`,
    accessibility_label,
  })
  const [positive_button, negative_button] = [
    one('good', '👍', helpful),
    one('bad', '👎', unhelpful),
  ]
  const buttons = {
    type: 'feedback_buttons' as const,
    action_id: actionIds.feedback,
    positive_button,
    negative_button,
  }
  return { type: 'context_actions', elements: [buttons] }
}

/** C87: returns a hint about who may answer and how. */
function hintOf(
  { askedOf, approval, ownerOnly, choices, service }: Question,
  { slack, core }: Texts,
  inPrivate: boolean,
): string {
  if (service !== undefined) return core.service.askerOnly(askedOf)
  if (approval === true || ownerOnly === true) return slack.approvers(askedOf)
  if (choices.length === 0) return slack.justReply
  if (inPrivate) return slack.inPrivate
  return askedOf === null ? slack.askedOfNobody : slack.askedOf(askedOf)
}

/**
 * Button that opens a form: for an answer in own words, or for the input of a call that waits for
 * approval.
 */
function formOf({ id, approval, input }: Question, slack: Texts['slack']): Button[] {
  if (approval !== true) return [button(actionIds.words, id, slack.ownWords)]
  return input === undefined ? [] : [button(actionIds.edit, id, slack.editFirst)]
}

/** Renders a question in as many messages as it needs, with the choices below the last. */
function renderQuestion(
  question: Question,
  hint: string,
  mayLink: MayLink,
  { slack }: Texts,
): Part[] {
  const choices = question.choices.map((choice, index) =>
    button(actionIds.answer(index), question.id, choice),
  )
  choices.push(...formOf(question, slack))
  // Choices too long for their button are listed above it, by the number that also answers (C79).
  const cut = question.choices.some((choice) => choice.length > limits.buttonCharacters)
  const list = question.choices.map(
    (choice, index) => `${index + 1}. ${shortened(choice, limits.choiceCharacters)}`,
  )
  const whole = cut ? partsOf(list.join('\n'), mayLink).flatMap(({ blocks }) => blocks) : []
  const below = [
    ...whole,
    ...inRows(choices).map(actions),
    context(escapeText(defang(hint, mayLink))),
  ]
  const posts = shownParts(question.text, mayLink).map((part) => ({
    text: fallback(part.text),
    blocks: part.blocks,
  }))
  return withBelow(posts, below)
}

/** C337: splits buttons into as many blocks as needed. */
const inRows = (buttons: readonly Button[]): Button[][] =>
  Array.from({ length: Math.ceil(buttons.length / limits.actionsPerBlock) }, (_, row) =>
    buttons.slice(row * limits.actionsPerBlock, (row + 1) * limits.actionsPerBlock),
  )

/** Renders an answered question, without buttons. */
export function renderAnswered(
  answered: AnsweredQuestion,
  { locale, mayLink }: RenderContext,
): Part {
  const words = texts(locale)
  const { slack, core } = words
  const { question, author, answer, edited } = answered
  const plain = (given: string) => starless(shortened(defang(given, mayLink), 500))
  const name = plain(author.name)
  if (edited === undefined)
    return closedAs(question, answerLine(answered, { name, answer: plain(answer) }, words), mayLink)
  const post = closedAs(question, slack.changed(name), mayLink)
  return { ...post, blocks: [...post.blocks, markdown(codeBlock(edited, core.approval.notShown))] }
}

function closedAs(question: Question, line: string, mayLink: MayLink): Part {
  const asked = shownParts(question.text, mayLink).at(-1)?.blocks ?? []
  return { text: line, blocks: [...asked, section(line)] }
}

/** Escapes a text for use in bold, so that it cannot end the bold part. */
const starless = (text: string) => escapeText(text).replaceAll(/[*\n]/g, ' ')
