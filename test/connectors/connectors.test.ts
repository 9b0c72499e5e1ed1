import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunView } from '../../src/adapters/web/views.ts'
import { ask } from '../adapters/web/support.ts'
import {
  acts,
  asks,
  closes,
  createFakeModel,
  ends,
  type FakeModel,
  hangs,
  plans,
} from '../fakes/model.ts'
import { type Lab, openLab } from '../schedules/support.ts'
import { connectorAt, connectorsFile, type StartedBody, secrets } from './support.ts'

const minute = 60_000
let lab: Lab
let model: FakeModel
let ci: ReturnType<typeof connectorAt>
let desk: ReturnType<typeof connectorAt>
beforeEach(async () => {
  model = createFakeModel()
  lab = await openLab({ model, env: { CONNECTORS_FILE: await connectorsFile() } })
  const url = () => lab.clew().url ?? ''
  ci = connectorAt(url, secrets.ci)
  desk = connectorAt(url, secrets.desk)
})
afterEach(() => lab.stop())

const goal = (text: string) => ({ input: { goal: text } })
const runs = async () => ((await lab.get('/api/runs')) as { runs: RunView[] }).runs

/** Each task takes one step, and comes to what its goal says; a goal with "fail" fails. */
function everyTaskSays() {
  model.answer(({ contract, input }) => {
    if (contract === 'plan') return plans('Look')
    if (contract === 'thought') return closes('looked')
    return ends(`Done: ${'goal' in input ? input.goal : ''}`)
  })
}

async function ended(id: string, by = ci) {
  return await lab.until(async () => {
    const { body } = await by.get(`/api/runs/${id}`)
    return (body as RunView).endedAt !== null && (body as RunView)
  })
}

describe('work that a connector starts', () => {
  it('is stored before it is acknowledged, worked on, and its result is the connector’s to ask for (C120, C122)', async () => {
    everyTaskSays()
    const { status, body } = await desk.start({
      requestId: 'ticket-7',
      ...goal('Look into ticket 7'),
    })
    expect(status).toBe(202)
    expect(body).toEqual({
      id: expect.any(String),
      conversationId: null,
      groupRunId: null,
      duplicate: false,
    })
    // It is there at once, by the id of the answer.
    expect((await desk.get(`/api/runs/${body.id}`)).status).toBe(200)
    expect(await ended(body.id, desk)).toMatchObject({
      title: 'Look into ticket 7',
      status: 'succeeded',
      result: 'Done: Look into ticket 7',
      requestedBy: null,
    })
    expect(await lab.threads(), 'nobody is told').toEqual([])
  })

  it('is the same run when the same request arrives again, however often and whatever it says by then (C120, R116)', async () => {
    everyTaskSays()
    const send = (text: string) => desk.start({ requestId: 'ticket-7', ...goal(text) })
    const all = await Promise.all(Array.from({ length: 6 }, () => send('Look into ticket 7')))
    await ended(all[0]?.body.id ?? '', desk)
    await lab.restart()
    all.push(await send('Something else'))
    expect(new Set(all.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(all.filter(({ body }) => !body.duplicate)).toHaveLength(1)
    expect(await runs()).toHaveLength(1)
    // Another connector's requests are its own.
    expect((await ci.start({ requestId: 'ticket-7', ...goal('Look') })).body).toMatchObject({
      duplicate: false,
    })
  })

  it('has no tools that change anything (C120, S4)', async () => {
    model.on('plan', plans('Tidy'))
    model.on('thought', acts('add Hacked', 'todo'), closes('refused'))
    model.on('replan', ends('Nothing was changed.'))
    const { body } = await desk.start({ requestId: 'x', ...goal('Add a to-do') })
    await ended(body.id, desk)
    expect(await lab.get('/api/todos')).toEqual({ todos: [] })
  })

  it('opens a thread for its report in the channel that it names (C121, R147)', async () => {
    everyTaskSays()
    const { body } = await ci.start({
      requestId: 'b1',
      channel: 'web:local/web',
      ...goal('Why is the build red?'),
    })
    await ended(body.id)
    const [line] = await lab.threads()
    expect(line).toMatchObject({
      title: expect.stringMatching(/^Why is the build red\? · /),
      unread: true,
    })
    const next = await ci.start({ requestId: 'b2', conversationId: line?.id, ...goal('And now?') })
    expect(next.body).toMatchObject({ conversationId: line?.id })
    await ended(next.body.id)
    const { messages } = await lab.thread(line?.id ?? '')
    expect(messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('Done: Why is the build red?'),
      expect.stringContaining('Done: And now?'),
    ])
  })

  it('goes where its connector may speak, and nowhere else (C121, S5)', async () => {
    const thread = await lab.say('Hello')
    const refused = async (answer: Promise<{ status: number; body: StartedBody }>) => {
      const { status, body } = await answer
      return `${status} ${body.error?.code}`
    }
    const work = goal('Look')
    expect(await refused(ci.start({ requestId: '1', channel: 'slack:T1/C1', ...work }))).toBe(
      '403 channel_not_allowed',
    )
    expect(await refused(desk.start({ requestId: '2', channel: 'web:local/web', ...work }))).toBe(
      '403 channel_not_allowed',
    )
    expect(await refused(desk.start({ requestId: '3', conversationId: thread, ...work }))).toBe(
      '404 unknown_conversation',
    )
    expect((await ci.start({ requestId: '4', conversationId: thread, ...work })).status).toBe(202)
    const both = ci.start({
      requestId: '5',
      conversationId: thread,
      channel: 'web:local/web',
      ...work,
    })
    expect(await refused(both)).toBe('400 bad_request')
  })

  it('may go on in the thread that a question of its own opened (C121, C48)', async () => {
    model.on('plan', plans('Ask'))
    model.on('thought', asks('Which one?', ['A', 'B']))
    const { body } = await desk.start({ requestId: 'q', ...goal('Choose') })
    const view = await lab.until(async () => {
      const run = (await desk.get(`/api/runs/${body.id}`)).body as RunView
      return run.conversationId !== null && (await lab.thread(run.conversationId))
    })
    everyTaskSays()
    await lab.post(`/api/questions/${view.question?.id}/answer`, { choice: 'A' })
    expect(await ended(body.id, desk)).toMatchObject({ status: 'succeeded' })
    expect((await lab.thread(view.id)).messages.at(-1)?.text).toContain('Done: Choose')
    expect(
      (await desk.start({ requestId: 'q2', conversationId: view.id, ...goal('More') })).status,
    ).toBe(202)
  })

  it('is of a type that it may start, with an input that fits, and within limits; each refusal says why (C120, C65)', async () => {
    const refused = async (body: object, by = desk) => {
      const answer = await by.start({ requestId: 'r', ...body })
      return `${answer.status} ${answer.body.error?.code}: ${answer.body.error?.message}`
    }
    expect(await refused({ type: 'sleep', input: { seconds: 5 } })).toMatch(
      /^403 run_type_not_allowed: .*"sleep"/,
    )
    expect(await refused({ type: 'gather', input: { size: 2, until: 0 } }, ci)).toMatch(
      /^403 run_type_not_allowed/,
    )
    expect(await refused({ input: {} })).toMatch(/^400 unreadable: input: .*goal/)
    expect(await refused({ ...goal('Look'), colour: 'red' })).toMatch(
      /^400 unknown_fields: .*colour/,
    )
    expect(await refused(goal('x'.repeat(40_001)))).toMatch(/^413 text_too_long/)
    expect(await refused({ ...goal('Look'), title: '' })).toMatch(/^400 bad_request: .*title/)
    expect(await refused({ ...goal('Look'), group: { id: 'g', size: 51 } })).toMatch(
      /^400 bad_request: .*group.size/,
    )
    for (let n = 0; n < 60; n += 1)
      await ci.start({ requestId: `n${n}`, type: 'sleep', input: { seconds: 60 } })
    const last = { requestId: 'n60', type: 'sleep', input: { seconds: 60 } }
    expect((await ci.start(last)).body.error?.code).toBe('too_many_runs')
    expect(
      (await ci.start({ ...last, requestId: 'n0' })).status,
      'one that is known is no new one',
    ).toBe(202)
    await lab.pass(minute)
    expect((await ci.start(last)).status).toBe(202)
  })
})

describe('the secret of a connector', () => {
  it('starts its work and shows its own runs, and opens nothing else (S20)', async () => {
    everyTaskSays()
    const url = lab.clew().url ?? ''
    const { body } = await desk.start({ requestId: 'a', ...goal('Look') })
    expect((await ci.get(`/api/runs/${body.id}`)).status, 'another’s').toBe(404)
    for (const path of [
      '/api/runs',
      '/api/conversations',
      `/api/runs/${body.id}/trace`,
      '/api/events',
      '/metrics',
    ])
      expect({ path, status: (await desk.get(path)).status }).toEqual({ path, status: 403 })
    expect((await desk.get('/api/openapi.json')).status).toBe(200)
    const bearer = { authorization: `Bearer ${secrets.desk}` }
    expect((await ask(`${url}/api/runs/${body.id}/cancel`, 'POST', {}, bearer)).status).toBe(403)
    expect(
      (await ask(`${url}/api/runs`, 'POST', { requestId: 'p', ...goal('Look') })).body,
    ).toMatchObject({
      error: { code: 'connectors_only' },
    })
  })

  it('is guessed at most 20 times a minute (S14, S20)', async () => {
    const url = () => lab.clew().url ?? ''
    const guess = async (n: number) =>
      (await connectorAt(url, `guess-${n}`).start({ requestId: 'g', ...goal('x') })).status
    const answers: number[] = []
    for (let n = 0; n < 25; n += 1) answers.push(await guess(n))
    expect(answers).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
    expect((await desk.get('/api/openapi.json')).status, 'from that address nobody is let in').toBe(
      429,
    )
    await lab.pass(minute)
    expect((await desk.get('/api/openapi.json')).status).toBe(200)
  })
})

describe('a group of runs', () => {
  const group = (more: object = {}) => ({
    group: { id: 'night', size: 3, title: 'The night build', ...more },
  })
  const member = (n: number, more: object = {}) =>
    ci.start({
      requestId: `m${n}`,
      channel: 'web:local/web',
      title: `Part ${n}`,
      ...goal(`Part ${n}`),
      ...group(),
      ...more,
    })

  it('is one report, when the last of them is done; one that failed is named (C123)', async () => {
    model.answer(({ contract, input }) => {
      const goal = 'goal' in input ? input.goal : ''
      if (contract === 'plan') return goal === 'Part 2' ? null : plans('Look')
      if (contract === 'thought') return closes('looked')
      return ends(`Done: ${goal}`)
    })
    const started = [await member(1), await member(2)]
    await lab.pass(minute)
    expect(await lab.threads(), 'not whole yet').toEqual([])
    started.push(await member(3))
    const report = await ended(started[0]?.body.groupRunId ?? '')
    expect(new Set(started.map(({ body }) => body.groupRunId)).size).toBe(1)
    expect(report.result).toContain('**Part 1**\nDone: Part 1')
    expect(report.result).toContain('**Part 2**: not done.')
    expect(report.result).toContain('**Part 3**\nDone: Part 3')
    const threads = await lab.threads()
    expect(threads.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^The night build · /),
    ])
    const { messages } = await lab.thread(threads[0]?.id ?? '')
    expect(messages).toHaveLength(1)
    expect((await member(4)).body.error?.code).toBe('group_closed')
    expect((await member(3)).body, 'sent again').toMatchObject({
      duplicate: true,
      id: started[2]?.body.id,
    })
  })

  it('has as many members as it was opened for, and one place (C123)', async () => {
    model.answer(() => hangs())
    await member(1)
    expect((await member(2, group({ size: 4 }))).body.error?.code).toBe('group_differs')
    expect((await member(2, { channel: undefined })).body.error?.code).toBe('group_differs')
    await member(2)
    await member(3)
    expect((await member(4)).body.error?.code).toBe('group_full')
  })

  it('takes its last member once, however many send it at the same time (C120, C123)', async () => {
    everyTaskSays()
    await member(1, group({ size: 2 }))
    const all = await Promise.all(Array.from({ length: 5 }, () => member(2, group({ size: 2 }))))
    expect(new Set(all.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    await ended(all[0]?.body.groupRunId ?? '')
  })

  it('is closed after its time: what did not come and what is not done is named (C123)', async () => {
    everyTaskSays()
    const soon = group({ waitMinutes: 10 })
    const { body } = await member(1, soon)
    await member(2, { ...soon, type: 'sleep', input: { seconds: 3_600 } })
    await lab.pass(9 * minute, 30_000)
    expect(await lab.threads()).toEqual([])
    const report = await lab.until(async () => {
      const run = (await ci.get(`/api/runs/${body.groupRunId}`)).body as RunView
      return run.endedAt !== null && run
    })
    expect(report.result).toContain('Done: Part 1')
    expect(report.result).toContain('**Part 2**: not finished in time.')
    expect(report.result).toContain('1 of 3 results didn’t arrive in time.')
  })

  it('is read by its connector where no place is named (C122, C123)', async () => {
    everyTaskSays()
    const send = (n: number) =>
      desk.start({ requestId: `s${n}`, ...goal(`Part ${n}`), group: { id: 'g', size: 2 } })
    const { body } = await send(1)
    await send(2)
    const report = await ended(body.groupRunId ?? '', desk)
    expect(report).toMatchObject({ status: 'succeeded', title: 'g' })
    expect(report.result).toContain('Done: Part 2')
    expect(await lab.threads()).toEqual([])
  })

  it('tells of a member that was stopped by hand (C109, C123)', async () => {
    model.answer(() => hangs())
    const { body } = await member(1, group({ size: 2 }))
    await lab.until(async () =>
      (await runs()).some(({ id, status }) => id === body.id && status === 'running'),
    )
    await lab.post(`/api/runs/${body.id}/cancel`, {})
    everyTaskSays()
    await member(2, group({ size: 2 }))
    const report = await ended(body.groupRunId ?? '')
    expect(report.result).toContain('**Part 1**: stopped.')
    expect(report.result).toContain('Done: Part 2')
  })
})
