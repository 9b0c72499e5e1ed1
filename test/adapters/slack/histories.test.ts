import * as fc from 'fast-check'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIntake } from '../../../src/agent/intake.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { runs } from '../../support/runs.ts'
import { silent } from '../../support/silent.ts'
import { createChannel, until } from './support.ts'

/** What a person does in one history. */
const Gesture = fc.record({
  kind: fc.constantFrom('mention', 'reply', 'direct', 'edited'),
  /** The client sends one message under two timestamps (I11). */
  doubled: fc.boolean(),
  /** Of each event that it makes: how often it is delivered. */
  times: fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
})
const History = fc.record({
  gestures: fc.array(Gesture, { minLength: 1, maxLength: 4 }),
  order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
})

describeWith('redis-server', 'what Slack delivers', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let slack: FakeSlack
  let stop: () => Promise<void>
  let store: Store
  let clients = 0
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
    slack = await startFakeSlack({ retryMs: [], minuteMs: null })
    const made = [1, 2].map(() => createChannel(slack, redis, { socketPingMs: 5_000 }))
    store = (made[0] ?? createChannel(slack, redis)).store
    for (const { channel, store: own } of made) {
      await channel.start(
        createIntake({
          inbox: own.inbox,
          rates: own.rates,
          messagesPerMinute: 0,
          wakeups: { wake: async () => {} },
          log: silent,
          access: { users: [], channels: [], outsiders: [] },
          defaults: { locale: 'en', timeZone: 'UTC' },
        }),
      )
      // The first one leaves the mark from which the second looks; both without one have nothing to catch up.
      await until(() => own.notes.get('slack:T1', 'alive'))
    }
    stop = async () => {
      for (const { channel } of made) await channel.stop()
    }
    // The second one looks for what it missed in both channels (C155), again if its socket was lost; what this test writes is none of it.
    await until(
      () => slack.calls.filter(({ method }) => method === 'conversations.history').length >= 2,
    )
  })
  afterAll(async () => {
    await stop()
    await slack.stop()
    await server.stop()
  })

  it(`makes one turn of each gesture, delivered 1 to 6 times, as twins, edited, in any order, to two processes (P3, I1–I5, I11): ${runs()} histories`, async () => {
    await fc.assert(
      fc.asyncProperty(History, async ({ gestures, order }) => {
        await redis.flushall()
        // A store that is older than everything said here, so that what comes again counts (C440).
        await store.notes.put('slack:T1', 'begun', '1', null)
        slack.events.delivered.length = 0
        const events: Record<string, unknown>[] = []
        const root = slack.people.write('C1', 'UANA', '<@U0CLEW> begin')
        const expected = new Map<string, number>()
        const count = (thread: string) => expected.set(thread, (expected.get(thread) ?? 0) + 1)
        // A thread that Clew works in: its replies need no mention.
        events.push(...eventsOf('C1', root))
        count(`C1|${root.ts}`)
        for (const { kind, doubled, times } of gestures) {
          const channel = kind === 'direct' ? directOf() : 'C1'
          const text = kind === 'mention' ? '<@U0CLEW> do it' : 'do it'
          const isReply = kind === 'reply' || kind === 'edited'
          const more = isReply ? { thread: root.ts } : {}
          clients += 1
          const clientId = `history-${clients}`
          const messages = Array.from({ length: doubled ? 2 : 1 }, () =>
            slack.people.write(channel, 'UANA', text, { ...more, clientId }),
          )
          const edits =
            kind === 'edited' ? messages.slice(0, 1).map((message) => editOf(channel, message)) : []
          const made = [...messages.flatMap((message) => eventsOf(channel, message)), ...edits]
          for (const [index, event] of made.entries())
            for (let time = 0; time < (times[index % 2] ?? 1); time++) events.push(event)
          // Of a gesture with two timestamps either may be the first: they are counted together.
          const [first] = messages
          count(isReply ? `C1|${root.ts}` : `${channel}|${first?.client_msg_id}`)
          // An edit is something said too; before or after its message, it is one.
          if (edits.length > 0) count(`C1|${root.ts}`)
        }
        const [begin, ...rest] = shuffled(events, order)
        const first = events[0] ?? {}
        // The thread exists before anybody can reply in it.
        expect(await slack.events.once('events_api', slack.people.envelope(first))).toMatchObject({
          acked: true,
        })
        await Promise.all(
          [...(begin === undefined ? [] : [begin]), ...rest].map((event) =>
            slack.events.once('events_api', slack.people.envelope(event), 1),
          ),
        )
        const taken = await inboxes()
        expect(taken).toBe([...expected.values()].reduce((sum, one) => sum + one, 0))
        expect(slack.events.delivered.every(({ acked }) => acked)).toBe(true)
      }),
      { numRuns: runs() },
    )
  })

  function eventsOf(channel: string, message: Parameters<FakeSlack['people']['eventsOf']>[1]) {
    const place = slack.state.channels.get(channel)
    return place === undefined ? [] : slack.people.eventsOf(place, message)
  }
  function editOf(
    channel: string,
    message: Parameters<FakeSlack['people']['eventsOf']>[1],
  ): Record<string, unknown> {
    const edited = {
      ...message,
      text: `${message.text} again`,
      edited: { user: message.user, ts: `${message.ts}1` },
    }
    const base = {
      type: 'message',
      subtype: 'message_changed',
      channel,
      channel_type: 'channel',
      ts: `${message.ts}2`,
    }
    return {
      ...base,
      message: { type: 'message', ...edited },
      previous_message: { type: 'message', ...message },
    }
  }
  const directOf = (): string => directChannel(slack.state, 'UANA').id
  async function inboxes(): Promise<number> {
    const states = await store.conversations.list('slack:T1', 100)
    return states.reduce((sum, { inbox }) => sum + inbox.length, 0)
  }
})

/** An order that follows from numbers, so that a failing history can be repeated (P16). */
function shuffled<T>(list: readonly T[], order: readonly number[]): T[] {
  const left = [...list]
  const made: T[] = []
  for (let index = 0; left.length > 0; index++)
    made.push(...left.splice((order[index % order.length] ?? 0) % left.length, 1))
  return made
}
