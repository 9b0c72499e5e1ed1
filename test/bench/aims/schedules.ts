import { createSystemClock } from '../../../src/clock.ts'
import { connect } from '../../../src/store/redis/connection.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { aDayAhead, dueTogether } from '../schedules.ts'
import { at, type Figure, type World } from './world.ts'

export async function together({ settings, server }: World): Promise<Figure[]> {
  const now = await dueTogether(settings, server.connect())
  return [
    { what: '1,000 schedules due together, the last says running', now, aim: 100, unit: 'ms' },
  ]
}

/** Of a place with 10,000 schedules: a page of them, and one more. */
export async function stored({ startClew, server }: World): Promise<Figure[]> {
  const redis = connect(server.url(), 'commands')
  const { schedules } = createRedisStore({ redis, clock: createSystemClock(), worker: 'bench' })
  const row = await aDayAhead(schedules)
  for (let n = 0; n < 10_000; n += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, more) =>
        schedules.add('web:local', 'channel:web', `many-${n + more}`, {
          ...row,
          title: `${row.title} ${n + more}`,
        }),
      ),
    )
  redis.disconnect()
  const { ready } = await startClew()
  const timed = async (path: string, bodyOf?: (turn: number) => object) => {
    const times: number[] = []
    for (let turn = 0; turn < 31; turn++) {
      const began = performance.now()
      const body =
        bodyOf === undefined ? {} : { method: 'POST', body: JSON.stringify(bodyOf(turn)) }
      const response = await fetch(`${ready}${path}`, {
        ...body,
        headers: { 'content-type': 'application/json' },
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      times.push(performance.now() - began)
    }
    return at(times, 0.5)
  }
  // All others are due a day ahead.
  const added = (days: number) => {
    const day = new Date(Date.now() + days * 86_400_000).toISOString()
    const when = (turn: number) => `${day.slice(0, 10)} ${day.slice(11, 14)}${10 + turn}`
    return timed('/api/schedules', (turn) => ({ when: when(turn), title: `One more ${turn}` }))
  }
  const now = await timed('/api/schedules?limit=50')
  return [
    { what: 'of 10,000 schedules of one place a page of 50 is listed', now, aim: 10, unit: 'ms' },
    { what: 'one is added to them when they are due', now: await added(1), aim: 5, unit: 'ms' },
    { what: 'one is added for a year ahead', now: await added(365), aim: 5, unit: 'ms' },
    { what: 'one is added for a day when none is due', now: await added(5), aim: 5, unit: 'ms' },
  ]
}
