import { describeRoute, resolver } from 'hono-openapi'
import type { z } from 'zod'
import { limits } from './limits.ts'
import { type Problem, statusOf } from './problems.ts'
import { ErrorView } from './views.ts'

/** What a route takes and answers: `/api/openapi.json` is made of these. */
export interface Description {
  summary: string
  description?: string
  query?: readonly string[]
  body?: z.ZodType | undefined
  /** Of the answer; 200 unless it is said. */
  status?: 200 | 201 | 202
  answer: z.ZodType
  /** Of the answer; JSON unless it is said. */
  media?: string
  /** Answers under other statuses. */
  otherwise?: Readonly<Record<number, z.ZodType>>
  /** What it refuses besides what follows from the rest of it. */
  refusals?: readonly Code[]
}

/** Which route it is, and whether members may ask it. */
interface Place {
  method: string
  path: string
  members: boolean
}

type Code = Problem['code']

/** What any route refuses: who may not ask, and that the store is away. */
const always: readonly Code[] = [
  ...([
    'bad_host',
    'wrong_host',
    'cross_site',
    'not_signed_in',
    'too_many_attempts',
    'not_allowed',
  ] as const),
  ...(['platform_away', 'store_unavailable', 'internal'] as const),
]
const ofBodies: readonly Code[] = [
  'not_json',
  'wrong_content_type',
  'unknown_fields',
  'bad_request',
]
/** What is said of something that is not there, by the path that names it. */
const missing: readonly (readonly [string, Code])[] = [
  ['/api/conversations/:id', 'unknown_conversation'],
  ['/api/questions/:id', 'unknown_question'],
  ['/api/runs/:id', 'unknown_run'],
  ['/api/schedules/:id', 'unknown_schedule'],
  ['/api/todos/:id', 'unknown_todo'],
  ['/api/memory/:name', 'unknown_memory'],
]

function refusalsOf(
  { method, path, members }: Place,
  { query = [], body, refusals = [] }: Description,
): Set<Code> {
  return new Set<Code>([
    ...always,
    ...(method === 'get' ? [] : ['body_too_large' as const]),
    ...(path.includes(':') || !members ? ['not_found' as const] : []),
    ...missing.flatMap(([prefix, code]) => (path.startsWith(prefix) ? [code] : [])),
    ...(query.some((name) => counts.includes(name)) ? ['bad_request' as const] : []),
    ...(body === undefined ? [] : ofBodies),
    ...refusals,
  ])
}

/** Describes a route, with the codes of all that it refuses. */
export function described(place: Place, route: Description) {
  const {
    summary,
    description,
    query = [],
    body,
    answer,
    otherwise,
    media = 'application/json',
  } = route
  const refusals = Map.groupBy(refusalsOf(place, route), (code) => statusOf({ code }))
  return describeRoute({
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: query.map(parameter),
    ...(body === undefined ? {} : { requestBody: { content: content(body) } }),
    responses: {
      ...Object.fromEntries(
        Array.from(refusals, ([status, codes]) => [
          status,
          { description: `Refused: ${codes.join(', ')}`, content: content(ErrorView) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries({ [route.status ?? 200]: answer, ...otherwise }).map(([status, schema]) => [
          status,
          { description: 'OK', content: content(schema, media) },
        ]),
      ),
    },
  })
}

const content = (schema: z.ZodType, media = 'application/json') => ({
  [media]: { schema: resolver(schema, { options: { io: 'input', unrepresentable: 'any' } }) },
})

/** Parameters of the query that are whole numbers. */
const counts = ['limit', 'above', 'messages', 'days']

const parameter = (name: string) => ({
  name,
  in: 'query' as const,
  schema: counts.includes(name)
    ? { type: 'integer' as const, minimum: 1 }
    : { type: 'string' as const },
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
  components: { securitySchemes: { token: { type: 'http' as const, scheme: 'bearer' } } },
}
