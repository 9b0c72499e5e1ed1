import { z } from 'zod'
import { runStrategies, ScheduleMode } from '../../agent/domain/schedule.ts'
import {
  AnswerBody,
  ControlBody,
  MemoryBody,
  MemoryPress,
  OpenBody,
  SayBody,
  ScheduleBody,
  SchedulePatch,
  TodoBody,
  TodoPatch,
  WorkBody,
} from './bodies.ts'
import { limits } from './limits.ts'

/** The API as an OpenAPI 3.1 description. Bodies come from the schemas that check them, so the two cannot differ. */
export function openapi(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clew',
      version: '1',
      description: `Conversations, runs and questions of the web channel. Texts may have ${limits.textCharacters} characters; control characters other than tab and line end are removed. Errors are \`{error: {code, message}}\`. What people do is answered 202 once it is stored.`,
    },
    security: [{ token: [] }, {}],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
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
    paths: {
      '/healthz': { get: get('Alive; the body says how store, queue, channels and model are', { type: 'object' }, []) },
      '/readyz': { get: get('The same body; 503 while anything that work needs is away', { type: 'object' }, [503]) },
      '/api/conversations': {
        get: get('Conversations, newest first', object({ conversations: list('Line') }), [400, 503], ['limit']),
        post: post(
          'Opens a conversation: empty (201), or with its first message (202)',
          OpenBody,
          [400, 413, 415, 503],
        ),
      },
      '/api/conversations/{id}': {
        get: get('One conversation', ref('Conversation'), [404, 503], ['id', 'messages']),
      },
      '/api/conversations/{id}/files/{name}': {
        get: get('A file that a task made, as text', { type: 'string' }, [404, 503], ['id', 'name']),
      },
      '/api/conversations/{id}/messages': {
        post: post(
          'Says something; the same clientMessageId again is the same message',
          SayBody,
          [400, 404, 413, 415, 503],
          ['id'],
        ),
      },
      '/api/conversations/{id}/read': { post: post('Marks it read', null, [404, 503], ['id']) },
      '/api/questions/{id}/answer': {
        post: post('Answers by a choice or in words', AnswerBody, [400, 404, 409, 413, 415, 503], ['id']),
      },
      '/api/runs': { get: get('Runs, newest first', object({ runs: list('Run') }), [503], ['limit', 'conversation']) },
      '/api/runs/{id}': { get: get('One run with its plan', ref('Run'), [404, 503], ['id']) },
      '/api/runs/{id}/plan.json': {
        get: get('The plan of a run as a file', { type: 'object' }, [404, 503], ['id']),
      },
      '/api/runs/{id}/trace': {
        get: get('What happened in a run, in order', object({ trace: { type: 'array' } }), [404, 503], ['id']),
      },
      '/api/runs/{id}/cancel': { post: post('Stops a run that has not ended', ControlBody, [404, 409, 503], ['id']) },
      '/api/runs/{id}/retry': {
        post: post('Tries an ended run again as a new run', ControlBody, [404, 409, 503], ['id']),
      },
      '/api/runs/{id}/continue': { post: post('Continues a paused run', ControlBody, [404, 409, 503], ['id']) },
      '/api/schedules': {
        get: get('Schedules with their next three times', object({ schedules: list('Schedule') }), [503], ['author']),
        post: post('Schedules work in words, at a time or by cron (201)', ScheduleBody, [400, 413, 415, 503]),
      },
      '/api/schedules/{id}': {
        patch: post('Pauses, resumes or changes one (200)', SchedulePatch, [400, 404, 415, 503], ['id']),
        delete: post('Deletes one (200)', null, [404, 503], ['id']),
      },
      '/api/schedules/{id}/slots': {
        get: get(
          'What became of its due slots, newest first',
          object({ slots: { type: 'array', items: slot } }),
          [404, 503],
          ['id', 'limit'],
        ),
      },
      '/api/schedules/{id}/run': { post: post('Starts it now, once more than planned', WorkBody, [404, 503], ['id']) },
      '/api/schedules/{id}/dry': {
        post: post('Says what a start would do; starts nothing (200)', WorkBody, [404, 503], ['id']),
      },
      '/api/todos': {
        get: get(
          'To-dos by priority; of one view or tag',
          object({ todos: list('Todo') }),
          [400, 503],
          ['view', 'tag', 'author'],
        ),
        post: post('Adds a to-do (201)', TodoBody, [400, 413, 415, 503]),
      },
      '/api/todos/{id}': {
        patch: post('Changes one or marks it done (200)', TodoPatch, [400, 404, 415, 503], ['id']),
        delete: post('Deletes one (200)', null, [404, 503], ['id']),
      },
      '/api/memory': {
        get: get(
          'What is remembered and proposed: of this person, the channel, the team and every thread',
          object({ memory: { type: 'array', items: memory } }),
          [503],
          ['author'],
        ),
        post: post('Remembers something (201)', MemoryBody, [400, 404, 413, 415, 503]),
      },
      '/api/memory/{name}/history': {
        get: get(
          'What happened to it, newest first',
          object({ events: { type: 'array', items: { type: 'object' } } }),
          [400, 404, 503],
          ['name', 'conversation', 'author'],
        ),
      },
      ...Object.fromEntries(
        (['accept', 'reject', 'forget', 'archive', 'restore'] as const).map((verb) => [
          `/api/memory/{name}/${verb}`,
          { post: post(`What \`/memory ${verb}\` does (200)`, MemoryPress, [400, 404, 415, 503], ['name']) },
        ]),
      ),
      '/api/events': {
        get: {
          summary: 'Server-sent events: ready, delivery, progress, changed, reset, away, back',
          description:
            'Resumes after the id in the Last-Event-ID header or in `after`. `reset`: something was missed, fetch anew.',
          parameters: ['after', 'author'].map((name) => parameter(name)),
          responses: { 200: { description: 'A stream', content: { 'text/event-stream': {} } }, ...errors([401, 403]) },
        },
      },
    },
  }
}

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const list = (name: string): object => ({ type: 'array', items: ref(name) })
const object = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const text = { type: 'string' }
const time = { type: 'integer', description: 'Milliseconds since the epoch' }
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] })
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
const slot = object({
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
const memory = object({
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

const inPath: readonly string[] = ['id', 'name']
const parameter = (name: string): object => ({
  name,
  in: inPath.includes(name) ? 'path' : 'query',
  required: inPath.includes(name),
  schema: ['limit', 'messages'].includes(name) ? { type: 'integer', minimum: 1 } : text,
})

function errors(codes: readonly number[]): Record<string, object> {
  const answer = { description: 'Refused', content: { 'application/json': { schema: ref('Error') } } }
  return Object.fromEntries(codes.map((code) => [String(code), answer]))
}

function get(summary: string, schema: object, codes: readonly number[], parameters: readonly string[] = []): object {
  const ok = { description: 'OK', content: { 'application/json': { schema } } }
  return { summary, parameters: parameters.map(parameter), responses: { 200: ok, ...errors([401, 403, ...codes]) } }
}

function post(
  summary: string,
  body: z.ZodType | null,
  codes: readonly number[],
  parameters: readonly string[] = [],
): object {
  const schema = body === null ? null : z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  return {
    summary,
    parameters: parameters.map(parameter),
    ...(schema === null ? {} : { requestBody: { content: { 'application/json': { schema } } } }),
    responses: { 202: { description: 'Stored' }, ...errors([401, 403, ...codes]) },
  }
}
