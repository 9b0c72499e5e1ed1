import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const schema: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/slack-blocks.schema.json'), 'utf8'),
)
const ajv = new Ajv.default({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(schema as object, 'slack')
const message = ajv.compile({ $ref: 'slack#/$defs/message_blocks' })
const modal = ajv.compile({ $ref: 'slack#/$defs/modal_view' })
const home = ajv.compile({ $ref: 'slack#/$defs/home_view' })

/** All blocks of a message together, as they are sent: what people found out, and Slack's manual does not say. */
const blocksMost = 13_200

/** Why Slack would not take these blocks: its error code, and what is wrong with them; null when it takes them. */
export function refuseBlocks(blocks: unknown): { error: string; details: string[] } | null {
  if (!message(blocks)) return { error: 'invalid_blocks', details: errorsOf(message) }
  const all = JSON.stringify(blocks)
  const list = blocks as Record<string, unknown>[]
  const markdown = list
    .flatMap(({ type, text }) => (type === 'markdown' ? [String(text)] : []))
    .join('')
  if (markdown.length > 12_000 || all.length > blocksMost)
    return { error: 'msg_blocks_too_long', details: [] }
  const ids = Array.from(all.matchAll(/"action_id":"([^"]*)"/g), ([, id]) => id)
  if (new Set(ids).size !== ids.length)
    return { error: 'invalid_blocks', details: ['two elements have one action_id'] }
  for (const block of list) {
    const tasks = block.type === 'plan' && Array.isArray(block.tasks) ? block.tasks : []
    if (tasks.length > 50) return { error: 'invalid_blocks', details: ['more than 50 tasks'] }
    const names = tasks.map((task: Record<string, unknown>) => task.task_id)
    if (new Set(names).size !== names.length)
      return { error: 'invalid_blocks', details: ['two tasks have one id'] }
  }
  return null
}

export function refuseForm(view: unknown): { error: string; details: string[] } | null {
  return modal(view) ? null : { error: 'invalid_arguments', details: errorsOf(modal) }
}

export function refuseHome(view: unknown): { error: string; details: string[] } | null {
  return home(view) ? null : { error: 'invalid_arguments', details: errorsOf(home) }
}

function errorsOf(check: typeof message): string[] {
  return (check.errors ?? []).slice(0, 5).map((one) => `${one.instancePath} ${one.message}`)
}

/** What calls people out in a text or in blocks: Slack reads these wherever its markup is read (S1). */
export function mentionsOf(text: string, blocks: unknown): string[] {
  const read: string[] = [text]
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one)
    else if (typeof value === 'object' && value !== null) {
      const { type, text: own } = value as { type?: unknown; text?: unknown }
      if ((type === 'mrkdwn' || type === 'markdown') && typeof own === 'string') read.push(own)
      for (const one of Object.values(value)) walk(one)
    }
  }
  walk(blocks)
  return read.flatMap(
    (one) => one.match(/<(?:@[UW][^>]*|!(?:channel|here|everyone|subteam\^)[^>]*)>/g) ?? [],
  )
}
