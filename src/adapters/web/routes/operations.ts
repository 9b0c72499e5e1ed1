import { generateSpecs } from 'hono-openapi'
import type { App, Web } from '../context.ts'
import { describedRoute } from '../described-route.ts'
import type { Door } from '../guard.ts'
import { limits } from '../limits.ts'
import { documentation } from '../openapi.ts'

const report = { type: 'object' }
const reports = {
  '/healthz': {
    withinMs: limits.healthMs['/healthz'],
    summary: 'Alive; the body says how store, queue, channels and model are',
    statuses: { 200: report },
  },
  '/readyz': {
    withinMs: limits.healthMs['/readyz'],
    summary: 'The same body; 503 while anything that work needs is away',
    statuses: { 200: report, 503: report },
  },
}

/**
 * For operators. `/healthz` is for liveness: 200 for as long as Clew answers at all, since restarting Clew repairs no store;
 * its body says what is wrong. `/readyz` is 503 while anything that work needs is away (P19). Both answer without the token,
 * since container engines ask them, but then with one word only.
 */
export function addOperationRoutes(app: App, web: Web, door: Door): void {
  const { health, metrics } = web.deps

  for (const [path, { withinMs, summary, statuses }] of Object.entries(reports))
    describedRoute(app, 'get', path, { summary, answers: statuses }, async (c) => {
      const known = door.isOpenFor(c)
      const report = await health(withinMs)
      return c.json(known ? report : { ok: report.ok }, report.ok || path === '/healthz' ? 200 : 503)
    })

  app.get('/api/openapi.json', async (c) =>
    c.json(await generateSpecs(app, { documentation, excludeStaticFile: false })),
  )

  if (metrics !== undefined) app.get('/metrics', async (c) => c.text(await metrics()))
}
