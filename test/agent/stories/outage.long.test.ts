import { expect, it } from 'vitest'
import { acts, closes, decides, ends, failsAs, held, plans } from '../../fakes/model.ts'
import { type TestClew, useClew, workspace } from '../../support/agent.ts'
import { unattended, working } from '../drive/story.ts'

const start = useClew()
const minute = 60_000

async function passes(clew: TestClew, ms: number, step = 5_000): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    await clew.advance(Math.min(step, left))
    await clew.idle()
  }
}

it('an outage of 90 s under 30 running tasks and 30 new messages: all are answered, each once, and nobody did anything (C92, C93)', async () => {
  const clew = await start()
  let isAway = false
  clew.model.answer((call) => {
    if (isAway) return failsAs('unreachable')
    if (call.contract === 'decision')
      return call.input.message.startsWith('Book')
        ? decides.run(call.input.message)
        : decides.reply('Lisbon')
    if (call.contract === 'plan') return plans('Look', 'Write')
    if (call.contract === 'replan') return ends('Booked.')
    return call.contract === 'thought' && call.input.observations.length === 0
      ? acts('list')
      : closes()
  })
  const gates = Array.from({ length: 30 }, () => held(failsAs('unreachable')))
  clew.model.on('thought', ...gates)
  for (let n = 0; n < 30; n++) await clew.say(`Book ${n}`, { thread: `task-${n}` })
  await clew.idle(30)
  isAway = true
  for (const gate of gates) gate.release()
  for (let n = 0; n < 30; n++) await clew.say(`Where? ${n}`, { thread: `talk-${n}` })
  await clew.idle()
  const before = clew.model.calls.length
  await passes(clew, 90_000)
  expect(clew.model.calls.length - before, 'requests while it is away').toBeLessThan(30)
  isAway = false
  await passes(clew, 2 * minute)
  for (let n = 0; n < 30; n++) {
    expect(clew.texts(`talk-${n}`).filter((text) => text === 'Lisbon')).toHaveLength(1)
    expect(clew.texts(`task-${n}`).filter((text) => text.includes(': done.'))).toHaveLength(1)
    expect(clew.texts(`task-${n}`).at(-1)).toMatch(/: done\./)
  }
})

it('a task that paused for the model goes on by itself, after a restart too, and is told of once (C93)', async () => {
  const clew = await working(start, {}, 'Find venues')
  clew.model.answer(() => failsAs('overloaded'))
  await clew.say('Book the offsite')
  await clew.idle()
  await passes(clew, 10 * minute, 10_000)
  expect((await clew.run()).status).toBe('paused')
  const told = /overloaded or down.*I’ll continue “Book the offsite” as soon as the model answers/
  expect(clew.texts().filter((text) => told.test(text))).toHaveLength(1)
  const { steps } = (await clew.task()).spent
  await clew.restart()
  clew.model.answer(({ contract }) => (contract === 'replan' ? ends('Booked.') : closes()))
  await passes(clew, minute)
  expect((await clew.run()).status).toBe('succeeded')
  // The outage took nothing of what the task may use.
  expect((await clew.task()).spent.steps).toBe(steps + 2)
})

it('work that nobody watches goes on when the model is back within an hour (C93)', async () => {
  const clew = await start()
  clew.model.answer(() => failsAs('unreachable'))
  const { id } = await unattended(clew)
  await passes(clew, 20 * minute, 10_000)
  expect((await clew.store.runs.state(workspace, id))?.run.status).toBe('paused')
  clew.model.on('plan', plans('Collect'))
  clew.model.answer(({ contract }) => (contract === 'replan' ? ends('Here it is.') : closes()))
  await passes(clew, minute)
  expect((await clew.store.runs.state(workspace, id))?.run).toMatchObject({ status: 'succeeded' })
})

it('and fails with the cause after an hour (C93, C91)', async () => {
  const clew = await start()
  clew.model.answer(() => failsAs('unreachable'))
  const { id } = await unattended(clew)
  await passes(clew, 70 * minute, 30_000)
  expect((await clew.store.runs.state(workspace, id))?.run).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('I can’t reach my language model'),
  })
})
