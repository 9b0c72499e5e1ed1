import { createHash } from 'node:crypto'
import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { assertNever } from '../../agent/domain/assert.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { cut } from '../../agent/domain/cut.ts'
import type { ServiceAnswer, ServiceQuestion } from '../../agent/domain/service-question.ts'
import type { Texts } from '../../locales/texts.ts'

export type Elicitation = ElicitRequestFormParams | ElicitRequestURLParams

/** Next step of an elicitation: a question for the person, or the reply for the server. */
export type NextStep = { asks: ServiceQuestion } | { reply: ElicitResult }

interface Asking {
  server: string
  /** Name of the elicitation within its call. */
  key: string
  answers: readonly ServiceAnswer[]
  words: Texts['core']['service']
}

/** Most fields of a form; one question is asked for each. */
const fieldsMost = 12
const lengths = { message: 2_000, about: 500, label: 100 }

/** Returns the same name for the same question again. */
export const keyOf = (asked: Elicitation): string => {
  const { message } = asked
  const what = 'requestedSchema' in asked ? asked.requestedSchema : asked.url
  return createHash('sha256')
    .update(JSON.stringify([message, what]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * Asks for one field after the other until the form is full (C850). The server's words are cut and
 * cleaned; a form that asks for a secret is declined, as the protocol forbids it (C855).
 */
export function nextStep(asked: Elicitation, asking: Asking): NextStep {
  const { answers, key } = asking
  const own = answers.filter((one) => one.key === key || one.key.startsWith(`${key}:`))
  if (own.some(({ kind }) => kind === 'declined')) return { reply: { action: 'decline' } }
  if (own.some(({ kind }) => kind === 'dismissed')) return { reply: { action: 'cancel' } }
  if (!('requestedSchema' in asked)) return pageStep(asked, asking)
  const fields = fieldsOf(asked)
  if (wantsSecret(fields)) return { reply: { action: 'decline' } }
  if (fields.length > fieldsMost) return { reply: { action: 'cancel' } }
  return fields.length === 0 ? consentStep(asked, asking) : formStep(asked, fields, asking)
}

const messageOf = ({ message }: Elicitation) => cut(cleanText(message), lengths.message)

const last = (answers: readonly ServiceAnswer[], key: string) =>
  answers.findLast((one) => one.key === key)

/** C854: the link is handed to the person alone, who opens it or does not. */
function pageStep(
  asked: ElicitRequestURLParams,
  { key, server, answers, words }: Asking,
): NextStep {
  if (!isWebAddress(asked.url)) return { reply: { action: 'decline' } }
  if (last(answers, key)?.choice === 0) return { reply: { action: 'accept' } }
  const text = messageOf(asked)
  return {
    asks: { key, server, text, choices: [words.opened], alone: true, link: asked.url },
  }
}

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** A form without fields asks only for a yes. */
function consentStep(asked: Elicitation, { key, server, answers, words }: Asking): NextStep {
  if (last(answers, key)?.choice === 0) return { reply: { action: 'accept', content: {} } }
  const text = messageOf(asked)
  return { asks: { key, server, text, choices: [words.yes], alone: isPersonal([text]) } }
}

function formStep(
  asked: ElicitRequestFormParams,
  fields: readonly Field[],
  { key, server, answers, words }: Asking,
): NextStep {
  const alone = isPersonal([asked.message, ...fields.flatMap(wordsOf)])
  const content: Content = {}
  for (const [index, field] of fields.entries()) {
    const own = `${key}:${index}`
    const given = last(answers, own)
    const read = given === undefined ? null : readValue(field, given, words)
    if (read === null || 'problem' in read) {
      const label = words.field(field.label, index + 1, fields.length)
      const again = read === null ? [] : [words.again(read.problem)]
      const text = [messageOf(asked), label, field.about, ...again]
      const choices = choicesOf(field, words)
      const shown = text.filter((one) => one !== '').join('\n\n')
      return { asks: { key: own, server, text: shown, choices, alone } }
    }
    if (read.value !== undefined) content[field.name] = read.value
  }
  return { reply: { action: 'accept', content } }
}

type Value = string | number | boolean | string[]
type Content = Record<string, Value>

interface Field {
  name: string
  label: string
  /** Description, and the options where several may be taken. */
  about: string
  kind: 'option' | 'options' | 'boolean' | 'number' | 'text'
  options: readonly { value: string; label: string }[]
  isRequired: boolean
  schema: Record<string, unknown>
}

function fieldsOf({ requestedSchema }: ElicitRequestFormParams): Field[] {
  const { properties, required = [] } = requestedSchema
  return Object.entries(properties).map(([name, schema]) => {
    const one: Record<string, unknown> = { ...schema }
    const options = optionsOf(one)
    const kind = kindOf(one, options.length > 0)
    const text = (value: unknown, most: number) =>
      typeof value === 'string' ? cut(cleanText(value), most) : ''
    const listed = kind === 'options' ? options.map(({ label }) => `- ${label}`) : []
    return {
      name,
      label: text(one.title, lengths.label) || text(name, lengths.label),
      about: [text(one.description, lengths.about), ...listed].join('\n').trim(),
      kind,
      options,
      isRequired: required.includes(name),
      schema: one,
    }
  })
}

function kindOf({ type }: Record<string, unknown>, hasOptions: boolean): Field['kind'] {
  if (type === 'array') return 'options'
  if (hasOptions) return 'option'
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'text'
}

/** Options of a field, as the protocol's revisions spell them. */
function optionsOf(schema: Record<string, unknown>): Field['options'] {
  const { enumNames, items } = schema
  if (isRecord(items)) return optionsOf(items)
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray) ?? []
  if (titled.length > 0)
    return titled.flatMap((one: unknown) =>
      isRecord(one) && typeof one.const === 'string'
        ? [{ value: one.const, label: labelOf(one.title, one.const) }]
        : [],
    )
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : []
  const names: unknown[] = Array.isArray(enumNames) ? enumNames : []
  return values.flatMap((value, index) =>
    typeof value === 'string' ? [{ value, label: labelOf(names[index], value) }] : [],
  )
}

const labelOf = (title: unknown, value: string) =>
  cut(cleanText(typeof title === 'string' && title !== '' ? title : value), lengths.label)

function choicesOf({ kind, options, isRequired }: Field, words: Asking['words']): string[] {
  const own = {
    option: options.map(({ label }) => label),
    boolean: [words.yes, words.no],
    options: [],
    number: [],
    text: [],
  }[kind]
  return isRequired ? own : [...own, words.skip]
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Reads the answer to a field; `undefined`: it is left blank. */
function readValue(
  field: Field,
  { text, choice }: ServiceAnswer,
  words: Asking['words'],
): { value: Value | undefined } | { problem: string } {
  const choices = choicesOf(field, words)
  const at = choice === -1 ? choices.findIndex((one) => same(one, text)) : choice
  if (!field.isRequired && at === choices.length - 1) return { value: undefined }
  const value = typedValue(field, at, text)
  if (value === null) return { problem: choices.join(', ') || text }
  const { valid, errorMessage = '' } = validator.getValidator(field.schema)(value)
  return valid ? { value } : { problem: errorMessage }
}

const validator = new AjvJsonSchemaValidator()

function typedValue({ kind, options }: Field, at: number, text: string): Value | null {
  switch (kind) {
    case 'option':
      return options[at]?.value ?? options.find(({ value }) => same(value, text))?.value ?? null
    case 'boolean':
      return at === 0 || at === 1 ? at === 0 : null
    case 'options':
      return manyOf(options, text)
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text)
    case 'text':
      return text.trim()
    default:
      return assertNever(kind)
  }
}

function manyOf(options: Field['options'], text: string): string[] | null {
  const said = text.split(/[,，、;；\n]/u).filter((one) => one.trim() !== '')
  const found = said.map((one) =>
    options.find(({ value, label }) => same(label, one) || same(value, one)),
  )
  const values = found.flatMap((one) => one?.value ?? [])
  return values.length === said.length ? values : null
}

const wordsOf = ({ name, label, about, schema }: Field): string[] => [
  name.replaceAll(/[A-Z]/g, ' $&'),
  label,
  about,
  schema.format === 'email' ? 'email' : '',
]

const list = (text: string) => text.split('|')

/**
 * Words for what belongs to one person, in either language; a needless one only makes it private.
 */
const personal = [
  ...list(
    'email|e mail|phone|mobile|address|birth|birthday|surname|first name|last name|full name',
  ),
  ...list('your name|passport|national id|tax id|iban|bank|card|salary|income|health|medical'),
  ...list('gender|age|religion|邮箱|电话|手机|地址|住址|生日|出生|姓名|身份证|护照|银行|卡号'),
  ...list('工资|收入|健康|性别|年龄'),
]

/** Words for what opens something, which the protocol forbids to ask for in a form. */
const secret = [
  ...list('password|passphrase|passcode|secret|api key|apikey|access token|private key|pin|cvv'),
  ...list('cvc|otp|密码|口令|密钥|令牌|验证码'),
]

/** True if a text holds one of the words: Latin ones whole, Chinese ones anywhere. */
function holds(text: string, words: readonly string[]): boolean {
  const plain = ` ${text.toLowerCase().replaceAll(/[^a-z0-9\p{Script=Han}]/gu, ' ')} `
  return words.some((word) => plain.includes(/^[a-z]/.test(word) ? ` ${word} ` : word))
}

const isPersonal = (texts: readonly string[]) => texts.some((one) => holds(one, personal))

const wantsSecret = (fields: readonly Field[]) =>
  fields.some((field) =>
    wordsOf(field)
      .slice(0, 2)
      .some((one) => holds(one, secret)),
  )
