import { describeRoute, resolver } from 'hono-openapi'
import type { z } from 'zod'
import { present } from '../../agent/domain/present.ts'
import { limits } from './limits.ts'
import { type Problem, statusOf } from './problems.ts'
import { ErrorView } from './views.ts'

/** Request and answer of a route, from which `/api/openapi.json` is built. */
export interface Description {
  summary: string
  description?: string
  query?: readonly string[]
  body?: z.ZodType | undefined
  /** Status of the answer. Defaults to 200. */
  status?: 200 | 201 | 202
  answer: z.ZodType
  /** Media type of the answer. Defaults to JSON. */
  media?: string
  /** Answers with other statuses. */
  otherwise?: Readonly<Record<number, z.ZodType>>
  /** Refusals besides those that follow from the other fields. */
  refusals?: readonly Code[]
}

/** Method and path of a route. `members` is true if members may call it. */
interface Place {
  method: string
  path: string
  members: boolean
}

type Code = Problem['code']

/** Refusals of every route: the caller may not ask, or the store fails. */
const always: readonly Code[] = [
  'bad_host',
  'wrong_host',
  'cross_site',
  'not_signed_in',
  'too_many_attempts',
  'not_allowed',
  'platform_away',
  'store_unavailable',
  'internal',
]
const ofBodies: readonly Code[] = [
  'not_json',
  'wrong_content_type',
  'unknown_fields',
  'bad_request',
]
/** Refusal for something that does not exist, by the path that names it. */
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
  return new Set(
    present<Code>([
      ...always,
      method !== 'get' && 'body_too_large',
      (path.includes(':') || !members) && 'not_found',
      ...missing.flatMap(([prefix, code]) => (path.startsWith(prefix) ? [code] : [])),
      query.some((name) => counts.includes(name)) && 'bad_request',
      ...(body === undefined ? [] : ofBodies),
      ...refusals,
    ]),
  )
}

/** Describes a route, with the codes of all its refusals. */
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
    description,
    parameters: query.map(parameter),
    requestBody: body === undefined ? undefined : { content: content(body) },
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

/** Query parameters that are whole numbers. */
const counts = ['limit', 'above', 'messages', 'days']

const parameter = (name: string) => ({
  name,
  in: 'query' as const,
  schema: counts.includes(name)
    ? { type: 'integer' as const, minimum: 1 }
    : { type: 'string' as const },
})

const security: Record<string, string[]>[] = [{ token: [] }, {}]

/** Parts of the API's description apart from the routes, which describe themselves. */
export const documentation = {
  openapi: '3.1.0',
  info: {
    title: 'Clew',
    version: '1',
    description: `Conversations, runs and questions of the web channel. Texts may have ${limits.textCharacters} characters; control characters other than tab and line end are removed. Errors are \`{error: {code, message}}\`. What people do is answered 202 once it is stored.`,
  },
  security,
  components: { securitySchemes: { token: { type: 'http' as const, scheme: 'bearer' } } },
}
