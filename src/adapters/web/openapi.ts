import { runStrategies, ScheduleMode } from '../../agent/domain/schedule.ts'
import { limits } from './limits.ts'

export const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
export const list = (name: string): object => ({ type: 'array', items: ref(name) })
export const object = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
export const text = { type: 'string' as const }
export const flag = { type: 'boolean' }
export const integer = { type: 'integer' }
const time = { type: 'integer', description: 'Milliseconds since the epoch' }
export const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] })
const person = object({ id: text, name: text })

const error = object({ error: object({ code: text, message: text }) })
const status = {
  enum: ['queued', 'running', 'awaiting_clarification', 'paused', 'succeeded', 'failed', 'canceled'],
}
const question = object({
  id: text,
  text,
  choices: { type: 'array', items: text },
  askedAt: time,
  askedOf: orNull(text),
  approval: { type: 'boolean', description: 'Only the person named in askedOf, or an admin, may answer' },
  runId: text,
})
const run = object({ id: text, status, title: text, type: text, conversationId: orNull(text), error: orNull(text) })
const line = object({
  id: text,
  title: text,
  unread: { type: 'boolean' },
  updatedAt: time,
  status: orNull(status),
  lastLine: text,
})
const message = object({
  id: text,
  role: { enum: ['user', 'assistant'] },
  author: orNull(person),
  text,
  html: { type: 'string', description: 'The text as safe HTML' },
  at: time,
  outcome: orNull({ type: 'object', description: 'What became of a message of a person' }),
})
const schedule = object({
  id: { type: 'integer' },
  title: text,
  rule: { type: 'string', description: 'When it is due, in words' },
  timeZone: text,
  next: { type: 'array', items: time },
  clockRule: { type: 'string', description: 'What happens when the clocks of its zone are turned' },
  paused: { type: 'boolean' },
  remindAt: orNull(time),
  quiet: { type: 'boolean', description: 'Its runs say nothing when there is nothing to report' },
  allow: { type: 'array', items: text, description: 'Tools with side effects that its runs may use' },
  mode: { enum: ScheduleMode.options, description: 'What they do with the other tools that have side effects' },
  strategy: orNull({ enum: runStrategies }),
})
export const slot = object({
  at: time,
  outcome: { enum: ['fired', 'late', 'missed', 'skipped'] },
  reason: orNull({ enum: ['by_hand', 'away', 'caught_up', 'still_running', 'still_asking', 'paused'] }),
  runId: orNull(text),
})
const todo = object({
  id: { type: 'integer' },
  text,
  tag: text,
  priority: { type: 'integer' },
  dueAt: orNull(time),
  remindAt: orNull(time),
  doneAt: orNull(time),
})
export const memory = object({
  name: { type: 'string', description: '`thread-3`; names of the scope `thread` count within one thread' },
  scope: { enum: ['me', 'thread', 'channel', 'team'] },
  conversationId: orNull(text),
  key: orNull(text),
  text,
  status: { enum: ['pending', 'active', 'revoked', 'archived'] },
  at: time,
  expiresAt: orNull(time),
  sourceId: orNull({ type: 'string', description: 'The thread in which it was said' }),
})
const conversation = object({
  id: text,
  title: text,
  unread: { type: 'boolean' },
  messages: list('Message'),
  plan: orNull(
    object({
      items: { type: 'array', items: object({ text, done: { type: 'boolean' } }) },
      index: { type: 'integer' },
    }),
  ),
  question: orNull(ref('Question')),
  answered: list('Question'),
  run: orNull(ref('Run')),
  runs: list('Run'),
})

/** What the whole description says besides the routes, which describe themselves. */
export const documentation = {
  openapi: '3.1.0',
  info: {
    title: 'Clew',
    version: '1',
    description: `Conversations, runs and questions of the web channel. Texts may have ${limits.textCharacters} characters; control characters other than tab and line end are removed. Errors are \`{error: {code, message}}\`. What people do is answered 202 once it is stored.`,
  },
  security: [{ token: [] }, {}],
  components: {
    securitySchemes: { token: { type: 'http' as const, scheme: 'bearer' } },
    schemas: {
      Error: error,
      Conversation: conversation,
      Line: line,
      Message: message,
      Question: question,
      Run: run,
      Schedule: schedule,
      Todo: todo,
    },
  },
}

/** A parameter of the query. */
export const parameter = (name: string) => ({
  name,
  in: 'query' as const,
  schema: ['limit', 'messages'].includes(name) ? { type: 'integer' as const, minimum: 1 } : text,
})

/** Refusals by their status. */
export function errors(codes: readonly number[]) {
  const answer = { description: 'Refused', content: { 'application/json': { schema: ref('Error') } } }
  return Object.fromEntries(codes.map((code) => [String(code), answer]))
}
