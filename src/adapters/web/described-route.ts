import type { Context } from 'hono'
import type { BlankEnv } from 'hono/types'
import { describeRoute } from 'hono-openapi'
import { z } from 'zod'
import { bodyOf } from './bodies.ts'
import type { App } from './context.ts'
import { errors, parameter } from './openapi.ts'

/** What a route takes and answers: `/api/openapi.json` is made of these. */
export interface Operation {
  summary: string
  description?: string
  query?: readonly string[]
  /** The body of each answer that is no refusal, by its status. */
  answers: Readonly<Record<number, object>>
  /** Of the answers; JSON unless it is said. */
  media?: string
  /** Statuses of refusals besides 401, 403 and 503. */
  refusals?: readonly number[]
}

type Method = 'get' | 'post' | 'patch' | 'delete'
type Answer = Response | Promise<Response>

/** Adds a route together with its description. */
export function describedRoute<P extends string>(
  app: App,
  method: Method,
  path: P,
  operation: Operation & { body?: z.ZodType },
  handler: (c: Context<BlankEnv, P>) => Answer,
): void {
  const { summary, description, query = [], body, answers, media = 'application/json', refusals = [] } = operation
  const taken: object | null = body === undefined ? null : z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  const described = describeRoute({
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: query.map(parameter),
    ...(taken === null ? {} : { requestBody: { content: { 'application/json': { schema: taken } } } }),
    responses: {
      ...errors([401, 403, ...refusals, 503]),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [
          status,
          { description: 'OK', content: { [media]: { schema } } },
        ]),
      ),
    },
  })
  app[method](path, described, handler)
}

/** The same for a route with a body: one schema describes it and checks it before the handler runs. */
export function describedBody<P extends string, S extends z.ZodType>(
  app: App,
  method: Method,
  path: P,
  operation: Operation & { body: S },
  handler: (c: Context<BlankEnv, P>, body: z.infer<S>) => Answer,
): void {
  describedRoute(app, method, path, operation, async (c) => handler(c, await bodyOf(c.req.raw, operation.body)))
}
