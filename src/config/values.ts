import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { isTimeZone } from '../agent/domain/zone.ts'
import { approvals } from '../agent/ports/tool.ts'

/* How the values of settings are written, and what they are read as. A message says what is wrong with a value. */

export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .transform((text) => text === '1' || text === 'true')

export const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `is less than ${least}`).max(most, `is more than ${most}`))

export const workers = z
  .string()
  .regex(/^(?:auto|[1-9]|[1-5]\d|6[0-4])$/, 'is neither a number of workers from 1 to 64 nor auto')
  .transform((text) => (text === 'auto' ? text : Number(text)))

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
)

export const optional = z.string().trim().min(1).optional()

export const url = z.url('is not a URL').optional()

export const zone = z.string().refine(isTimeZone, 'is not a time zone such as Europe/Lisbon')

/** From 0, nothing, to 1, all. */
export const part = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is not a number from 0 to 1')
  .transform(Number)

/**
 * `name=value,name=value`, as OpenTelemetry's own settings are written; a value may be
 * percent-encoded.
 */
export const pairs = z
  .string()
  .regex(/^\s*[^\s=,]+=[^,]*(,\s*[^\s=,]+=[^,]*)*$/, 'is not a list such as name=value,other=value')
  .transform((text, context) => {
    try {
      return Object.fromEntries(
        text.split(',').map((pair) => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
        }),
      )
    } catch {
      context.addIssue('has a % that does not begin a character such as %20')
      return z.NEVER
    }
  })

export const hours = z
  .string()
  .regex(/^([01]?\d|2[0-3])-([01]?\d|2[0-4])$/, 'is not two hours such as 9-18')
  .transform((text) => text.split('-').map(Number) as [number, number])

/** `1/3`: the second of three. */
export const share = z
  .string()
  .regex(/^\d{1,3}\/[1-9]\d{0,2}$/, 'is not a share such as 0/2')
  .transform((text) => {
    const [index = 0, of = 1] = text.split('/').map(Number)
    return { index, of }
  })
  .refine(({ index, of }) => index < of, 'counts from 0: the last of two is 1/2')

export const amount = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'is not an amount such as 0.5')
  .transform(Number)
  .pipe(z.number().positive('is not more than 0'))

/** `name=value`, with commas. */
function named<T>(name: RegExp, value: RegExp, wrong: string, read: (value: string) => T) {
  const pairs = (text: string) => text.split(',').map((part) => part.trim().split('='))
  const isRight = ([key = '', given = '', ...more]: string[]) =>
    more.length === 0 && name.test(key) && value.test(given)
  return z
    .string()
    .refine((text) => pairs(text).every(isRight), wrong)
    .transform((text) =>
      Object.fromEntries(pairs(text).map(([key = '', given = '']) => [key, read(given)])),
    )
}

/** `name=prompt/completion` or `name=prompt/completion/cached`: what a million tokens cost. */
export const prices = named(
  /^[^\s=]+$/,
  /^\d+(\.\d+)?(\/\d+(\.\d+)?){1,2}$/,
  'is not a list such as gpt-5-mini=0.25/2 or gpt-5-mini=0.25/2/0.025',
  (amounts) => {
    const [prompt = 0, completion = 0, cached] = amounts.split('/').map(Number)
    return { prompt, completion, cached }
  },
)

/** ISO 4217. */
export const currency = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine(
    (code) => Intl.supportedValuesOf('currency').includes(code),
    'is not the code of a currency, such as USD or EUR',
  )

/** `name=tokens`: how much a model takes at once. */
export const windows = named(
  /^[^\s=]+$/,
  /^\d{4,8}$/,
  'is not a list such as qwen3:8b=32768',
  Number,
)

/** `tool=policy`. */
export const approvalList = named(
  /^[\w.-]+$/,
  new RegExp(`^(?:${approvals.join('|')})$`),
  'is not a list such as todo=first,schedule=always',
  (policy) => z.enum(approvals).parse(policy),
)

const answersTo = z.enum(['auto', 'mention'])

/** `auto` or `mention`, and what holds in single channels instead: `auto,C123=mention` (C154). */
export const answers = z
  .string()
  .regex(
    /^\s*(auto|mention)(\s*,\s*[\w-]+=(auto|mention))*\s*$/,
    'is not auto or mention, with channels such as auto,C123=mention',
  )
  .transform((text) => {
    const [[usual] = [], ...channels] = text.split(',').map((one) => one.trim().split('='))
    const read = ([id = '', value]: string[]) => [id, answersTo.parse(value)] as const
    return { usual: answersTo.parse(usual), channels: Object.fromEntries(channels.map(read)) }
  })

/**
 * Paths with commas, each with a name before it (`docs=../handbook`) or named after its last part.
 */
export const folders = list
  .transform((entries) =>
    entries.map((entry) => {
      const [, name, path = ''] = /^(?:([\w.-]+)=)?(.*)$/.exec(entry) ?? []
      return { name: name ?? basename(resolve(path)), path: resolve(path.trim()) }
    }),
  )
  .refine(
    (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
    'gives two folders one name',
  )
