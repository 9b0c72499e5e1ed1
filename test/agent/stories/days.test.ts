import { describe, expect, it } from 'vitest'
import type { DayLimits } from '../../../src/agent/domain/usage.ts'
import { dayCeilingReached, endOfDay } from '../../../src/agent/domain/usage.ts'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import { ana, ben, type TestClew, useClew } from '../../support/agent.ts'
import { unattended } from '../drive/story.ts'

const start = useClew()
const none = { tokens: null, cost: null }
const day = (over: Partial<DayLimits>): DayLimits => ({
  person: none,
  team: none,
  price: null,
  timeZone: 'UTC',
  ...over,
})
const used = (clew: TestClew, person: string | null = 'ana', on = '2026-03-04') =>
  clew.store.usage.ofDay('test:team', on, person)
/** A Decision and a task of three calls, 120 tokens each. */
function script(clew: TestClew) {
  clew.model.on('decision', decides.run('Tidy up'))
  clew.model.on('plan', plans('Look'))
  clew.model.on('thought', closes('ok'))
  clew.model.on('replan', ends('Tidied.'))
}

describe('what a day may take (S8)', () => {
  it('is counted by person and workspace in the commits themselves, whatever the limits (P8)', async () => {
    const clew = await start()
    script(clew)
    await clew.say('Tidy up')
    await clew.idle()
    const four = { promptTokens: 400, completionTokens: 80 }
    expect(await used(clew)).toEqual({ person: four, team: four })
    clew.model.on('decision', decides.reply('Hello'))
    await clew.say('Hello', { by: ben })
    await clew.idle()
    expect(await used(clew, 'ben')).toEqual({
      person: { promptTokens: 100, completionTokens: 20 },
      team: { promptTokens: 500, completionTokens: 100 },
    })
  })

  it('pauses the task of whoever has used up theirs, says when it may go on (C35, R25)', async () => {
    const clew = await start({ day: day({ person: { tokens: 240, cost: null } }) })
    clew.model.on('decision', decides.run('Tidy up'))
    clew.model.on('plan', plans('Look'))
    await clew.say('Tidy up')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    const said = clew.texts().at(-1) ?? ''
    for (const part of ['The daily limit for one person', 'It can continue from 2026-03-05 00:00', '`continue`'])
      expect(said).toContain(part)
    // Going on the same day costs nothing and says the same.
    await clew.say('continue')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    expect(await used(clew)).toMatchObject({ person: { promptTokens: 200 } })
    clew.model.assertDone()

    // Others are not held up, and the next day is another one.
    clew.model.on('decision', decides.reply('Hello'))
    await clew.say('Hello', { by: ben, thread: 'other' })
    await clew.idle()
    expect(clew.texts('other')).toEqual(['Hello'])
    await clew.advance(14 * 3_600_000)
    clew.model.on('thought', closes('ok'))
    await clew.say('continue')
    await clew.idle()
    expect((await clew.task()).spent.modelCalls).toBe(3)
  })

  it('answers without a model when nothing is left, and commands go on working', async () => {
    const clew = await start({ day: day({ team: { tokens: 100, cost: null } }) })
    clew.model.on('decision', decides.reply('Hello'))
    await clew.say('Hello')
    await clew.say('Hello again', { by: ben })
    await clew.say('/todo list')
    await clew.idle()
    expect(clew.texts()).toEqual([
      'Hello',
      expect.stringMatching(/used up.*from 2026-03-05 00:00/),
      expect.stringMatching(/No to-dos/),
    ])
    expect(clew.model.contracts()).toEqual(['decision'])
  })

  it('counts cost where there is a price', () => {
    const limits = day({ person: { tokens: null, cost: 0.5 }, price: { prompt: 1, completion: 10 } })
    const spent = (completionTokens: number) => {
      const usage = { promptTokens: 100_000, completionTokens }
      return dayCeilingReached(limits, { person: usage, team: usage })
    }
    expect([spent(39_999), spent(40_000)]).toEqual([null, 'person_day'])
    expect(
      dayCeilingReached({ ...limits, price: null }, { person: null, team: { promptTokens: 9e9, completionTokens: 0 } }),
    ).toBeNull()
  })

  it('ends at midnight of its zone, over a change of the clock too', () => {
    const at = Date.parse('2026-03-29T00:30:00Z')
    expect(new Date(endOfDay(at, 'Europe/Lisbon')).toISOString()).toBe('2026-03-29T23:00:00.000Z')
    expect(new Date(endOfDay(at, 'Asia/Shanghai')).toISOString()).toBe('2026-03-29T16:00:00.000Z')
  })

  it('of work that nobody asked for counts for the workspace alone, and ends it as failed with what was done', async () => {
    const clew = await start({ day: day({ team: { tokens: 120, cost: null } }) })
    clew.model.on('plan', plans('Look'))
    await unattended(clew)
    await clew.idle()
    expect(await used(clew, null)).toEqual({ person: null, team: { promptTokens: 100, completionTokens: 20 } })
    const [run] = (await clew.store.runs.list('test:team', 9)).filter(({ id }) => id === 'r_unattended')
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('It can continue from') })
  })

  it.each(['before commits.commit', 'after commits.commit'])(
    'is counted once when the process dies %s (P1, P8)',
    async (point) => {
      for (const n of [4, 5, 6]) {
        const clew = await start()
        clew.model.answer(({ contract }) => {
          if (contract === 'decision') return decides.run('Tidy up')
          if (contract === 'plan') return plans('Look')
          return contract === 'thought' ? closes('ok') : ends('Tidied.')
        })
        clew.crashAt(point, n)
        await clew.say('Tidy up')
        await clew.idle()
        await clew.advance(20_000)
        expect((await clew.run()).status).toBe('succeeded')
        // A call whose commit was lost is made again and counted once: what is counted is what the task has spent.
        const { promptTokens } = (await clew.task()).spent
        expect((await used(clew)).person?.promptTokens).toBe(promptTokens + 100)
      }
    },
  )

  it('is passed by no more than one call, whoever works at the same time (P12)', async () => {
    const clew = await start({ day: day({ person: { tokens: 1_200, cost: null } }), limits: { maxSteps: 1_000 } })
    clew.model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Grind')
      return contract === 'plan' ? plans('Grind') : acts('list')
    })
    for (const thread of ['a', 'b', 'c']) await clew.say('Grind', { thread, by: ana })
    await clew.idle()
    const { person } = await used(clew)
    const tokens = (person?.promptTokens ?? 0) + (person?.completionTokens ?? 0)
    expect(tokens).toBeGreaterThanOrEqual(1_200)
    expect(tokens).toBeLessThanOrEqual(1_200 + 3 * 120)
    for (const run of await clew.store.runs.list('test:team', 9)) expect(run.status).toBe('paused')
  })
})
