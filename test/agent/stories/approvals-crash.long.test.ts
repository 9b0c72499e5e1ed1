import { describe, expect, it } from 'vitest'
import { useClew } from '../../support/agent.ts'
import { runs } from '../../support/runs.ts'
import { mailer, open, press, scripted, strategies, until } from './approvals-support.ts'

const start = useClew()

describe.each(strategies)('a call that has to be approved, under %s', (strategy) => {
  const points = [
    'commits.commit',
    'tool mail.run',
    'model.call',
    'runs.state',
    'conversations.state',
  ].flatMap((point) => ['before', 'after'].map((side) => `${side} ${point}`))
  const ways = [
    ['unkeyed', 'Approve'],
    ['unkeyed', 'Refuse'],
    ['keyed', 'Approve'],
  ] as const
  const all = ways.flatMap((way) =>
    points.flatMap((point) => [1, 2, 3, 4].map((n) => [...way, point, n] as const)),
  )
  // Each case under one of the strategies; the soak has every one under all.
  const cases = all.filter(
    (_, index) =>
      runs() > 100 || (index + Math.floor(index / 12)) % 3 === strategies.indexOf(strategy),
  )
  it('is never made without a yes and never twice, wherever a life ends (P1, P13)', async () => {
    let crashes = 0
    for (const [effect, choice, point, n] of cases) {
      const { sent, tool } = mailer('always', effect)
      const clew = await start({ strategy, tools: [tool] })
      scripted(clew.model, strategy, ['all'])
      clew.crashAt(point, n)
      await clew.say('Mail them')
      await until(clew, 'awaiting_clarification')
      const where = `${effect} ${choice} ${point} ${n}`
      expect(sent, where).toEqual([])
      expect(await open(clew), where).toMatchObject({
        approval: true,
        choices: ['Approve', 'Refuse', 'Always here'],
      })
      await press(clew, choice)
      if ((await until(clew, 'succeeded', 'awaiting_clarification')) === 'awaiting_clarification') {
        // The one thing that nobody can know: an unkeyed call that a crash cut off.
        expect([effect, choice], where).toEqual(['unkeyed', 'Approve'])
        expect((await open(clew))?.text, where).toContain('interrupted')
        await press(clew, 'It worked, go on')
        await until(clew, 'succeeded')
      }
      if (effect === 'unkeyed') expect(sent.length, where).toBeLessThanOrEqual(1)
      expect(new Set(sent.map(({ effectId }) => effectId)).size, where).toBeLessThanOrEqual(1)
      if (choice === 'Refuse') expect(sent, where).toEqual([])
      else if (effect === 'keyed') expect(sent.length, where).toBeGreaterThan(0)
      const asked = clew.texts().filter((text) => text.startsWith('May I use'))
      expect(asked, where).toHaveLength(1)
      expect(
        clew.texts().filter((text) => text.includes(': done.')),
        where,
      ).toHaveLength(1)
      crashes += clew.lives() - 1
      await clew.stop()
    }
    expect(crashes).toBeGreaterThan(cases.length / 3)
  })
})
