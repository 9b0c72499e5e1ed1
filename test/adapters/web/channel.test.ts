import type { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'
import { conversationIdOf, newConversation } from '../../../src/agent/domain/conversation.ts'
import type { Delivery } from '../../../src/agent/domain/delivery.ts'
import type { ProgressView } from '../../../src/agent/domain/progress.ts'
import { createRedisEventLog } from '../../../src/store/redis/event-log.ts'
import { channelContract } from '../../contracts/channel.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { type Heard, listenTo } from './event-stream.ts'
import { ask, startWeb } from './support.ts'

const conversation = newConversation({
  id: conversationIdOf('web:local', 'web', 'thread'),
  address: { workspace: 'web:local', channel: 'web', thread: 'thread' },
  title: 'A thread',
  at: 1,
  lastReadAt: 1,
})

describeWith('redis-server', 'the web channel', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterAll(() => server.stop())

  channelContract('the web page', async (intake) => {
    await redis.flushall()
    let away = false
    const log = createRedisEventLog({ redis, workspace: 'web:local' })
    const append: typeof log.append = (key, body) =>
      away ? Promise.reject(new Error('connection lost')) : log.append(key, body)
    const web = await startWeb(redis, { intake, events: { ...log, append } })
    await web.store.conversations.open(conversation)

    /** What a tab sees that was closed all the while: everything since the beginning. */
    async function seen(): Promise<Heard[]> {
      const end = await log.position()
      const tab = await listenTo(web.url, '?after=0-0')
      if (end !== '0-0') await tab.next(({ id }) => id === end)
      tab.close()
      return tab.heard.filter(({ data }) => data.conversationId === conversation.id)
    }

    return {
      channel: web.channel,
      conversation,
      async shown() {
        const deliveries = (await seen()).filter(({ event }) => event === 'delivery')
        return deliveries.flatMap(({ data }) => {
          const { body } = data.delivery as Delivery
          return 'text' in body ? [body.text] : []
        })
      },
      async progress() {
        const runs = new Map<string, string>()
        for (const { event, data } of await seen()) {
          if (event !== 'progress') continue
          const progress = data.progress as ProgressView
          runs.set(progress.runId, `${progress.done}/${progress.items.length}`)
        }
        return [...runs.values()]
      },
      // The page has nobody to call: a mention is text like any other.
      mentions: async () => [],
      cut: () => {
        away = true
      },
      mend: () => {
        away = false
      },
      async say(text, gesture) {
        const path = `${web.url}/api/conversations/${conversation.id}/messages`
        return (await ask(path, 'POST', { text, clientMessageId: gesture })).status === 202
      },
      stop: web.stop,
    }
  })
})
