import type { Context } from 'hono'
import { generateSpecs } from 'hono-openapi'
import { z } from 'zod'
import type { App, Web } from '../context.ts'
import { limits } from '../limits.ts'
import { documentation } from '../openapi.ts'
import { ProblemError } from '../problems.ts'
import { notForMembers, type Route } from '../route.ts'

const Report = z.looseObject({})

/**
 * Health for operators. `/healthz` is for liveness. It is 503 only if a restart can help (P29),
 * since that repairs no store; its body says what is wrong. `/readyz` is 503 while anything that
 * work needs fails (P19). Both answer without the token, as container engines ask them, but then
 * with one word only.
 */
const health = (path: '/healthz' | '/readyz', summary: string): Route =>
  notForMembers.route('get', path, {
    summary,
    answer: Report,
    otherwise: { 503: Report },
    async handle({ c, web }) {
      const isKnown = await isOperator(web, c, limits.healthMs[path])
      const report = await web.health(limits.healthMs[path])
      const isFit = path === '/readyz' ? report.ok : report.store.stuck !== true
      const { noWorker } = report.queue
      const modelAway = report.model.ok ? undefined : report.model.last?.kind
      const shown = isKnown ? report : { ok: report.ok }
      return c.json({ ...shown, noWorker, modelAway }, isFit ? 200 : 503)
    },
  })

/** True for an operator; false while the store fails, as sessions cannot be read. */
async function isOperator({ door, reach }: Web, c: Context, withinMs: number): Promise<boolean> {
  try {
    return (await reach(() => door.callerOf(c), withinMs))?.kind === 'operator'
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'store_unavailable') return false
    throw error
  }
}

export const healthRoutes = [
  health(
    '/healthz',
    'Alive; 503 where only a new process can help; the body says how all parts are',
  ),
  health('/readyz', 'The same body; 503 while anything that work needs is away'),
]

export function addOperationRoutes(app: App, { metrics }: Web): void {
  app.get('/api/openapi.json', async (c) =>
    c.json(await generateSpecs(app, { documentation, excludeStaticFile: false })),
  )
  app.get('/metrics', async (c) => c.text(await metrics()))
}
