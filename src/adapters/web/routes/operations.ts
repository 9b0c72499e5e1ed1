import type { App, Web } from '../context.ts'
import type { Door } from '../guard.ts'
import { limits } from '../limits.ts'
import { openapi } from '../openapi.ts'

/**
 * For whoever runs Clew. `/healthz` is for who would start Clew again: it answers 200 for as long as Clew answers at all, and
 * its body is the truth; another start mends no store. `/readyz` is 503 while anything that work needs is away (P19). Both
 * answer everyone, since container engines ask them, but strangers get one word.
 */
export function addOperationRoutes(app: App, web: Web, door: Door): void {
  const { health, metrics } = web.deps

  for (const [path, withinMs] of Object.entries(limits.healthMs))
    app.get(path, async (c) => {
      const known = door.isOpenFor(c)
      const report = await health(withinMs)
      return c.json(known ? report : { ok: report.ok }, report.ok || path === '/healthz' ? 200 : 503)
    })

  app.get('/api/openapi.json', (c) => c.json(openapi()))

  if (metrics !== undefined) app.get('/metrics', async (c) => c.text(await metrics()))
}
