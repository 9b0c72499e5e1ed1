import { setTimeout as wait } from 'node:timers/promises'
import { startFakeSlack } from '../../fakes/slack/server.ts'
import { at, type Figure, type World } from './world.ts'

const lines = 4_000
const place = 'CGENERAL'

/** P24: 4,000 lines that wait in one thread, each tenth of them a command, and what others wait for meanwhile. */
export async function backlog({ startClew, server }: World): Promise<Figure[]> {
  const fake = await startFakeSlack({
    route: { kind: 'socket' },
    ackMs: 3_000,
    retryMs: [],
    minuteMs: null,
  })
  const { people, state } = fake
  const members = new Set(['UANA', 'UBEN', state.bot.user])
  state.channels.set(place, { id: place, kind: 'channel', members, archived: false, messages: [] })
  await startClew({
    SLACK_BOT_TOKEN: state.bot.token,
    SLACK_APP_TOKEN: state.appToken,
    SLACK_API_URL: fake.apiUrl,
  })
  const others = async (many: number) => {
    const times: number[] = []
    for (let index = 0; index < many; index++) {
      const all = await people.direct('UANA', 'todo list').delivered
      times.push(...all.map(({ acked, ms }) => (acked ? ms : Number.POSITIVE_INFINITY)))
      await wait(20)
    }
    return at(times, 0.99)
  }
  const redis = server.connect()
  const waiting = async () => {
    const inboxes = await redis.keys('*:inbox')
    const lengths = await Promise.all(inboxes.map((key) => redis.llen(key)))
    return lengths.reduce((sum, length) => sum + length, 0)
  }
  try {
    await wait(1_000)
    const opening = people.mention(place, 'UANA', 'todo list')
    await opening.delivered
    await wait(2_000)
    const quiet = await others(200)
    const began = performance.now()
    let told: Promise<unknown>[] = []
    for (let index = 0; index < lines; index++) {
      const text = index % 10 === 9 ? `<@${state.bot.user}> todo list` : `<@UANA> line ${index}`
      told.push(people.say(place, 'UBEN', text, { thread: opening.ts }).delivered)
      if (told.length === 50) await Promise.all(told)
      if (told.length === 50) told = []
    }
    // They wait now; what arrives meanwhile is of others.
    const busy = others(200)
    await wait(1_000)
    while ((await waiting()) > 5) await wait(100)
    const seconds = (performance.now() - began) / 1_000
    return [
      { what: '4,000 lines in one thread are worked off', now: seconds, aim: 20, unit: 's' },
      {
        what: 'an event of another thread is acknowledged meanwhile, p99',
        now: await busy,
        aim: Math.max(60, 2 * quiet),
        unit: 'ms',
      },
    ]
  } finally {
    redis.disconnect()
    await fake.stop()
  }
}
