import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CalendarView } from '../../src/adapters/web/views.ts'
import { ownDatabase } from '../support/own-database.ts'
import { type Lab, openLab } from './support.ts'

const start = Date.UTC(2026, 10, 20, 8, 58)
const hourMs = 3_600_000
const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 20, hour, minute)
let lab: Lab
let url: string
beforeEach(async () => {
  url = (await ownDatabase()) ?? ''
  lab = await openLab({ start, redisUrl: url, env: { TODO_SCOPE: 'user' } })
})
afterEach(() => lab.stop())

const ana = { id: 'ana', name: 'Ana' }
async function add(when: string, title: string, author = ana): Promise<void> {
  expect((await lab.post('/api/schedules', { when, title, author })).status).toBe(201)
}
async function calendar(query = '', day = Date.UTC(2026, 10, 20)): Promise<CalendarView> {
  return (await lab.get(
    `/api/calendar?from=${day}&to=${day + 24 * hourMs}&author=ana${query}`,
  )) as CalendarView
}
const rowOf = async (title: string) =>
  (await calendar()).rows.find((row) => row.title.startsWith(title))

it('has every past time with what came of it, also of what is over, and the reminders of to-dos (C236)', async () => {
  await add('every hour', 'Stand up --note')
  await add('2026-11-20 09:00', 'post what is due today')
  await add('every day at 9:01', 'Paused --note')
  await lab.post('/api/schedules/3', { paused: true, author: ana }, 'PATCH')
  for (const text of [
    'Call Ben --remind 2026-11-20 09:01',
    'Call Cleo --remind 2026-11-20 18:00',
  ].map((one) => `${one} --due 2026-11-21 09:00`))
    expect(await lab.post('/api/todos', { text, author: ana })).toEqual({
      status: 201,
      body: expect.anything(),
    })

  const ran = await lab.until(async () => {
    const row = await rowOf('post what is due')
    return row?.past[0]?.status === 'succeeded' && row.past[0].conversationId !== null
      ? row.past[0]
      : null
  })
  expect(ran).toMatchObject({ at: at(9), outcome: 'fired', reason: null })
  expect((await lab.thread(`${ran.conversationId}`)).messages[0]?.text).toContain(
    'post what is due today',
  )
  await lab.until(async () => lab.clock.now() > at(9, 2))
  expect((await rowOf('Paused'))?.past).toMatchObject([
    { at: at(9, 1), outcome: 'skipped', reason: 'paused' },
  ])
  expect((await rowOf('Call Ben'))?.reminders).toEqual([{ at: at(9, 1), isPast: true }])
  expect((await rowOf('Call Cleo'))?.reminders).toEqual([{ at: at(18), isPast: false }])

  await lab.clew().stop()
  await lab.clock.advance(6 * hourMs)
  await lab.restart()
  const hourly = await lab.until(async () => {
    const row = await rowOf('Stand up')
    return row?.past.some(({ outcome }) => outcome === 'late') ? row : null
  })
  const [first] = hourly.past.slice(-1)
  expect(hourly.past).toMatchObject([
    { outcome: 'late', reason: 'away' },
    { outcome: 'missed', reason: 'caught_up', count: 5 },
    { at: first?.at, outcome: 'fired', reason: null },
  ])
  expect((await lab.thread(`${first?.conversationId}`)).messages[0]?.text).toContain('Stand up')
  expect(hourly.next).toMatchObject([{ count: expect.any(Number) }])

  await lab.post('/api/schedules/2?author=ana', {}, 'DELETE')
  expect(await rowOf('post what is due')).toBeUndefined()
})

it('keeps the past times of a schedule whose repeats are hidden afterwards (C236)', async () => {
  await add('every day at 9', 'Stand up --note')
  await lab.until(async () => (await rowOf('Stand up'))?.past[0])
  expect(
    (await lab.post('/api/schedules/1', { repeats: false, author: ana }, 'PATCH')).status,
  ).toBe(200)
  expect(await rowOf('Stand up')).toMatchObject({
    past: [{ at: at(9), outcome: 'fired' }],
    next: [],
  })
  await lab.post('/api/schedules/1', { repeats: true, author: ana }, 'PATCH')
  expect((await calendar()).rows).toHaveLength(1)
})

it('has what was run by hand before its first time, too (C236)', async () => {
  await add('every day at 18', 'Stand up --note')
  expect((await lab.post('/api/schedules/1/run', { author: ana })).status).toBe(202)
  const past = await lab.until(async () => (await rowOf('Stand up'))?.past[0])
  expect(past).toMatchObject({ outcome: 'fired', reason: 'by_hand' })
})

it('is one person’s own where schedules are (C235, S22)', async () => {
  await add('every day at 10', 'Ana’s --note')
  await add('every day at 10', 'Ben’s --note', { id: 'ben', name: 'Ben' })
  expect((await calendar()).rows.map(({ title }) => title)).toEqual(['Ana’s'])
  const elsewhere = '/api/schedules/1/run?workspace=slack:T9&channel=C1'
  expect((await lab.post(elsewhere, { author: ana })).status).toBe(404)
})

it('says of a past time that its thread was deleted, and leads nowhere (C278, C236)', async () => {
  await add('2026-11-20 09:00', 'post what is due today')
  await add('2026-11-20 09:00', 'Stand up --note')
  for (const title of ['post what', 'Stand up']) {
    const thread = await lab.until(async () => {
      const past = (await rowOf(title))?.past[0]
      return past?.status === 'succeeded' || past?.status === null ? past.conversationId : null
    })
    expect((await rowOf(title))?.past).toMatchObject([{ isGone: false }])
    await lab.until(
      async () => (await lab.post(`/api/conversations/${thread}`, {}, 'DELETE')).status === 200,
    )
    expect((await rowOf(title))?.past).toMatchObject([
      { outcome: 'fired', conversationId: null, isGone: true },
    ])
  }
})

it('comes in pages of which none takes long, and says what it was not asked right for (C235)', async () => {
  for (let n = 0; n < 5; n++) await add(`every 15 minutes`, `Fast ${n} --note`)
  // What cannot be read takes a place all the same, so that no page begins at a row that was there (C278).
  const redis = new Redis(url)
  await redis.hset('clew:{web:local}:schedules:user:ana', '1', 'torn')
  redis.disconnect()
  const seen: string[] = []
  let after: string | null = ''
  for (let pages = 0; after !== null && pages < 9; pages += 1) {
    const from = Date.UTC(2026, 11, 1)
    const { rows, next }: CalendarView = (await lab.get(
      `/api/calendar?from=${from}&to=${from + 60 * 24 * hourMs}&author=ana&timeZone=Asia/Tokyo${after && `&after=${after}`}`,
    )) as CalendarView
    seen.push(...rows.map(({ title }) => title))
    after = next
  }
  expect(seen.sort()).toEqual([1, 2, 3, 4].map((n) => `Fast ${n}`))
  for (const wrong of [
    'from=1',
    `from=1&to=${90 * 24 * hourMs}`,
    'from=1&to=2&timeZone=Mars',
    'from=2&to=1',
  ])
    expect(await lab.get(`/api/calendar?${wrong}`)).toMatchObject({
      error: { code: 'bad_request' },
    })
})
