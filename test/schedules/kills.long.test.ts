import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConversationLine, RunView } from '../../src/adapters/web/views.ts'
import type { Slot } from '../../src/agent/domain/schedule.ts'
import { createRandom } from '../soak/plan.ts'
import { createLives, type Lives } from './process.ts'

/** `CLEW_KILLS=100` is the whole of it. */
const kills = Number(process.env.CLEW_KILLS ?? 4)
const seed = Number(process.env.CLEW_SOAK_SEED ?? 20_260_101)
const minute = 60_000
const start = Date.UTC(2026, 10, 20, 8)

let folder: string
let lives: Lives
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-kills-'))
  lives = createLives({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await lives.stop()
  await rm(folder, { recursive: true, force: true })
})

async function api<T>(path: string, body?: object): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(lives.url() + path, {
    ...init,
    headers: { 'content-type': 'application/json' },
  })
  return (await response.json()) as T
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 3_600; tries += 1) {
    const found = await look()
    if (found !== null) return found
    await wait(25)
  }
  throw new Error('nothing came of it within 90 s')
}

it(
  'fires once, however it is killed with -9 around the due instant (P10, P1, I7, R144)',
  async () => {
    const random = createRandom(seed)
    await lives.start(start)
    const reasons = new Set<string>()
    for (let n = 1; n <= kills; n += 1) {
      const due = start + n * 10 * minute
      await lives.set(due - 600, false)
      const time = new Date(due).toISOString().slice(0, 16).replace('T', ' ')
      const made = await api<{ schedule: { id: number } }>('/api/schedules', {
        when: time,
        title: `What is due (${n})`,
        timeZone: 'UTC',
      })
      await lives.set(due - 600)
      // From well before the instant to after the report is out.
      await wait(random() * 1_200)
      await lives.kill()
      await lives.start(due + 2_000)
      await lives.set(due + 2_000)
      const { id } = made.schedule
      await until(async () => {
        const { runs } = await api<{ runs: RunView[] }>('/api/runs?limit=200')
        return (
          runs.find(({ title, endedAt }) => title === `What is due (${n})` && endedAt !== null) ??
          null
        )
      })
      const { slots } = await api<{ slots: Slot[] }>(`/api/schedules/${id}/slots`)
      expect(slots).toHaveLength(1)
      reasons.add(slots[0]?.outcome ?? '')
    }
    const { runs } = await api<{ runs: RunView[] }>('/api/runs?limit=200')
    const { conversations } = await api<{ conversations: ConversationLine[] }>(
      '/api/conversations?limit=200',
    )
    for (let n = 1; n <= kills; n += 1) {
      expect(runs.filter(({ title }) => title === `What is due (${n})`)).toHaveLength(1)
      expect(
        conversations.filter(({ title }) => title.startsWith(`What is due (${n}) · `)),
      ).toHaveLength(1)
    }
    expect(conversations).toHaveLength(kills)
  },
  60_000 + kills * 60_000,
)
