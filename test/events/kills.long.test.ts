import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { RunView } from '../../src/adapters/web/views.ts'
import { ask } from '../adapters/web/support.ts'
import { closes, ends, plans } from '../fakes/model.ts'
import { value } from '../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../fakes/openai/server.ts'
import { createRandom } from '../soak/plan.ts'
import { type ClewProcess, createClewProcess } from '../support/clew-process.ts'
import { send, signed, sourcesFile } from './support.ts'

const seed = 20_260_101
const token = 'a-long-and-random-token'
const kills = Number(process.env.CLEW_KILLS ?? 4)
let folder: string
let model: FakeOpenAi
let clew: ClewProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-events-'))
  model = await startOpenAi({ remembers: false })
  model.answer(({ contract }) => {
    if (contract === 'plan') return value(plans('Look'))
    return value(contract === 'thought' ? closes('looked') : ends('Looked.'))
  })
  clew = await createClewProcess(join(folder, 'data'), {
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: 'fake',
    LOG_LEVEL: 'silent',
    WEB_TOKEN: token,
    CONNECTORS_FILE: await sourcesFile(),
  })
  await clew.start()
})
afterAll(async () => {
  await clew.stop()
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

it(
  'starts one task for each event, ×4 and out of order, however it is killed with -9 (C641, P1)',
  async () => {
    const random = createRandom(seed)
    const person = { authorization: `Bearer ${token}` }
    const get = async (path: string) => (await ask(clew.url + path, 'GET', undefined, person)).body
    const rule = { text: 'Look into it --event hmac', timeZone: 'UTC' }
    expect((await ask(`${clew.url}/api/schedules`, 'POST', rule, person)).status).toBe(201)
    const deliver = (n: number) => {
      const body = JSON.stringify({ n })
      return send(`${clew.url}/hooks/hmac`, body, signed(body, `event-${n}`))
    }
    for (let n = 0; n < kills; n += 1) {
      // An earlier one comes again beside the new one, while the process dies.
      const early = [deliver(n), deliver(Math.floor(random() * (n + 1))), deliver(n)]
      const heard = Promise.allSettled(early)
      await new Promise((resolve) => setTimeout(resolve, random() * 60))
      await clew.kill()
      await heard
      await clew.start()
      // A sender that heard no answer sends it again.
      expect((await deliver(n)).status).toBe(202)
    }
    for (let n = kills - 1; n >= 0; n -= 1) expect((await deliver(n)).status).toBe(202)
    const runs = await vi.waitFor(
      async () => {
        const all = ((await get('/api/runs?limit=200')) as { runs: RunView[] }).runs
        expect(all.length).toBeGreaterThanOrEqual(kills)
        expect(all.filter(({ status }) => status !== 'succeeded')).toEqual([])
        return all
      },
      { timeout: 60_000, interval: 100 },
    )
    expect(runs).toHaveLength(kills)
  },
  60_000 + kills * 30_000,
)
