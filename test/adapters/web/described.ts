import { generateSpecs } from 'hono-openapi'
import type { Web } from '../../../src/adapters/web/context.ts'
import { createApp } from '../../../src/adapters/web/server.ts'

type Paths = Record<string, Record<string, { responses: Record<string, { description: string }> }>>

/** The routes as they describe themselves; nothing is asked, so that they need nothing of what they share. */
const { paths } = await generateSpecs(createApp({ token: null, routes: {} } as unknown as Web))
const routes = Object.entries(paths as unknown as Paths).map(([path, methods]) => {
  return {
    path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }
})

/**
 * Holds an answer of the API beside the description of its route. Any client of a test may ask it; other addresses are passed over.
 *
 * @throws Error when the description has not its status, or not the code of its refusal.
 */
export function requireDescribed(
  method: string,
  url: string,
  { status, body }: { status: number; body: unknown },
): void {
  const { pathname } = new URL(url)
  const responses = routes.find(({ path }) => path.test(pathname))?.methods[method.toLowerCase()]
    ?.responses
  if (responses === undefined) return
  const { description = '' } = responses[status] ?? {}
  const { error } = (body ?? {}) as { error?: { code?: string } }
  if (
    description === '' ||
    (error?.code !== undefined && !description.split(/[ ,]+/).includes(error.code))
  )
    throw new Error(
      `${method} ${pathname} answers ${status} ${error?.code ?? ''}, which its description does not say`,
    )
}
