import type { App, Web } from '../context.ts'
import type { Door } from '../guard.ts'
import { openapi } from '../openapi.ts'

/** For whoever runs Clew. The health page answers everyone, since container engines ask it, but strangers get one word. */
export function addOperationRoutes(app: App, web: Web, door: Door): void {
  const { health, metrics } = web.deps

  app.get('/healthz', async (c) => {
    const report = await health()
    return c.json(door.isOpenFor(c) ? report : { ok: report.ok }, report.ok ? 200 : 503)
  })

  app.get('/api/openapi.json', (c) => c.json(openapi()))

  if (metrics !== undefined) app.get('/metrics', async (c) => c.text(await metrics()))
}
