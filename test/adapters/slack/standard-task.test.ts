import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSystemClock } from '../../../src/clock.ts'
import { mentionsOf } from '../../fakes/slack/blocks.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'

describeWith(
  'redis-server',
  'the standard task in Slack: a mention, a plan of three steps, a question, an answer, a report',
  (program) => {
    let server: Awaited<ReturnType<typeof startRedis>>
    let whole: Whole
    const clock = createSystemClock()
    beforeAll(async () => {
      server = await startRedis(program)
      whole = await startWhole(server.url, 'socket', { around: { clock } })
    })
    afterAll(async () => {
      await whole.stop()
      await server.stop()
    })

    it('is the plan, the question and the report, and the last two call the person who asked (C81, C82)', async () => {
      const { people } = whole.slack
      const said = people.mention('C1', 'UANA', offsite)
      const { own, plan, question, saying, reactions } = threadOf(whole.slack, 'C1', said.ts)
      const asked = await question()
      expect(mentionsOf('', asked.blocks)).toEqual(['<@UANA>'])
      await people.click('C1', 'UBEN', asked.ts, buttonsOf(asked.blocks)[0]?.text ?? '')
      const report = await saying(/: done\./)
      await until(() => plan()?.text.endsWith(': Done'))
      expect(
        own()
          .map(({ ts }) => ts)
          .sort(),
      ).toEqual([plan()?.ts, asked.ts, report.ts].sort())
      expect(mentionsOf('', report.blocks)).toEqual(['<@UANA>'])
      expect(mentionsOf('', plan()?.blocks ?? [])).toEqual([])
      // The plan has the title; the report has what is new.
      const titled = own().filter(({ blocks }) => JSON.stringify(blocks).includes(offsite))
      expect(titled.map(({ ts }) => ts)).toEqual([plan()?.ts])
      expect(JSON.stringify(plan()?.blocks)).not.toMatch(/3 of 3|3\/3/)
      await until(() => reactions(said.ts).join() === 'white_check_mark')
    })

    it('of ten by five people ends in each plan at most 6 s after the last report, each in three messages (C441)', async () => {
      const { people } = whole.slack
      const askers = ['UANA', 'UBEN', 'UDAN', 'ULI', 'UWEI']
      const said = [...askers, ...askers].map((user, index) =>
        people.mention(index < 5 ? 'C1' : 'C2', user, offsite),
      )
      const threads = said.map(({ ts }, index) =>
        threadOf(whole.slack, index < 5 ? 'C1' : 'C2', ts),
      )
      await Promise.all(
        threads.map(async ({ question }, index) => {
          const asked = await question()
          const [first] = buttonsOf(asked.blocks)
          await people.click(index < 5 ? 'C1' : 'C2', 'UANA', asked.ts, first?.text ?? '')
        }),
      )
      await Promise.all(threads.map(({ saying }) => saying(/: done\.|^任务已完成/)))
      const reported = clock.now()
      await until(() => threads.every(({ plan }) => /: Done$|已完成$/.test(plan()?.text ?? '')))
      expect(clock.now() - reported).toBeLessThanOrEqual(6_000)
      for (const { own } of threads) expect(own()).toHaveLength(3)
    })

    it('is stopped in one line, with one button to try it again, and calls the person only if somebody else did it (C81, C82, C84)', async () => {
      const { people } = whole.slack
      for (const [by, calls] of [
        ['UANA', []],
        ['UBEN', ['<@UANA>']],
      ] as const) {
        const said = people.mention('C1', 'UANA', offsite)
        const { own, plan, question, saying, reactions } = threadOf(whole.slack, 'C1', said.ts)
        const asked = await question()
        people.say('C1', by, 'stop', { thread: said.ts })
        const stopped = await saying(/Stopped by/)
        await until(() => plan()?.text.endsWith(': Stopped'))
        expect(mentionsOf('', stopped.blocks)).toEqual(calls)
        const blocks = stopped.blocks as { type: string; text?: unknown }[]
        const lines = blocks.flatMap(({ type, text }) => (type === 'markdown' ? [text] : []))
        expect(lines).toEqual([
          `Stopped by ${by === 'UBEN' ? 'Ben' : 'Ana'}. I’d finished 1 of 3 steps.`,
        ])
        const buttons = own().flatMap(({ blocks }) => buttonsOf(blocks).map(({ text }) => text))
        expect(buttons.filter((text) => text === 'Retry')).toHaveLength(1)
        // C84: what stands there is true.
        await until(() => asked.text.includes('Stopped; no answer needed'))
        expect(buttonsOf(asked.blocks)).toEqual([])
        await until(() => reactions(said.ts).join() === 'black_square_for_stop')
      }
    })
  },
)
