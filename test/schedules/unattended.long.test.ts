import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunView } from '../../src/adapters/web/views.ts'
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
import { type Lab, openLab } from './support.ts'

const start = Date.UTC(2026, 10, 20, 8, 58)
const hour = 3_600_000
let lab: Lab
let model: FakeModel
beforeEach(async () => {
  model = createFakeModel()
  lab = await openLab({ start, model })
})
afterEach(() => lab.stop())

const runs = async () => ((await lab.get('/api/runs')) as { runs: RunView[] }).runs
const ended = (count = 1) =>
  lab.until(async () => {
    const done = (await runs()).filter(({ endedAt }) => endedAt !== null)
    return done.length >= count && done
  })
const opened = () =>
  lab.until(async () => (await lab.threads()).find(({ title }) => title !== 'asked'))

async function schedule(when: string, title: string, options = '') {
  const { body } = await lab.post('/api/schedules', {
    text: `${when} ${title} ${options}`,
    timeZone: 'UTC',
  })
  return (body as { schedule: { id: number } }).schedule.id
}

describe('work that nobody watches', () => {
  it('has no tools that change anything, whatever the model says, and none that is not set up (S4, F13, C149)', async () => {
    await schedule('every day at 9:00', 'Tidy up')
    model.on('plan', plans('Tidy'))
    model.on(
      'thought',
      acts('add Hacked', 'todo'),
      acts('add every day at 9 Hacked', 'schedule'),
      closes('refused'),
    )
    model.on('replan', ends('Nothing was changed.'))
    await ended()
    const [thought] = model.calls.filter(({ contract }) => contract === 'thought')
    const tools = thought?.contract === 'thought' ? thought.input.tools : []
    const changing = ['todo', 'schedule', 'memory', 'files']
    expect(tools.map(({ name }) => name)).toEqual([...changing, 'tables', 'recall'])
    for (const { description } of tools.slice(0, changing.length))
      expect(description).toContain('it changes nothing')
    expect(await lab.get('/api/todos')).toEqual({ todos: [] })
    expect(((await lab.get('/api/schedules')) as { schedules: unknown[] }).schedules).toHaveLength(
      1,
    )
  })

  it('may use what a person allowed its schedule, and no more (S4)', async () => {
    await schedule('every day at 9:00', 'Tidy up', '--allow todo')
    model.on('plan', plans('Tidy'))
    model.on(
      'thought',
      acts('add Noted', 'todo'),
      acts('add every day at 9 Hacked', 'schedule'),
      closes('done'),
    )
    model.on('replan', ends('One to-do was noted.'))
    await ended()
    expect(await lab.get('/api/todos')).toMatchObject({ todos: [{ text: 'Noted' }] })
    expect(((await lab.get('/api/schedules')) as { schedules: unknown[] }).schedules).toHaveLength(
      1,
    )
  })

  it('that asks opens its thread with what it has so far and the question, and goes on with the answer (C48, R106, R145)', async () => {
    await schedule('every day at 9:00', 'Book the venue')
    model.on('plan', plans('Look', 'Book'))
    model.on(
      'thought',
      closes('three venues are free'),
      asks('Which one?', ['Lisbon', 'Porto']),
      closes('booked'),
    )
    const line = await opened()
    expect(line).toMatchObject({ title: expect.stringMatching(/^Book the venue · /), unread: true })
    const view = await lab.thread(line.id)
    expect(view.messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('three venues are free'),
      expect.stringContaining('Which one?'),
    ])
    model.on('replan', ends('Porto is booked.'))
    await lab.post(`/api/questions/${view.question?.id}/answer`, { choice: 'Porto' })
    const [run] = await ended()
    expect(run).toMatchObject({ status: 'succeeded', result: 'Porto is booked.' })
  })

  it('whose question nobody answers for a day ends failed, with what was done (C48)', async () => {
    await schedule('2026-11-20 09:00', 'Book the venue')
    model.on('plan', plans('Look', 'Book'))
    model.on('thought', closes('three venues are free'), asks('Which one?'))
    const { id } = await opened()
    await lab.pass(24 * hour - 3 * 60_000, hour)
    expect((await runs())[0]?.status).toBe('awaiting_clarification')
    const [run] = await ended()
    expect(run?.status).toBe('failed')
    expect(run?.error).toContain('three venues are free')
    expect(run?.error).toContain('Nobody answered my question in time.')
    expect((await lab.thread(id)).question).toBeNull()
  })

  it('is skipped while its last run still asks, and says so (F13)', async () => {
    const id = await schedule('*/4 * * * *', 'Ask')
    model.on('plan', plans('Ask'))
    model.on('thought', asks('Well?'))
    await opened()
    await lab.pass(4 * 60_000, 10_000)
    const slots = await lab.until(async () => {
      const found = ((await lab.get(`/api/schedules/${id}/slots`)) as { slots: object[] }).slots
      return found.length > 1 && found
    })
    expect(slots[0]).toMatchObject({ outcome: 'skipped', reason: 'still_asking', runId: null })
    expect(await runs()).toHaveLength(1)
  })

  it('posts into the thread that its schedule names (R105, R122, R147)', async () => {
    const asked = await lab.say('/schedule add every day at 9:00 Say hello --here')
    await lab.reply(asked)
    model.on('plan', plans('Say'))
    model.on('thought', closes('said'))
    model.on('replan', ends('Hello.'))
    await ended()
    expect(await lab.threads()).toHaveLength(1)
    expect((await lab.thread(asked)).messages.at(-1)?.text).toContain('Hello.')
  })
})

describe('work without a thread', () => {
  const working = async () => {
    await schedule('every day at 9:00', 'Tidy up')
    model.on('plan', hangs())
    return await lab.until(async () => (await runs()).find(({ status }) => status === 'running'))
  }

  it('is canceled over the API; the thread that says so is opened for it, unread (C109, R104, R106)', async () => {
    const run = await working()
    const { status, body } = await lab.post(`/api/runs/${run.id}/cancel`, {})
    expect(status).toBe(202)
    const [line] = await lab.until(async () => {
      const named = (await lab.threads()).filter(({ title }) => title.startsWith('Tidy up · '))
      return named.length > 0 && named
    })
    expect(line).toMatchObject({ id: body.conversationId, unread: true })
    const [canceled] = await ended()
    expect(canceled).toMatchObject({ status: 'canceled', conversationId: body.conversationId })
    const said = await lab.until(
      async () => (await lab.thread(String(body.conversationId))).messages.at(-1)?.text,
    )
    expect(said).toContain('The request was “Tidy up”.')
    expect((await lab.post(`/api/runs/${run.id}/cancel`, {})).status).toBe(409)
  })

  it('is listed by /task, and ends in the thread where it is stopped (C109, R104, R105)', async () => {
    const run = await working()
    const asked = await lab.say('/task list')
    const name = run.id.replace('_', '').slice(0, 5)
    expect(await lab.reply(asked)).toBe(
      `**Running, with no thread yet**\n- **#${name}** Tidy up · working`,
    )
    expect(await lab.ask(`/task cancel ${name}`, asked)).toContain('The request was “Tidy up”.')
    expect((await ended())[0]).toMatchObject({ status: 'canceled', conversationId: asked })
    expect(await lab.ask('/task list', asked)).toBe(
      '**Tasks in this thread**\n- **#1** Tidy up · stopped',
    )
    expect(await lab.threads()).toHaveLength(1)
  })
})

describe('a quiet schedule (F13)', () => {
  const done = (report: string) => {
    model.on('plan', plans('Look'))
    model.on('thought', closes('looked'))
    model.on('replan', ends(report))
  }

  it('says nothing when there is nothing to report, and its past times show that it ran', async () => {
    const id = await schedule('*/4 * * * *', 'Post what is due', '--quiet')
    done('NOTHING_TO_REPORT')
    const [run] = await ended()
    expect(run).toMatchObject({
      status: 'succeeded',
      result: 'Nothing to report.',
      conversationId: null,
    })
    expect(run?.title).toBe('Post what is due')
    expect(await lab.threads()).toEqual([])
    expect(await lab.get(`/api/schedules/${id}/slots`)).toMatchObject({
      slots: [{ outcome: 'fired', runId: run?.id }],
    })
    done('Two things are due.')
    await lab.pass(220_000, 20_000)
    const line = await opened()
    expect(line).toMatchObject({
      title: expect.stringMatching(/^Post what is due · /),
      unread: true,
    })
    expect((await lab.thread(line.id)).messages.at(-1)?.text).toContain('Two things are due.')
  })

  it('says so where its thread is open already, and other schedules never fall silent', async () => {
    await lab.reply(await lab.say('/schedule add 2026-11-20 09:00 Look --quiet --here'))
    done('`NOTHING_TO_REPORT`.')
    const [first] = await ended()
    expect(first?.result).toBe('Nothing to report.')
    const { messages } = await lab.thread(first?.conversationId ?? '')
    expect(messages.at(-1)?.text).toBe('Look: done.\n\nNothing to report.')
    await schedule('2026-11-20 09:03', 'Speak')
    done('NOTHING_TO_REPORT')
    await lab.pass(150_000, 15_000)
    const [last] = await lab.until(async () => {
      const all = (await runs()).filter(({ endedAt }) => endedAt !== null)
      return all.length > 1 && all
    })
    expect(last?.result).toBe('NOTHING_TO_REPORT')
    expect(last?.conversationId).not.toBeNull()
  })
})

describe('a report’s thread', () => {
  it('goes on as a conversation that knows the report (R148, R114)', async () => {
    await schedule('every day at 9:00', 'Count the orders')
    model.on('plan', plans('Count'))
    model.on('thought', closes('42 orders'))
    model.on('replan', ends('There were 42 orders.'))
    const { id } = await opened()
    model.on('decision', {
      decision: 'reply',
      reply: { content: 'Forty-two.' },
      run: null,
      runs: null,
      confidence: 1,
      reason: '',
    })
    await lab.say('How many were there?', { thread: id })
    expect(await lab.reply(id)).toBe('Forty-two.')
    const decision = model.calls.find(({ contract }) => contract === 'decision')
    expect(JSON.stringify(decision?.input)).toContain('There were 42 orders.')
  })
})

describe('a restart', () => {
  it('right at the due instant starts nothing twice, and a late start says that it is late (P10, I7)', async () => {
    const id = await schedule('2026-11-20 09:00', 'Report')
    model.answer(({ contract }) =>
      contract === 'plan'
        ? plans('Report')
        : contract === 'thought'
          ? closes('reported')
          : ends('The report.'),
    )
    await lab.clew().stop()
    await lab.clock.advance(10 * 60_000)
    await lab.restart()
    await ended()
    await lab.restart()
    await lab.pass(60_000)
    expect(await runs()).toHaveLength(1)
    expect(await lab.get(`/api/schedules/${id}/slots`)).toMatchObject({
      slots: [{ outcome: 'late', reason: 'away', runId: (await runs())[0]?.id }],
    })
  })
})
