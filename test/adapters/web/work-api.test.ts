import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Lab, openLab } from '../../schedules/support.ts'
import { ask } from './support.ts'

// A Wednesday in Lisbon, at ten.
const start = Date.UTC(2026, 2, 4, 10)
let lab: Lab
beforeAll(async () => {
  lab = await openLab({ start, env: { DEFAULT_TIME_ZONE: 'Europe/Lisbon' } })
})
afterAll(() => lab.stop())

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
  const answer = await ask(`${lab.clew().url}/api${path}`, method, body, {
    'accept-language': 'en',
  })
  return { status: answer.status, body: answer.body as Record<string, unknown> }
}
const add = async (body: object) => await call('POST', '/schedules', body)
const all = async () =>
  (await call('GET', '/schedules')).body.schedules as { id: number; title: string }[]

describe('schedules over the API', () => {
  it('are listed a page at a time, those that are gone left out, in a time that does not depend on how many there are (C176)', async () => {
    const added: number[] = []
    for (let n = 0; n < 6; n++) {
      const { schedule } = (await add({ text: 'every day at 9:00 look at the news' })).body as {
        schedule: { id: number }
      }
      added.push(schedule.id)
    }
    const [first = 0, second = 0, third, fourth, fifth, sixth] = added
    await call('DELETE', `/schedules/${second}`)
    const page = async (query: string) =>
      ((await call('GET', `/schedules?${query}`)).body.schedules as { id: number }[]).map(
        ({ id }) => id,
      )
    expect(await page(`limit=3&above=${first - 1 || 1}`)).toEqual(
      first > 1 ? [first, third, fourth] : [third, fourth, fifth],
    )
    expect(await page(`limit=3&above=${fourth}`)).toEqual([fifth, sixth])
    expect((await call('GET', '/schedules?limit=0')).status).toBe(400)
    for (const id of added) await call('DELETE', `/schedules/${id}`)
  })

  afterEach(async () => {
    for (const { id } of await all()) await call('DELETE', `/schedules/${id}`)
  })

  it('are made from words, a time or cron, and say what was understood', async () => {
    const made = await add({ when: 'every weekday at nine', title: 'post what is due today' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        schedule: {
          title: 'post what is due today',
          rule: 'every weekday at 09:00',
          timeZone: 'Europe/Lisbon',
          next: ['2026-03-05T09:00Z', '2026-03-06T09:00Z', '2026-03-09T09:00Z'].map((time) =>
            Date.parse(time),
          ),
          paused: false,
          allow: [],
        },
      },
    })
    expect(made.body.schedule).toHaveProperty(
      'clockRule',
      expect.stringContaining('02:30 becomes 03:30'),
    )
    await add({ text: '0 9 * * 1-5 check the build --times 3' })
    await add({ when: '2026-03-08 18:00', title: 'pack' })
    await add({
      text: '每个工作日九点发一下今天到期的事项',
      locale: 'zh',
      timeZone: 'Asia/Shanghai',
    })
    expect((await all()).map(({ title }) => title)).toEqual([
      'post what is due today',
      'check the build',
      'pack',
      '发一下今天到期的事项',
    ])
  })

  it('have several clocks, days and limits, which a change sets anew (C313, C315)', async () => {
    const { body } = await add({
      when: 'weekdays and saturday at 9 and 18 starting 1 april 2026 until 30 june 2026',
      title: 'post what is due',
    })
    const { id } = body.schedule as { id: number }
    const listed = async () => (await all()).find((one) => one.id === id)
    const days = (from: string, until: string) => ({
      starting: Date.parse(`${from}T00:00+01:00`),
      until: Date.parse(`${until}T23:59+01:00`),
    })
    expect(await listed()).toMatchObject({
      title: 'post what is due',
      rule: expect.stringMatching(/ at 09:00 and 18:00 starting 2026-04-01 until 2026-06-30$/),
      when: {
        expression: '0 9,18 * * 1,2,3,4,5,6',
        ...days('2026-04-01', '2026-06-30'),
      },
      next: expect.arrayContaining([Date.parse('2026-04-01T09:00+01:00')]),
    })
    const changed = { when: '从2026年5月1日开始每月1号和15号9点直到2026年7月1日' }
    expect((await call('PATCH', `/schedules/${id}`, changed)).status).toBe(200)
    expect(await listed()).toMatchObject({
      when: { expression: '0 9 1,15 * *', ...days('2026-05-01', '2026-07-01') },
    })
    const halves = { when: 'every day at 9 unless it rains' }
    expect((await call('PATCH', `/schedules/${id}`, halves)).status).toBe(400)
  })

  it('are one however often the same gesture is sent', async () => {
    const body = { when: 'every day at 9', title: 'once', clientMessageId: 'press-1' }
    const [first, second] = [await add(body), await add(body)]
    expect(second.body).toMatchObject({
      schedule: { id: (first.body.schedule as { id: number }).id },
    })
    expect(await all()).toHaveLength(1)
  })

  it('are refused with the nearest right form', async () => {
    expect(await add({ text: 'every wrkday at nine post it' })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'unreadable',
          message: expect.stringContaining('every weekday at 9 post what is due today'),
        },
      },
    })
    // Nothing of what stands under "when" may become what is to be done.
    for (const when of ['every weekday at 25:00', 'every blue moon', 'every day report'])
      expect(await add({ when, title: 'x' })).toMatchObject({
        status: 400,
        body: { error: { code: 'unreadable' } },
      })
    for (const body of [
      {},
      { text: '' },
      { text: 7 },
      { when: 'daily' },
      { text: 'x'.repeat(5_000) },
    ])
      expect(await add(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request' } },
      })
  })

  it('are paused, changed, shown in their slots, started by hand and tried dry (C255)', async () => {
    const { body } = await add({ when: 'every day at 9', title: 'post what is due today' })
    const { id } = body.schedule as { id: number }
    expect(await call('PATCH', `/schedules/${id}`, { paused: true })).toMatchObject({
      status: 200,
      body: { paused: true },
    })
    expect((await call('POST', `/schedules/${id}/dry`, {})).body.text).toContain('it’s paused')
    const changed = await call('PATCH', `/schedules/${id}`, {
      paused: false,
      text: 'every day at 10 show what is due --allow todo',
    })
    expect(changed.body).toMatchObject({
      paused: false,
      title: 'show what is due',
      rule: 'every day at 10:00',
      allow: ['todo'],
    })
    // On its own clock, and neither is taken for the other.
    const apart = {
      when: 'every friday at 7:30',
      title: 'every day: show it',
      timeZone: 'Asia/Tokyo',
    }
    expect(await call('PATCH', `/schedules/${id}`, apart)).toMatchObject({
      body: {
        title: apart.title,
        rule: 'every Friday at 07:30',
        timeZone: changed.body.timeZone,
        allow: ['todo'],
      },
    })
    expect((await call('PATCH', `/schedules/${id}`, { title: 'show' })).body).toMatchObject({
      ...{ title: 'show', rule: 'every Friday at 07:30' },
    })
    const [{ when: now } = {}] = (await call('GET', '/schedules')).body.schedules as {
      when?: object
    }[]
    const change = (title: string) =>
      call('PATCH', `/schedules/${id}`, { title: 'show', seen: { title, when: now } })
    expect(await change('show it'), 'somebody renamed it').toMatchObject({ status: 409 })
    expect(await change('show')).toMatchObject({ status: 200 })
    for (const when of ['some day', 'every friday report'])
      expect(await call('PATCH', `/schedules/${id}`, { when })).toMatchObject({
        body: { error: { code: 'unreadable' } },
      })
    expect(await call('GET', `/schedules/${id}/slots`)).toMatchObject({
      status: 200,
      body: { slots: [] },
    })
    expect((await call('POST', `/schedules/${id}/run`, {})).status).toBe(202)
    const slots = await lab.until(async () => {
      const found = (await call('GET', `/schedules/${id}/slots`)).body.slots as object[]
      return found.length > 0 && found
    })
    expect(slots).toMatchObject([
      { outcome: 'fired', reason: 'by_hand', runId: expect.stringMatching(/^r_/) },
    ])
  })

  it('that are not there are not found', async () => {
    for (const [method, path] of [
      ['PATCH', '/schedules/99'],
      ['DELETE', '/schedules/99'],
      ['GET', '/schedules/99/slots'],
      ['POST', '/schedules/99/run'],
      ['POST', '/schedules/99/dry'],
    ] as const)
      expect(
        await call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {}),
      ).toMatchObject({
        status: 404,
        body: { error: { code: 'unknown_schedule' } },
      })
    expect((await call('PATCH', '/schedules/none', {})).status).toBe(404)
  })
})

describe('to-dos over the API', () => {
  beforeEach(async () => {
    await call('POST', '/todos', {
      text: 'Call Ana --due 2026-03-04 18:00 --remind 2026-03-04 17:00 --tag Work',
    })
    await call('POST', '/todos', { text: 'Some day --priority 2' })
  })
  afterEach(async () => {
    const { todos } = (await call('GET', '/todos')).body as { todos: { id: number }[] }
    for (const { id } of todos) await call('DELETE', `/todos/${id}`)
  })
  const texts = async (query = '') =>
    ((await call('GET', `/todos${query}`)).body.todos as { text: string }[]).map(({ text }) => text)

  it('are listed by priority and by view (F7, F8)', async () => {
    expect(await texts()).toEqual(['Call Ana', 'Some day'])
    expect(await texts('?view=today')).toEqual(['Call Ana'])
    expect(await texts('?view=inbox')).toEqual(['Some day'])
    expect(await texts('?tag=work')).toEqual(['Call Ana'])
    expect((await call('GET', '/todos?view=nope')).status).toBe(400)
  })

  it('are added by lines, and listed by their owner (C373, C374)', async () => {
    const author = { id: 'ana', name: 'Ana' }
    const text = '- Book a room --owner me\n- Buy milk'
    expect(await call('POST', '/todos', { text, author })).toMatchObject({
      status: 201,
      body: { todo: { text: 'Book a room' }, todos: [{ owner: author }, { text: 'Buy milk' }] },
    })
    expect(await texts('?view=mine&author=ana')).toEqual(['Book a room'])
    expect(await texts('?owner=me&author=ana')).toEqual(['Book a room'])
    expect((await call('GET', '/todos?owner=nobody-at-all')).status).toBe(400)
  })

  it('are done, changed and deleted, and not changed over what somebody else did (C253)', async () => {
    const { todos } = (await call('GET', '/todos')).body as { todos: { id: number }[] }
    const id = todos[0]?.id
    expect(await call('PATCH', `/todos/${id}`, { done: true })).toMatchObject({
      body: { doneAt: expect.any(Number) },
    })
    expect(await call('PATCH', `/todos/${id}`, { done: false })).toMatchObject({
      body: { doneAt: null },
    })
    expect(await call('PATCH', `/todos/${id}`, { text: 'Call Ben --priority 1' })).toMatchObject({
      body: { text: 'Call Ben', priority: 1, tag: 'work' },
    })
    const [{ dueAt = null } = {}] = (await call('GET', '/todos')).body.todos as {
      dueAt?: number | null
    }[]
    const change = (text: string) =>
      call('PATCH', `/todos/${id}`, { text: '--due tomorrow', done: true, seen: { text, dueAt } })
    expect(await change('Call Ana'), 'somebody renamed it').toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'changed_meanwhile',
          message: expect.stringContaining('Somebody else has just changed this'),
        },
      },
    })
    expect((await call('GET', '/todos')).body.todos).toContainEqual(
      expect.objectContaining({ id, dueAt, doneAt: null }),
    )
    expect(await change('Call Ben')).toMatchObject({
      status: 200,
      body: { doneAt: expect.any(Number) },
    })
    expect(await call('DELETE', `/todos/${id}`)).toMatchObject({
      status: 200,
      body: { deleted: true },
    })
    expect((await call('PATCH', `/todos/${id}`, { done: true })).status).toBe(404)
  })

  it('are refused with the nearest right form', async () => {
    expect(await call('POST', '/todos', { text: 'x --remind tomorrow' })).toMatchObject({
      status: 400,
      body: { error: { code: 'unreadable', message: expect.stringContaining('--due') } },
    })
  })
})

it('describes both in the OpenAPI document', async () => {
  const { body } = await ask(`${lab.clew().url}/api/openapi.json`)
  const paths = Object.keys((body as { paths: object }).paths)
  for (const path of [
    '/api/schedules',
    '/api/schedules/{id}',
    '/api/schedules/{id}/slots',
    '/api/todos',
    '/api/todos/{id}',
  ])
    expect(paths).toContain(path)
})
