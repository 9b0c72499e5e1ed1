import type { Context } from 'hono'
import type { BlankEnv } from 'hono/types'
import type { z } from 'zod'
import { bodyOf } from './bodies.ts'
import type { App, Web } from './context.ts'
import { type Description, described } from './openapi.ts'
import { refuse } from './problems.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A route that is not yet added to the app. */
export type Route = (app: App, web: Web) => void

/** Request as a handler gets it. */
interface Asked<P extends string> {
  c: Context<BlankEnv, P>
  web: Web
}

/**
 * Description of a route with its handler, which returns the described value, or a response of its
 * own.
 */
interface Operation<G, A extends z.ZodType> extends Description {
  answer: A
  handle: (given: G) => Promise<z.input<A> | Response>
}

/** Declares routes, each together with its description. */
function routesWith({ members }: { members: boolean }) {
  function route<P extends string, A extends z.ZodType>(
    method: Method,
    path: P,
    operation: Operation<Asked<P>, A>,
  ): Route {
    return (app, web) =>
      app[method](path, described({ method, path, members }, operation), async (c) => {
        if (c.get('caller')?.kind === 'member' && !members) refuse('not_found')
        const answer = await operation.handle({ c, web })
        return answer instanceof Response ? answer : c.json(answer, operation.status ?? 200)
      })
  }

  /**
   * Declares a route with a body. One schema describes the body and checks it before the handler
   * runs.
   */
  function bodyRoute<P extends string, A extends z.ZodType, B extends z.ZodType>(
    method: Method,
    path: P,
    operation: Operation<Asked<P> & { body: z.infer<B> }, A> & { body: B },
  ): Route {
    const { body, handle } = operation
    const checked = async (asked: Asked<P>) =>
      handle({ ...asked, body: await bodyOf(asked.c.req.raw, body) })
    return route(method, path, { ...operation, handle: checked })
  }

  return { route, bodyRoute }
}

/** Routes that members may call, too, for what they see (S26). */
export const forMembers = routesWith({ members: true })
/** Routes that do not exist for members. */
export const notForMembers = routesWith({ members: false })
