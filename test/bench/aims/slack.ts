import { setTimeout as wait } from 'node:timers/promises'
import { startFakeSlack } from '../../fakes/slack/server.ts'
import { monitor } from '../monitor.ts'
import { type Figure, inTurn, spentOn, type World } from './world.ts'

/** A message that is stored and acknowledged by a process that does nothing else with it. */
export async function slack({ startClew, server }: World): Promise<Figure[]> {
  const fake = await startFakeSlack({
    route: { kind: 'socket' },
    ackMs: 3_000,
    retryMs: [],
    minuteMs: null,
  })
  const clew = await startClew({
    ROLES: 'slack',
    SLACK_BOT_TOKEN: fake.state.bot.token,
    SLACK_APP_TOKEN: fake.state.appToken,
    SLACK_API_URL: fake.apiUrl,
  })
  // One event each; a mention in a channel is two.
  const say = async () => {
    const all = await fake.people.direct('UANA', 'Hello, how are you?').delivered
    if (!all.every(({ acked }) => acked)) throw new Error('a message was not acknowledged')
  }
  try {
    await wait(1_000)
    await inTurn(300, say)
    const { cpuMs } = await spentOn(clew, () => inTurn(300, say))
    let seen = 0
    const stop = await monitor(server.connect(), () => {
      seen += 1
    })
    await inTurn(100, say)
    await wait(100)
    stop()
    return [
      {
        what: 'a Slack message is stored, by a process that only takes in: CPU',
        now: cpuMs / 300,
        aim: 0.6,
        unit: 'ms',
      },
      {
        what: 'the same, commands to Redis with the wake of a worker',
        now: seen / 100,
        aim: 2,
        unit: '',
      },
    ]
  } finally {
    await fake.stop()
  }
}
