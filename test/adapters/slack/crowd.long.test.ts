import { afterAll, beforeAll, expect, it } from 'vitest'
import { busyModel, quick } from '../../bench/busy.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const running = 100
/** Slack's minute is a sixth of one here, and so is the pause between two updates of plans. */
const minuteMs = 10_000
const progressMs = 250

describeWith('redis-server', 'a crowd in one workspace of Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', {
      settings: {
        ...{ AGENT_STRATEGY: 'step', AGENT_MAX_STEPS: '1000', AGENT_MAX_MODEL_CALLS: '1000' },
        SLACK_PROGRESS_MS: String(progressMs),
      },
      slack: { ackMs: 3_000, retryMs: [], minuteMs },
      around: { model: busyModel(1_500) },
    })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })

  it('gets its questions and reports at once while the plans of 100 tasks wait for the limit of the platform (C49, R111)', async () => {
    const { slack } = whole
    const { people, state, calls } = slack
    for (let index = 0; index < 20; index++)
      state.channels.set(`CB${index}`, {
        ...{ id: `CB${index}`, kind: 'channel', archived: false, messages: [] },
        members: new Set(['UANA', 'U0CLEW']),
      })
    for (let index = 0; index < running; index++)
      people.mention(`CB${index % 20}`, 'UANA', 'Work on something long')
    const plans = () =>
      [...state.channels.values()].flatMap(({ messages }) =>
        messages.filter(({ metadata }) => metadata?.event_type === 'clew_plan'),
      )
    await until(() => plans().length === running, 150_000)

    const from = Date.now()
    const waits: number[] = []
    for (let index = 0; index < 3; index++) {
      const began = Date.now()
      const said = people.mention('C1', 'UANA', `${quick} ${index}`)
      const thread = threadOf(slack, 'C1', said.ts)
      await thread.saying(/Which one/)
      waits.push(Date.now() - began)
      const answered = Date.now()
      people.say('C1', 'UANA', 'That one', { thread: said.ts })
      await thread.saying(/: done\./)
      waits.push(Date.now() - answered)
    }
    // In turn with the plans of all tasks, each would have waited for 25 seconds. A busy machine takes ten by itself.
    expect(Math.max(...waits)).toBeLessThan(running * progressMs * 0.7)
    const updates = calls.filter(({ method, at }) => method === 'chat.update' && at >= from)
    expect(updates.length).toBeGreaterThan(0)
    // One budget for all of them keeps within Slack's limit instead of being told so.
    expect(updates.filter(({ outcome }) => outcome === '429')).toEqual([])
  })
})
