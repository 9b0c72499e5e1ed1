import { assertNever } from '../../agent/domain/assert.ts'
import type { DeliveryBody } from '../../agent/domain/delivery.ts'
import type { Offer } from '../../agent/domain/message.ts'
import type { AnsweredQuestion, Question } from '../../agent/domain/question.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { defang, type MayLink, withoutMentions } from '../safety.ts'
import { shortened, splitMarkdown } from '../text.ts'
import { actions, type Block, button, context, fallback, markdown, type Post, section } from './blocks.ts'
import { limits } from './limits.ts'
import { escapeText } from './mrkdwn.ts'

/**
 * Buttons carry an action and the id of what it is about, nothing else: what a choice says and whether it is still open
 * is looked up when it is pressed, so that an old button can do nothing but be told.
 */
export const actionIds = {
  answer: (index: number) => `clew:answer:${index}`,
  cancel: 'clew:cancel',
  continue: 'clew:continue',
  retry: 'clew:retry',
  /** On the Home tab: the place of the button keeps it apart from others; its value is the command. */
  command: (place: string) => `clew:command:${place}`,
  zone: 'clew:zone',
  /** The one button that carries words: the command that pressing it says. */
  offer: (index: number) => `clew:offer:${index}`,
} as const

export interface RenderContext {
  locale: string
  mayLink: MayLink
}

/** What a delivery is posted as, in order; never empty. Receipts are no posts and are done elsewhere. */
export function renderPosts(body: PostedBody, { locale, mayLink }: RenderContext): Post[] {
  const words = texts(locale)
  switch (body.kind) {
    case 'message':
      return withOffers(renderMarkdown(body.text, mayLink), body.offers ?? [])
    case 'private':
      return renderMarkdown(body.text, mayLink)
    case 'final':
      return renderReport(body, words, mayLink)
    case 'question':
      return [renderQuestion(body.question, words, mayLink)]
    case 'answered':
      return [renderAnswered(body.answered, { locale, mayLink })]
    default:
      return assertNever(body)
  }
}

export type PostedBody = Exclude<DeliveryBody, { kind: 'receipt' }>

/** Safe Markdown in as many messages as it needs (R152, S1, S2). */
export function renderMarkdown(text: string, mayLink: MayLink): Post[] {
  const safe = withoutMentions(defang(text, mayLink))
  const parts = splitMarkdown(safe, limits.markdownCharacters)
  return (parts.length === 0 ? ['…'] : parts).map((part) => ({ text: fallback(part), blocks: [markdown(part)] }))
}

/** Buttons under the last part. */
function withOffers(posts: Post[], offers: readonly Offer[]): Post[] {
  const last = posts.at(-1)
  if (last === undefined || offers.length === 0) return posts
  const buttons = offers.map(({ label, command }, index) => button(actionIds.offer(index), command, label))
  return [...posts.slice(0, -1), { ...last, blocks: [...last.blocks, actions(buttons)] }]
}

/** When Slack refuses the blocks of a delivery, its words still arrive. */
export function renderPlain(posts: readonly Post[]): Post[] {
  const text = posts
    .flatMap(({ text: short, blocks }) => {
      const written = blocks.flatMap((block) => (block.type === 'markdown' ? [block.text] : []))
      return written.length > 0 ? written : [short]
    })
    .join('\n\n')
  return splitMarkdown(escapeText(text), limits.plainCharacters).map((part) => ({ text: part, blocks: [] }))
}

function renderReport(body: Extract<PostedBody, { kind: 'final' }>, words: Texts, mayLink: MayLink): Post[] {
  const posts = renderMarkdown(body.text, mayLink)
  const last = posts.at(-1)
  if (last === undefined || body.status === undefined || body.status === 'succeeded') return posts
  const { slack } = words
  const buttons = actions([button(actionIds.retry, body.runId, slack.retry, 'primary')])
  const more: Block[] = [context(escapeText(slack.runId(body.runId))), buttons]
  return [...posts.slice(0, -1), { ...last, blocks: [...last.blocks, ...more] }]
}

function renderQuestion(question: Question, { slack }: Texts, mayLink: MayLink): Post {
  const [text = '…'] = splitMarkdown(withoutMentions(defang(question.text, mayLink)), limits.markdownCharacters)
  const owner = question.askedOf
  const who =
    question.approval === true ? slack.approvers(owner) : owner === null ? slack.askedOfNobody : slack.askedOf(owner)
  const choices = question.choices.map((choice, index) => button(actionIds.answer(index), question.id, choice))
  const blocks = [
    markdown(text),
    ...(choices.length === 0 ? [] : [actions(choices)]),
    context(escapeText(defang(who, mayLink))),
  ]
  return { text: fallback(text), blocks }
}

/** The question as it stands once it is answered: nothing left to press. */
export function renderAnswered(answered: AnsweredQuestion, { locale, mayLink }: RenderContext): Post {
  const { slack } = texts(locale)
  const { question, author, answer } = answered
  const [text = '…'] = splitMarkdown(withoutMentions(defang(question.text, mayLink)), limits.markdownCharacters)
  const plain = (given: string) => starless(shortened(defang(given, mayLink), 500))
  const line = slack.chose(plain(author.name), plain(answer))
  return { text: fallback(line), blocks: [markdown(text), section(line)] }
}

/** Inside bold letters no text may end them. */
const starless = (text: string): string => escapeText(text).replaceAll(/[*\n]/g, ' ')
