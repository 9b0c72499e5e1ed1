import { describe, expect, it } from 'vitest'
import { endOf, periodCeiling, type UsageLimits } from '../../../src/agent/domain/usage.ts'
import { acts, asks, closes, decides, plans } from '../../fakes/model.ts'
import { ana, ben, useClew } from '../../support/agent.ts'
import { unattended } from '../drive/story.ts'
import { allow, script, used, usedAt, warning } from './days-support.ts'

const start = useClew()
describe('what a day may take (S8)', () => {
  it('is counted by person and workspace in the commits themselves, whatever the limits (P8)', async () => {
    const clew = await start()
    script(clew)
    await clew.say('Tidy up')
    await clew.idle()
    const four = { promptTokens: 400, completionTokens: 80, cost: 800_000 }
    expect(await used(clew)).toMatchObject({ person: four, team: four })
    clew.model.on('decision', decides.reply('Hello'))
    await clew.say('Hello', { by: ben })
    await clew.idle()
    expect(await used(clew, 'ben')).toMatchObject({
      person: { promptTokens: 100, completionTokens: 20 },
      team: { promptTokens: 500, completionTokens: 100 },
    })
  })

  it('are seen afterwards by person, channel and model, with the runs that ended and how (C226)', async () => {
    const clew = await start()
    script(clew)
    await clew.say('Tidy up')
    await clew.idle()
    clew.model.on('decision', decides.run('Wait'))
    clew.model.on('plan', plans('Look'))
    clew.model.on('thought', asks('For whom?'))
    await clew.say('Wait', { thread: 'other' })
    await clew.idle()
    await clew.say('stop', { by: ben, thread: 'other' })
    await clew.idle()
    const rows = await clew.store.usage.figures('test:team', ['2026-03-04'])
    const of = (dimension: string) => rows.filter(({ by }) => by === dimension)
    const ended = { succeeded: 1, failed: 0, canceled: 1, promptTokens: 700 }
    expect(of('team')).toMatchObject([ended])
    expect(of('person')).toMatchObject([{ id: 'ana', name: 'Ana', ...ended }])
    expect(of('channel')).toMatchObject([{ id: 'general', ...ended }])
    expect(of('model')).toMatchObject([{ id: clew.model.name, promptTokens: 700, succeeded: 0 }])
  })

  it('pauses the task of the person who has used up theirs, says when it may go on (C35, R25)', async () => {
    const clew = await start({ usage: allow('person', 'day', 240) })
    clew.model.on('decision', decides.run('Tidy up'))
    clew.model.on('plan', plans('Look'))
    await clew.say('Tidy up')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    const said = clew.texts().at(-1) ?? ''
    for (const part of [
      'Ana’s daily limit is used up',
      'I can continue from 2026-03-05 00:00',
      '`continue`',
    ])
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
    const clew = await start({ usage: allow('team', 'day', 100) })
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

  it('counts what was paid, in day and month; the longest ceiling is the one that is told (C130, C131)', () => {
    const limits: UsageLimits = {
      ...allow('person', 'day', null, 0.5),
      month: allow('team', 'month', null, 2).month,
    }
    const spent = (cost: number, month = cost) => {
      const of = (sum: number) => ({ promptTokens: 9e9, completionTokens: 0, cost: sum })
      const at = (sum: number) => ({ person: of(sum), channel: null, team: of(sum) })
      return periodCeiling(limits, { day: at(cost), month: at(month) })
    }
    expect([spent(499_999), spent(500_000), spent(500_000, 2_000_000)]).toEqual([
      null,
      'person_day',
      'team_month',
    ])
  })

  it('ends at midnight of its zone, over a change of the clock too; a month on the first of the next', () => {
    const at = Date.parse('2026-03-29T00:30:00Z')
    const end = (name: 'team_day' | 'team_month', zone: string, when = at) =>
      new Date(endOf(name, when, zone)).toISOString()
    expect(end('team_day', 'Europe/Lisbon')).toBe('2026-03-29T23:00:00.000Z')
    expect(end('team_day', 'Asia/Shanghai')).toBe('2026-03-29T16:00:00.000Z')
    expect(end('team_month', 'Europe/Lisbon')).toBe('2026-03-31T23:00:00.000Z')
    expect(end('team_month', 'UTC', Date.parse('2026-12-31T12:00:00Z'))).toBe(
      '2027-01-01T00:00:00.000Z',
    )
    expect(end('team_month', 'UTC', Date.parse('2028-02-01T00:00:00Z'))).toBe(
      '2028-03-01T00:00:00.000Z',
    )
  })

  it('of a channel or a month pauses its tasks until it ends, and others work on (C131)', async () => {
    const clew = await start({ usage: allow('channel', 'month', 240) })
    clew.model.on('decision', decides.run('Tidy up'))
    clew.model.on('plan', plans('Look'))
    await clew.say('Tidy up')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    const said = clew.texts().at(-1) ?? ''
    for (const part of ['This channel’s monthly limit', 'I can continue from 2026-04-01 00:00'])
      expect(said).toContain(part)
    clew.model.on('decision', decides.reply('Hello'))
    await clew.say('Hello', { by: ben, thread: 'other', channel: 'random' })
    await clew.idle()
    clew.model.assertDone()
    expect((await usedAt(clew)).month).toMatchObject({
      channel: { promptTokens: 200 },
      team: { promptTokens: 300 },
    })
  })

  it('of work that nobody asked for counts for the workspace alone, and ends it as failed with what was done', async () => {
    const clew = await start({ usage: allow('team', 'day', 120) })
    clew.model.on('plan', plans('Look'))
    await unattended(clew)
    await clew.idle()
    expect(await used(clew, null)).toMatchObject({
      person: null,
      team: { promptTokens: 100, completionTokens: 20 },
    })
    const [run] = (await clew.store.runs.list('test:team', 9)).filter(
      ({ id }) => id === 'r_unattended',
    )
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('I can continue from'),
    })
  })

  it('is passed by no more than one call, however many work at the same time (P12)', async () => {
    const clew = await start({ usage: allow('person', 'day', 1_200), limits: { maxSteps: 1_000 } })
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

describe('80 % of an allowance (C132)', () => {
  it('of one person is told to that person alone, once', async () => {
    const clew = await start({ usage: allow('person', 'day', 580) })
    script(clew)
    await clew.say('Tidy up')
    await clew.idle()
    expect(warning(clew)).toEqual([
      'private: You’ve used 82% of your daily limit. At 100% I’ll pause until 2026-03-05 00:00 (UTC); an admin can raise the limit.',
    ])
    clew.model.on('decision', decides.reply('Hello'))
    await clew.say('Hello')
    await clew.idle()
    expect(warning(clew)).toHaveLength(1)
  })

  it('of everybody is told in the thread that came to it, in its language, and in the log; again the next month', async () => {
    const clew = await start({ usage: allow('team', 'month', null, 0.5) })
    for (const _ of ['first', 'second']) {
      clew.model.on('decision', decides.reply('Hello'), decides.reply('Hello'))
      await clew.say('你好，今天怎么样？', { locale: 'zh' })
      await clew.say('你好，今天怎么样？', { locale: 'zh' })
      await clew.idle()
      await clew.advance(31 * 24 * 3_600_000)
    }
    expect(
      clew.texts().filter((text) => text.includes('团队这个月的额度已经用了 80%')),
    ).toHaveLength(2)
    expect(clew.logs.filter(({ line }) => line === 'most of an allowance is used')).toHaveLength(2)
  })
})
