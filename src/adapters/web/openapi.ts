import { describeRoute, resolver } from 'hono-openapi'
import type { z } from 'zod'
import { limits } from './limits.ts'
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
  /** Statuses of refusals besides those that follow from path, query and body. */
  refusals?: readonly number[]
}

/** Describes a route. That it refuses who may not ask, what it cannot read or find, and that the store is away, goes without saying. */
export function described(path: string, route: Description) {
  const { summary, description, query = [], body, answer, otherwise, media = 'application/json' } = route
  const refusals = [
    ...[401, 403, 503, ...(route.refusals ?? [])],
    ...(path.includes(':') ? [404] : []),
    ...(query.some((name) => counts.includes(name)) ? [400] : []),
    ...(body === undefined ? [] : [400, 413, 415]),
  ]
  return describeRoute({
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: query.map(parameter),
    ...(body === undefined ? {} : { requestBody: { content: content(body) } }),
    responses: {
      ...Object.fromEntries(
        refusals.map((status) => [status, { description: 'Refused', content: content(ErrorView) }]),
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
  schema: counts.includes(name) ? { type: 'integer' as const, minimum: 1 } : { type: 'string' as const },
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
