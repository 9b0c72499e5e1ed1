import type { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'
import { channelContract } from '../../contracts/channel.ts'
import { calledOut } from '../../fakes/slack/methods.ts'
import { startFakeSlack } from '../../fakes/slack/server.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { conversationIn, createChannel } from './support.ts'

describeWith('redis-server', 'the Slack channel', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterAll(() => server.stop())

  channelContract('Slack', async (intake) => {
    await redis.flushall()
    const slack = await startFakeSlack({ retryMs: [], minuteMs: 60, ackMs: 300 })
    const { state, people } = slack
    state.users.set('ana', { id: 'ana', name: 'Ana', locale: 'en-US', tz: 'Europe/Lisbon' })
    const place = state.channels.get('C1')
    place?.members.add('ana')
    const root = people.write('C1', 'UANA', '<@U0CLEW> hello')
    const conversation = conversationIn('C1', root.ts)
    const { channel, store } = createChannel(slack, redis)
    await store.conversations.open(conversation)
    // The thread is one that Clew knows.
    await redis.hset('clew:{slack:T1}:threads', `C1|${root.ts}`, conversation.id)
    await channel.start(intake)
    const posted = (type: string) =>
      place?.messages.filter(({ metadata }) => metadata?.event_type === type) ?? []
    const gestures = new Map<string, Record<string, unknown>>()

    return {
      channel,
      conversation,
      shown: async () => posted('clew_delivery').map(({ text }) => text),
      progress: async () => posted('clew_plan').map(({ blocks }) => JSON.stringify(blocks)),
      mentions: async () => calledOut(state),
      cut: slack.cut,
      mend: slack.mend,
      async say(text, gesture) {
        const known = gestures.get(gesture)
        const message = people.write('C1', 'UANA', text, { thread: root.ts })
        const event = known ?? (place === undefined ? {} : people.eventsOf(place, message)[0]) ?? {}
        gestures.set(gesture, event)
        return (await slack.events.once('events_api', people.envelope(event))).acked
      },
      async stop() {
        await channel.stop()
        await slack.stop()
      },
    }
  })
})
