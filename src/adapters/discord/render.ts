import { createHash } from 'node:crypto'
import { ButtonStyle, ComponentType, MessageFlags } from 'discord.js'
import { codeBlock } from '../../agent/code-block.ts'
import type { OpinionAsked } from '../../agent/domain/feedback.ts'
import { feedbackReasons } from '../../agent/domain/feedback-reasons.ts'
import type { Offer } from '../../agent/domain/message.ts'
import { present } from '../../agent/domain/present.ts'
import type { AnsweredQuestion, Question } from '../../agent/domain/question.ts'
import type { RunStatus } from '../../agent/domain/run.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import { answerLine } from '../channel-kit/answer-line.ts'
import { scheduleFields } from '../channel-kit/chosen-command.ts'
import { aroundCode, outsideCode } from '../code.ts'
import { isVisible, plainLabel } from '../plain-label.ts'
import type { MayLink } from '../safety.ts'
import { shortened, splitMarkdown } from '../text.ts'
import type { File } from './api.ts'
import { withCodeFiles } from './code-files.ts'
import { limits } from './limits.ts'
import { toDiscord } from './markdown.ts'

/** Message in the API's format. */
export interface Payload {
  content?: string
  components?: readonly Component[]
  flags: number
  allowed_mentions: { parse: never[]; users?: string[]; replied_user: false }
}
export type Component = { type: ComponentType; [key: string]: unknown }

export type Part = Payload & { files?: readonly File[] }

/** Mention settings that notify nobody, whatever the text says (S1). */
export const nobody: Payload['allowed_mentions'] = { parse: [], replied_user: false }

/** Builds a plain message without link previews (S2) and mentions. */
export function plain(content: string, components?: readonly Component[]): Payload {
  return {
    content,
    flags: MessageFlags.SuppressEmbeds,
    allowed_mentions: nobody,
    components,
  }
}

/** Builds a private answer to an interaction. */
export function whispered(content: string, components: readonly Component[] = []): Payload {
  return {
    ...plain(shortened(content, limits.contentCharacters)),
    flags: MessageFlags.SuppressEmbeds | MessageFlags.Ephemeral,
    components: components.length === 0 ? undefined : components,
  }
}

/** C730, C732: buttons for the reason of a 👎, or to keep the run as a test. */
export function opinionRow({ about, runId }: OpinionAsked, { core }: Texts): Component {
  const one = (action: Action, label: string) => button(idOf(action, runId), label)
  if (about === 'test') return row([one('keep', core.test.keep)])
  const reasons = feedbackReasons.map((reason) => one(reason, core.feedbackReasons[reason]))
  return row([...reasons, one('why', core.feedbackOwn)])
}

/** Splits a text into messages (R152). A very long text becomes its beginning and a file. */
export function renderText(
  text: string,
  locale: string,
  mayLink: MayLink,
  person: string | null = null,
): Part[] {
  const { discord } = texts(locale)
  const { text: words, files } = withCodeFiles(text, discord.codeFile)
  const shown = toDiscord(words, mayLink)
  const most = limits.contentCharacters - callOf(person).length
  const parts = splitMarkdown(shown, most)
  if (parts.length <= limits.textParts) {
    const [first = '…', ...rest] = parts
    const posts = [calling(plain(first), person), ...rest.map((part) => plain(part))]
    return files.length === 0 ? posts : withLast(posts, files)
  }
  const room = most - discord.wholeReport.length - 10
  const [first = ''] = splitMarkdown(shown, room)
  const file: File = { name: discord.reportName, data: Buffer.from(text), type: 'text/markdown' }
  const post = calling(plain(`${first}\n\n*${discord.wholeReport}*`), person)
  return [{ ...post, files: [file, ...files].slice(0, limits.filesOfMessage) }]
}

/**
 * Renders files as messages if attachments are not allowed: as much text as fits, and a note if
 * something is missing.
 */
export function renderFiles(files: readonly File[], locale: string): Part[] {
  const { discord } = texts(locale)
  return files.flatMap(({ name, data, type }) => {
    if (!type.startsWith('text/')) return [plain(discord.fileRefused(name))]
    // Code cannot show the marks that end it.
    const code = String(data).replaceAll('```', '``\u200b`')
    const text = type === 'text/markdown' ? code : `\`${name}\`:\n\`\`\`\n${code.trimEnd()}\n\`\`\``
    const parts = splitMarkdown(text, limits.contentCharacters)
    const shown = parts.slice(0, limits.fileParts)
    const isWhole = parts.length === shown.length
    return present([...shown, !isWhole && discord.fileRefused(name)]).map((part) => plain(part))
  })
}

const withLast = (posts: readonly Part[], files: readonly File[]): Part[] =>
  posts.map((post, index) => (index === posts.length - 1 ? { ...post, files } : post))

const callOf = (person: string | null) => (person === null ? '' : `<@${person}> `)

/** Adds a mention of the recipient, the only mention that Clew itself makes (C82, S1). */
const calling = (message: Payload, person: string | null): Payload =>
  person === null
    ? message
    : {
        ...message,
        content: callOf(person) + (message.content ?? ''),
        allowed_mentions: { ...nobody, users: [person] },
      }

/** Longest question, which leaves room for the hint and the answer. */
const questionRoom = limits.contentCharacters - 700

const partsOfQuestion = ({ text }: Question, mayLink: MayLink): string[] => {
  const parts = splitMarkdown(toDiscord(text, mayLink), questionRoom)
  return parts.length === 0 ? ['…'] : parts
}

/**
 * Ways to answer a question besides its buttons: any message, a reply, or a mention (C87, C339).
 */
export type Reach = 'everybody' | 'one' | 'reply' | 'mention'

/**
 * Renders a question in as many messages as it needs. The choices, as buttons or menus, and the
 * button for other words are below the last. `mention`: person that it asks; `reach`: how it can be
 * answered here (C87).
 */
export function renderQuestion(
  question: Question,
  options: {
    locale: string
    mention: string | null
    mayLink: MayLink
    reach?: Reach
  },
): Part[] {
  const { discord, core } = texts(options.locale)
  const isOpen = question.choices.length === 0
  const open = {
    everybody: isOpen ? discord.justReply : discord.anyone,
    one: isOpen ? discord.justReply : discord.inPrivate,
    reply: discord.byReply,
    mention: discord.byMention,
  }
  const isTheirs = question.approval === true || question.ownerOnly === true
  const theirs =
    question.service === undefined
      ? discord.approvers(question.askedOf)
      : core.service.askerOnly(question.askedOf)
  const hint = isTheirs ? theirs : open[options.reach ?? 'everybody']
  const parts = partsOfQuestion(question, options.mayLink)
  const file =
    question.whole === undefined
      ? []
      : [{ name: 'call.txt', data: Buffer.from(question.whole), type: 'text/plain' }]
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1
    const text = parts.length === 1 ? prominent(part) : part
    const message = isLast ? plain(`${text}\n-# ${hint}`, rowsOf(question, discord)) : plain(text)
    const called = index === 0 ? calling(message, options.mention) : message
    return isLast && file.length > 0 ? { ...called, files: file } : called
  })
}

/** Makes a short single line bold; other text keeps its own format. */
const prominent = (text: string) => (/^[^\n`*_]{1,300}$/.test(text) ? `**${text}**` : text)

function rowsOf(question: Question, discord: Texts['discord']): Component[] {
  const { choices, id } = question
  const words = button(idOf('words', id), discord.ownWords)
  const edit = question.input === undefined ? [] : [button(idOf('edit', id), discord.editFirst)]
  const asButtons =
    choices.length + edit.length < limits.buttonsPerRow &&
    choices.every((one) => one.length <= limits.buttonLabel)
  if (asButtons)
    return [
      row([
        ...choices.map((one, index) => button(idOf('choice', id, index), one, ButtonStyle.Primary)),
        ...edit,
        words,
      ]),
    ]
  const options = choices.map((one, index) => {
    const label = plainLabel(one, limits.optionLabel)
    const rest =
      one.length <= limits.optionLabel
        ? null
        : shortened(`…${one.slice(label.length - 1)}`, limits.optionLabel)
    return { label, value: String(index), description: rest ?? undefined }
  })
  // C337: choices are spread over as many menus as needed.
  const menus = Array.from({ length: Math.ceil(options.length / limits.choices) }, (_, at) => {
    const from = at * limits.choices
    const some = options.slice(from, from + limits.choices)
    const isOnly = options.length <= limits.choices
    return {
      type: ComponentType.StringSelect,
      custom_id: isOnly ? idOf('menu', id) : idOf('menu', id, at),
      placeholder: isOnly ? discord.pick : discord.pickFrom(from + 1, from + some.length),
      options: some,
    }
  })
  return [...menus.map((menu) => row([menu])), row([...edit, words])]
}

/** Renders an answered question: its text, and who chose what. */
export function renderAnswered(
  answered: AnsweredQuestion,
  locale: string,
  mayLink: MayLink,
): Payload {
  const words = texts(locale)
  const { discord, core } = words
  const { question, answer, author, edited } = answered
  // An edited call replaces the question.
  if (edited !== undefined)
    return plain(
      `${discord.changed(inline(author.name))}\n${codeBlock(edited, core.approval.notShown)}`,
      [],
    )
  const shown = { name: inline(author.name), answer: shortened(inline(answer), 500) }
  return renderClosed(question, answerLine(answered, shown, words), mayLink)
}

/** Renders a closed question with its outcome, without buttons. */
export function renderClosed(question: Question, line: string, mayLink: MayLink): Payload {
  const text = partsOfQuestion(question, mayLink).at(-1) ?? ''
  return plain(`${text}\n${toDiscord(line, mayLink)}`, [])
}

/** Builds a form field. `about` is shown below its label. */
const field = (
  custom_id: string,
  label: string,
  more: { about?: string; style?: 1 | 2; value?: string; required?: boolean } = {},
) => {
  const { about, style = 2, value, required = true } = more
  const input = {
    type: ComponentType.TextInput,
    custom_id,
    style,
    required,
    max_length: limits.modalText,
  }
  return {
    type: ComponentType.Label,
    label: shortened(label, limits.inputLabel),
    description: about === undefined ? undefined : shortened(about.replace(/\s+/g, ' '), 100),
    component: value === undefined ? input : { ...input, value },
  }
}

const modal = (custom_id: string, title: string, components: ReturnType<typeof field>[]) => ({
  custom_id,
  title: shortened(title, limits.modalTitle),
  components,
})

/** Builds the form for an answer in other words (C183). */
export const renderModal = (
  { id, text }: Pick<Question, 'id' | 'text'>,
  { discord: { form } }: Texts,
) => modal(idOf('modal', id), form.title, [field('answer', form.answer, { about: text })])

/** Builds the form that edits a call before its approval (C184). */
export const renderEdit = ({ id }: Pick<Question, 'id'>, call: string, { discord }: Texts) =>
  modal(idOf('edited', id), discord.editFirst, [
    field('answer', discord.form.call, { value: call }),
  ])

/** Builds the form about a picked message (C303). */
export const renderPicked = (id: string, { discord: { form } }: Texts) =>
  modal(idOf('picked', id), form.picked, [
    field('wish', form.wish, { about: form.ifBlank, required: false }),
  ])

/** Builds the form for what was wrong with a report (C730), or would have been right (C732). */
export const renderOpinion = (action: 'why' | 'keep', runId: string, { core, discord }: Texts) =>
  action === 'why'
    ? modal(idOf(action, runId), discord.form.title, [field('answer', core.feedbackForm)])
    : modal(idOf(action, runId), core.test.keep, [
        field('answer', core.test.right, { about: core.test.example }),
      ])

/** Builds the form for a new schedule (C185). */
export const renderSchedule = ({ discord: { form } }: Texts) =>
  modal(
    scheduleForm,
    form.newSchedule,
    scheduleFields.map((name) =>
      field(name, form[name], { about: form.example[name], style: name === 'when' ? 1 : 2 }),
    ),
  )

export const scheduleForm = 'schedule'

/**
 * C182: builds the row below a report: controls if the run did not succeed, and the feedback
 * buttons.
 */
export function belowReport(
  runId: string,
  status: RunStatus,
  controls: readonly Component[],
): Component[] {
  const sign = (action: 'good' | 'bad', label: string) => button(idOf(action, runId), label)
  // A canceled task has no report to rate.
  const signs = status === 'canceled' ? [] : [sign('good', '👍'), sign('bad', '👎')]
  return [row([...controls, ...signs])]
}

/**
 * Renders commands as buttons. A command too long for a button's id is dropped; people can still
 * type it.
 */
export function offersOf(offers: readonly Offer[], conversationId: string): Component[] {
  const named = offers.map(({ label, command }) => ({
    label,
    id: `offer:${conversationId}:${command}`,
  }))
  const fitting = named
    .filter(({ id }) => id.length <= limits.customId)
    .slice(0, limits.buttonsPerRow)
  return fitting.length === 0 ? [] : [row(fitting.map(({ label, id }) => button(id, label)))]
}

/** Marker in place of a conversation, for buttons in private messages (C286). */
export const alone = 'alone'

/** Parses such a button into its command and conversation. Returns `null` for other components. */
export function readOffer(customId: string): { id: string; command: string } | null {
  const [, id, command] = /^offer:([\w-]+):(\/.+)$/s.exec(customId) ?? []
  return id === undefined || command === undefined ? null : { id, command }
}

const actions = [
  ...(['choice', 'menu', 'words', 'modal', 'edit', 'edited', 'picked'] as const),
  ...(['cancel', 'continue', 'retry', 'good', 'bad', 'why', 'keep'] as const),
  ...feedbackReasons,
] as const
type Action = (typeof actions)[number]

/** Builds a component's opaque id, which belongs to exactly one question or run. */
export const idOf = (action: Action, id: string, index?: number) =>
  `${action}:${id}${index === undefined ? '' : `:${index}`}`

/** Parses such an id. Returns `null` if this release does not know it. */
export function readId(
  customId: string,
): { action: Action; id: string; index: number | null } | null {
  const [, name = '', id = '', index] =
    /^([a-z]+):([\w-]{1,80})(?::(\d{1,2}))?$/.exec(customId) ?? []
  const action = actions.find((one) => one === name)
  return action === undefined
    ? null
    : { action, id, index: index === undefined ? null : Number(index) }
}

export const row = (components: readonly Component[]): Component => ({
  type: ComponentType.ActionRow,
  components,
})
export const button = (
  custom_id: string,
  label: string,
  style: ButtonStyle = ButtonStyle.Secondary,
): Component => ({
  type: ComponentType.Button,
  custom_id,
  style,
  label: plainLabel(label, limits.buttonLabel),
})

/** Joins a text into one line and escapes its Markdown, except code. */
export const inline = (text: string) =>
  outsideCode(text.replace(/\n+/g, ' '), (words) =>
    words.replace(/\s+/g, ' ').replace(/([\\*_~`|>])/g, '\\$1'),
  ).trim()

/**
 * Strips formatting and mentions from a name and shows an emoji by its name, since Discord would
 * show them raw.
 */
const withoutMarks = (text: string) =>
  aroundCode(
    text,
    (words) =>
      words
        .replace(/<a?(:\w{1,32}:)\d{1,20}>/g, '$1')
        .replace(/<(?:#|@[!&]?)\d{1,20}>/g, '')
        .replace(/\*\*|__|~~|\|\||`/g, ''),
    (code) => code,
  )

/** Builds a thread's name. */
export const threadName = (title: string): string => {
  const line = withoutMarks(title).replace(/\s+/g, ' ').trim()
  return isVisible(line) ? shortened(line, limits.titleCharacters) : 'Clew'
}

/** Builds the nonce by which Discord recognizes a retry, at most 25 characters. */
export const nonceOf = (...parts: readonly (string | number)[]) =>
  createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, limits.nonceCharacters)
