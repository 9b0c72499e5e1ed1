import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Delivery, DeliveryBody } from '../../../src/agent/domain/delivery.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { ProgressView } from '../../../src/agent/domain/progress.ts'
import type { Channel } from '../../../src/agent/ports/channel.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { conversationIn, createChannel, until } from './support.ts'

/** What Slack does and its manual does not say, as people who run apps there found out. */
describeWith('redis-server', 'Slack as it really is (C177)', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let slack: FakeSlack
  let channel: Channel
  let root: string
  let events: InboundEvent[]
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    await redis.flushall()
    slack = await startFakeSlack({ retryMs: [100, 100, 100], minuteMs: null })
    root = slack.people.write('C1', 'UANA', 'hello').ts
    channel = createChannel(slack, redis).channel
    events = []
    await channel.start(async (event) => {
      events.push(event)
      return { kind: 'ignored', reason: 'not_addressed' }
    })
  })
  afterEach(async () => {
    await channel.stop()
    await slack.stop()
  })
  const deliveryOf = (id: string, body: DeliveryBody): Delivery => ({
    ...{ version: 1, id: `d_${id}`, conversationId: 'c_test', at: Date.now(), body },
  })
  const acknowledged = () => slack.events.delivered.filter(({ acked }) => acked)
  const refused = () =>
    slack.calls
      .filter(({ outcome }) => outcome !== 'ok')
      .map(({ method, outcome }) => [method, outcome])

  it('takes a plan of fifty long steps and a report of lines and quotes: all blocks together fit', async () => {
    const items = Array.from({ length: 80 }, (_, n) => ({
      text: `${n} ${'long '.repeat(80)}`,
      done: n < 40,
    }))
    const added = items.slice(0, 8).map(({ text }) => text)
    const progress: ProgressView = {
      ...{
        runId: 'r',
        title: 'T'.repeat(300),
        status: 'running',
        items,
        index: 40,
        done: 40,
        lastResult: null,
      },
      now: { kind: 'acting', tool: 'todo', input: 'list '.repeat(100) },
      lastChange: { added, dropped: added, because: null },
    }
    await channel.show(progress, conversationIn('C1', root))
    const lines = Array.from({ length: 900 }, (_, n) => `- "${n}" said "so"`).join('\n')
    const report: DeliveryBody = {
      kind: 'final',
      messageId: 'm',
      text: lines,
      runId: 'r',
      status: 'failed',
    }
    expect(
      await channel.send(deliveryOf('report', report), conversationIn('C1', root)),
    ).toMatchObject({ kind: 'sent' })
    expect(refused()).toEqual([])
  })

  it('asks again only after the whole seconds that Slack names', async () => {
    slack.fail('chat.postMessage', '429')
    const body: DeliveryBody = { kind: 'message', messageId: 'm', text: 'hello', runId: null }
    const sent = await channel.send(deliveryOf('one', body), conversationIn('C1', root))
    expect(sent).toEqual({ kind: 'later', afterMs: 1_000 })
  })

  it('takes what Clew itself shares for nobody’s words, also where every line is for it (R149)', async () => {
    const direct = directChannel(slack.state, 'UANA')
    const { ts } = slack.people.write(direct.id, 'UANA', 'hello')
    const text = Array.from(
      { length: 400 },
      (_, n) => `## Part ${n}\n\n${'All that was found out. '.repeat(4)}`,
    ).join('\n\n')
    const body: DeliveryBody = {
      kind: 'final',
      messageId: 'm',
      text,
      runId: 'r',
      status: 'succeeded',
    }
    await channel.send(deliveryOf('long', body), conversationIn(direct.id, ts))
    const posted = () => direct.messages.filter(({ user }) => user === 'U0CLEW').length
    await until(() => posted() > 1 && acknowledged().length === posted())
    expect(
      direct.messages.some(({ files, bot_id: bot }) => files !== undefined && bot === undefined),
    ).toBe(true)
    expect(events).toEqual([])
  })

  it('hears and reads each kind of channel by its own scope', async () => {
    for (const [id, kind] of [
      ['G1', 'group'],
      ['G2', 'mpim'],
    ] as const)
      slack.state.channels.set(id, {
        id,
        kind,
        members: new Set(['UANA', 'U0CLEW']),
        archived: false,
        messages: [],
      })
    slack.state.bot.scopes.delete('mpim:history')
    await slack.people.say('G1', 'UANA', 'lunch?').delivered
    await slack.people.say('G2', 'UANA', 'lunch?').delivered
    expect(acknowledged()).toHaveLength(1)
    const named = slack.people.mention('G2', 'UANA', 'hello')
    await named.delivered
    expect(events.map(({ channel: place }) => place)).toEqual(['G2'])
  })
})
