import { texts } from '../../locales/texts.ts'
import { linesBlock } from '../code-block.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { inlineCode, plainText } from './command-line.ts'

/** Prompt that a server of the team offers, as a template of a task. */
export interface ServerPrompt {
  /** `server/prompt`. */
  readonly name: string
  readonly about: string
  readonly fields: readonly { name: string; isRequired: boolean }[]
}

/** Text of a prompt, or why there is none: the person has to sign in, or what the server said. */
export type FilledPrompt =
  | { text: string }
  | { problem: 'sign_in' | 'away' }
  | { problem: 'refused'; why: string }

export interface Prompts {
  /** Prompts that a channel is offered: those that its profile hides are left out (C673). */
  list(channel: string): readonly ServerPrompt[]
  /** Fills a prompt in, with the sign-in of the person where its server wants one. */
  fill(
    name: string,
    values: Readonly<Record<string, string>>,
    context: CommandContext,
  ): Promise<FilledPrompt>
}

/**
 * Longest text that one message shows whole, and a button holds, on every platform, in characters.
 */
const wholeMost = 1_400

/** Command line that fills in a prompt, with its fields. */
const lineOf = ({ name, fields }: ServerPrompt) =>
  [
    `/task template ${name}`,
    ...fields.map(({ name: field, isRequired }) => (isRequired ? `${field}=…` : `[${field}=…]`)),
  ].join(' ')

/** C927: lines about the prompts of servers. */
export function promptRows(prompts: readonly ServerPrompt[], locale: string): string[] {
  if (prompts.length === 0) return []
  const { title, row } = texts(locale).task.prompts
  return [
    `**${title}**`,
    ...prompts.map((one) => row(inlineCode(lineOf(one)), plainText(one.about))),
  ]
}

/**
 * C927: shows a prompt as it is filled in, with a button that begins the task: what a server wrote
 * becomes a person's words only once they have seen it.
 */
export async function filledPrompt(
  typed: string,
  context: CommandContext,
  prompts: Prompts | undefined,
): Promise<CommandResult> {
  const words = texts(context.locale).task.prompts
  const [name = ''] = typed.trim().split(/\s/, 1)
  const prompt = prompts?.list(context.channel).find((one) => one.name === name)
  const failed = (text: string) => ({ ok: false, text, private: true })
  if (prompts === undefined || prompt === undefined) return failed(words.unknown(inlineCode(name)))
  const values = valuesIn(typed.trim().slice(name.length).trim(), prompt)
  const missing = prompt.fields.filter((field) => field.isRequired && !values[field.name])
  if (missing.length > 0) return failed(words.missing(inlineCode(lineOf(prompt))))
  const filled = await prompts.fill(name, values, context)
  if ('why' in filled) return failed(words.failed(name, plainText(filled.why)))
  if ('problem' in filled) return failed(words.problems[filled.problem](name))
  const isShort = filled.text.length <= wholeMost
  const block = linesBlock(filled.text.slice(0, wholeMost).split('\n'))
  const text = [words.shown(name), block, ...(isShort ? [] : [words.long])].join('\n\n')
  const command = `/task ${words.goal(name, filled.text)}`
  const offers = isShort ? [{ label: words.begin, command }] : []
  return { ok: true, text, data: { text: filled.text }, private: true, offers }
}

/**
 * Values of fields in `topic=the offsite tone=kind`; words without a name are the first field's.
 */
function valuesIn(text: string, { fields }: ServerPrompt): Record<string, string> {
  const found = fields
    .map(({ name }) => ({ name, at: ` ${text}`.indexOf(` ${name}=`) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at)
  const [first] = fields
  if (found.length === 0 && first !== undefined) return text === '' ? {} : { [first.name]: text }
  const values = found.map(({ name, at }, index) => [
    name,
    text.slice(at + name.length + 1, found[index + 1]?.at).trim(),
  ])
  return Object.fromEntries(values)
}
