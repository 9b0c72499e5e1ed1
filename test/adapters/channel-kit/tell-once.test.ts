import { expect, it } from 'vitest'
import { createOnce } from '../../../src/adapters/channel-kit/tell-once.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { useClew, workspace } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'

const start = useClew()

it('a greeting and a refusal are shown once, however many processes hear of it at once, for a time or for good (C165)', async () => {
  const { redis, clock } = await start()
  const processes = ['a', 'b', 'c'].map((worker) =>
    createOnce({ notes: createRedisStore({ redis, clock, worker }).notes, log: silent }),
  )
  for (const keptMs of [60_000, null]) {
    const greeting = { workspace, key: `greeted:${keptMs}`, keptMs }
    let told = 0
    const tell = async () => {
      told += 1
      return { kind: 'sent' as const }
    }
    await Promise.all(processes.map((once) => once(greeting, tell)))
    await Promise.all(processes.map((once) => once(greeting, tell)))
    expect(told).toBe(1)
    expect(
      await redis.pttl(`clew:{${workspace}}:note:greeted:${keptMs}`).then((left) => left > 0),
    ).toBe(keptMs !== null)
  }
})

it('one that was certainly not shown is shown the next time', async () => {
  const { redis, clock } = await start()
  const once = createOnce({
    notes: createRedisStore({ redis, clock, worker: 'a' }).notes,
    log: silent,
  })
  const greeting = { workspace, key: 'greeted', keptMs: null }
  const told: string[] = []
  await once(greeting, async () => ({ kind: 'later', afterMs: 1 }))
  await once(greeting, async () => {
    told.push('hello')
    return { kind: 'sent' }
  })
  expect(told).toEqual(['hello'])
})

it('what was claimed by name may be claimed again by that name alone, after a crash that left it undone (C139, P1)', async () => {
  const { redis, clock } = await start()
  const { notes } = createRedisStore({ redis, clock, worker: 'a' })
  const claims = []
  for (const by of ['first', 'second', 'first'])
    claims.push(await notes.claim(workspace, 'zone-unset:ana', null, by))
  expect(claims).toEqual([true, false, true])
})
