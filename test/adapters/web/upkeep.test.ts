import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { FailedView } from '../../../src/adapters/web/failed-deliveries.ts'
import {
  csvOf,
  daysFrom,
  daysOf,
  type FiguresView,
  keyOf,
  tablesOf,
} from '../../../src/adapters/web/figures.ts'
import type { HealthLine } from '../../../src/adapters/web/health-words.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { noFigures } from '../../../src/agent/domain/figures.ts'
import { createFakeChannel } from '../../fakes/channel.ts'
import { createFakeModel, decides } from '../../fakes/model.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { ask } from './support.ts'

const start = useWholeClew()
const endOfYear = { year: 2026, month: 12, day: 31, hour: 0, minute: 0 }
const said = (n: number, name = '=Ana'): InboundEvent => ({
  ...{ workspace: 'chat:one', channel: 'C1', thread: `t${n}`, keys: [`m${n}`], at: Date.now() },
  author: { id: 'U1', name, bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text: 'Hello', addressed: true, forSomeoneElse: false },
})

async function open(env: Record<string, string> = {}) {
  const chat = Object.assign(createFakeChannel('chat'), {
    linkTo: () => 'https://chat.example/t1',
    nameOf: async () => '#general',
  })
  const model = createFakeModel()
  model.answer(() => decides.reply('Hello'))
  const { url } = await start(env, { channels: [chat], model })
  const get = async (path: string, headers = {}) =>
    await ask(`${url}${path}`, 'GET', undefined, headers)
  const answers = () =>
    chat.shown.flatMap(({ delivery: { id, body } }) => (body.kind === 'message' ? [id] : []))
  const health = async () =>
    (await get('/api/health')).body as { lines: HealthLine[]; failed: FailedView[] }
  return { chat, answers, model, url, get, health }
}

it('tells what the days took by the names that people know, and the same as a table in which no name is a formula (C227)', async () => {
  const { chat, answers, get, model } = await open({ MODEL_PRICES: 'fake=1/2' })
  await chat.intake(said(1))
  await expect.poll(answers).toHaveLength(1)
  const figures = (await get('/api/figures')).body as FiguresView
  expect(figures.days).toHaveLength(30)
  expect(figures).toMatchObject({
    ...{ to: figures.days.at(-1)?.day, currency: 'USD', total: { runs: 0, promptTokens: 100 } },
    person: [{ workspace: 'chat:one', id: 'U1', name: '=Ana', promptTokens: 100 }],
    channel: [{ id: 'C1', name: '#general' }],
    model: [{ name: model.name }],
  })
  const { body, headers } = await get(`/api/figures.csv?from=${figures.to}&to=${figures.to}`)
  expect(headers.get('content-disposition')).toContain(`clew-${figures.to}-${figures.to}.csv`)
  const [header, ...lines] = String(body).split('\r\n')
  expect(header).toContain('day,by,workspace,id,name,succeeded')
  expect(lines).toContainEqual(
    expect.stringContaining(`"${figures.to}","person","chat:one","U1","'=Ana",0,0,0,0,100,20,`),
  )
  for (const bad of [
    'from=2026-02-30',
    'from=2026-03-05&to=2026-03-04',
    'from=2020-01-01',
    'to=soon',
    'days=0',
  ])
    expect((await get(`/api/figures?${bad}`)).status, bad).toBe(400)
})

it.each([
  ['=1+1', "'=1+1"],
  [' ＝1+1', " '＝1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a\t@SUM(1)', "a\t'@SUM(1)"],
  ['a\n-1', "a\n'-1"],
  ['a = b; c-d, Jean-Luc', 'a = b; c-d, Jean-Luc'],
])(
  'in a table program that parts cells in its own way %j is no formula either (C218, C227)',
  async (name, cell) => {
    const row = {
      day: '2026-03-04',
      by: 'person' as const,
      id: 'U1',
      name,
      workspace: 'chat:one',
      ...noFigures,
    }
    expect(await csvOf([row], new Map([[keyOf(row), name]]), 'USD')).toContain(`"U1","${cell}",0`)
    expect(await csvOf([row], new Map(), 'USD')).toMatch(/,0,0,USD\r\n$/)
    expect(await csvOf([row], new Map(), null)).toMatch(/,,0,\r\n$/)
  },
)

it('lets others have their turn while the year of a large team is added up (C219)', async () => {
  const days = daysFrom({ year: 2026, month: 1, day: 1, hour: 0, minute: 0 }, endOfYear, 400)
  const rows = days.flatMap((day) =>
    Array.from({ length: 100 }, (_, n) => ({
      ...{
        ...noFigures,
        workspace: 'chat:one',
        day,
        by: n === 0 ? ('team' as const) : ('person' as const),
      },
      ...{
        id: n === 0 ? '' : `U${n}`,
        name: n === 0 ? null : `Person ${n} on ${day}`,
        promptTokens: n,
      },
    })),
  )
  let turns = 0
  let isDone = false
  const others = (async () => {
    for (; !isDone; turns += 1) await setImmediate()
  })()
  const { person } = await tablesOf(rows)
  const csv = await csvOf(rows, new Map(), null)
  isDone = true
  await others
  expect(turns).toBeGreaterThan(30)
  expect(person[0]).toMatchObject({
    id: 'U99',
    name: 'Person 99 on 2026-12-31',
    promptTokens: 99 * 365,
  })
  expect(csv.split('\r\n')).toHaveLength(36_502)
  expect(daysOf(rows, days)).toHaveLength(365)
})

it('is for operators alone (C227)', async () => {
  const { get } = await open({ WEB_TOKEN: 'secret-of-operators' })
  for (const path of ['/api/figures', '/api/figures.csv', '/api/health'])
    expect((await get(path)).status).toBe(401)
  const headers = { authorization: 'Bearer secret-of-operators' }
  expect((await get('/api/figures', headers)).status).toBe(200)
})

it('keeps what a platform refused, sends it again once, however often that is asked for, and says what came of it (C230)', async () => {
  const { chat, answers, health, url } = await open()
  chat.fail({ kind: 'refused', reason: 'not_in_channel' })
  await chat.intake(said(1))
  await expect.poll(async () => (await health()).failed.length).toBe(1)
  const [failed] = (await health()).failed
  expect(failed).toMatchObject({
    ...{
      workspace: 'chat:one',
      kind: 'message',
      text: 'Hello',
      why: 'forbidden',
      problem: 'not_in_channel',
    },
    ...{ state: 'failed', link: 'https://chat.example/t1' },
  })
  expect((await health()).lines.find(({ name }) => name === 'Outbox')).toMatchObject({
    level: 'trouble',
  })
  const path = `${url}/api/deliveries/${failed?.id}/again`
  expect((await ask(path, 'POST')).status, 'not of the page').toBe(404)
  const pressed = await Promise.all([1, 2, 3].map(() => ask(`${path}?workspace=chat:one`, 'POST')))
  expect(pressed.map(({ body }) => (body as { duplicate: boolean }).duplicate).sort()).toEqual([
    false,
    true,
    true,
  ])
  await expect.poll(async () => (await health()).failed[0]?.state).toBe('sent')
  expect(answers()).toEqual([failed?.id])
  expect((await ask(`${url}/api/deliveries/d_none/again?workspace=chat:one`, 'POST')).status).toBe(
    404,
  )
})
