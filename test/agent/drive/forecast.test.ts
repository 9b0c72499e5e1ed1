import { expect, it } from 'vitest'
import { progressOf } from '../../../src/agent/domain/progress.ts'
import type { Schedule } from '../../../src/agent/domain/schedule.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { closes, decides, ends, plans, replans } from '../../fakes/model.ts'
import { type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const hour = 3_600_000
const place = { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' }

const hourly = (now: number, past: Schedule['past']): Omit<Schedule, 'id' | 'version'> => ({
  ...{ title: 'List what is due', work: 'run', durationMinutes: 60, place, past },
  when: { kind: 'every', start: now + hour, minutes: 60, times: -1 },
  remind: { base: null, repeat: null },
  ...{ askedIn: null, createdBy: null, createdAt: now, allow: [], paused: false, repeats: true },
  ...{ nextAt: now + hour, remindAt: null, lastAt: null, lastRunId: null, fired: 0, asked: null },
})

const before = (calls: number, ...ids: string[]): Schedule['past'] =>
  ids.map((runId) => ({ runId, calls, ms: hour, cost: 10_000_000, currency: 'USD' }))

/** A schedule whose runs took one call each; this one takes four. */
async function scheduled(past: Schedule['past']) {
  const clew = await start()
  clew.model.answer(({ contract, input }) => {
    if (contract === 'plan') return plans('Look', 'Write')
    if (contract === 'thought') return closes()
    const isOver = 'conclusions' in input && input.conclusions.length > 1
    return isOver ? ends('Nothing is due today.') : replans('Write')
  })
  await clew.store.schedules.add(workspace, 'channel:general', 'e1', hourly(clew.clock.now(), past))
  await clew.idle()
  await fire(clew)
  const [run] = await clew.store.runs.list(workspace, 10)
  const thread = run?.conversationId ?? ''
  const said = () =>
    clew.channel.shown.flatMap(({ delivery: { body } }) =>
      body.kind === 'question' ? body.question.text : [],
    )
  const last = async () => (await clew.store.runs.list(workspace, 10))[0]
  return { clew, thread, said, last }
}

async function fire(clew: TestClew) {
  await clew.advance(hour + 5_000)
  await clew.idle()
}

async function answer({ clew, last }: Awaited<ReturnType<typeof scheduled>>, text: string) {
  const run = await last()
  const state = await clew.store.conversations.state(workspace, run?.conversationId ?? '', 0)
  const [question] = state?.questions ?? []
  const { address } = state?.conversation ?? { address: null }
  await clew.choose(question?.id ?? '', text, undefined, address?.thread ?? 't')
  await clew.idle()
}

it('asks once when a scheduled run goes beyond twice the largest, and goes on from the answer (C736)', async () => {
  const made = await scheduled(before(1, 'r_a', 'r_b', 'r_c'))
  expect(made.said()).toHaveLength(1)
  expect(made.said()[0]).toMatch(
    /2 model calls, .* the last 3 times \(1 model call, \$10\.00, 60 min\)/,
  )
  expect((await made.last())?.status).toBe('awaiting_clarification')
  await answer(made, 'Go on')
  expect(made.said()).toHaveLength(1)
  expect(await made.last()).toMatchObject({ status: 'succeeded', spent: { calls: 5 } })
})

it('ends a run that is not to go on, with what it did (C736)', async () => {
  const made = await scheduled(before(1, 'r_a', 'r_b', 'r_c'))
  await answer(made, 'Stop here')
  expect(await made.last()).toMatchObject({ status: 'given_up' })
})

it.each([
  ['by too few before it', before(1, 'r_a', 'r_b')],
  ['that takes as much as before', before(6, 'r_a', 'r_b', 'r_c')],
  ['of an earlier version', undefined],
])('asks nothing of a run %s (C736)', async (_, past) => {
  const { said, last, clew } = await scheduled(past)
  expect(said()).toEqual([])
  expect((await last())?.status).toBe('succeeded')
  // C735: what it took is kept with the schedule when the next one begins.
  const kept = async () => (await clew.store.schedules.list(workspace, 'channel:general'))[0]?.past
  expect(await kept()).toEqual(past)
  await fire(clew)
  expect((await kept())?.at(-1)).toMatchObject({ calls: 5 })
  await fire(clew)
  expect(new Set((await kept())?.map(({ runId }) => runId)).size).toBe((past?.length ?? 0) + 2)
})

it('says of a task what it will take once its plan stands, by three before it in its channel (C737)', async () => {
  const clew = await start()
  clew.model.answer(({ contract }) => {
    if (contract === 'decision') return decides.run('Look')
    if (contract === 'plan') return plans('Look')
    return contract === 'thought' ? closes() : ends('Done.')
  })
  for (const [at, channel] of ['general', 'general', 'elsewhere', 'general'].entries()) {
    await clew.say('Look', { thread: `t${at}`, channel })
    await clew.idle()
    await clew.clock.advance(1_000)
  }
  const all = await clew.store.runs.list(workspace, 10)
  expect(all.map(({ forecast }) => forecast)).toEqual([undefined, undefined, undefined, undefined])
  await clew.say('Look', { thread: 't9' })
  await clew.idle()
  const [run] = await clew.store.runs.list(workspace, 1)
  expect(run).toMatchObject({ forecast: { of: 3, calls: { about: 3 } }, spent: { calls: 3 } })
  if (run === undefined) throw new Error('there is no run')
  expect(progressOf({ ...run, status: 'running' }, null).forecast?.about).toBe(3)
  expect(progressOf(run, null).forecast).toBeUndefined()
  // Rows of earlier versions have no figures.
  await clew.redis.hdel(keysOf(workspace).run(run.id).row, 'spent', 'forecast')
  expect((await clew.store.runs.list(workspace, 1))[0]?.spent).toBeUndefined()
})
