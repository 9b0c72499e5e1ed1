import { join } from 'node:path'
import { startOnce } from '../start.ts'
import type { Figure, World } from './world.ts'

/** The second start on the same folder as people start it, with the embedded store and nothing set. */
export async function start({ settings }: World): Promise<Figure[]> {
  const folder = join(settings.DATA_DIR ?? '', 'embedded')
  const how = { entry: join(import.meta.dirname, '../../../start.mjs'), env: {}, folder }
  await startOnce(how, 0)
  const { ms, cpuMs, mb } = await startOnce(how, 5_000)
  return [
    { what: 'start to /healthz, warm, embedded', now: ms, aim: 450, unit: 'ms' },
    { what: 'the same, processor time of all its threads', now: cpuMs, aim: 450, unit: 'ms' },
    { what: 'memory when idle', now: mb, aim: 120, unit: 'MB' },
  ]
}
