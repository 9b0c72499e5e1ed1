import { setTimeout as wait } from 'node:timers/promises'
import { say, work } from '../measure.ts'
import { monitor } from '../monitor.ts'
import { openPage } from '../page.ts'
import { type Figure, inTurn, spentOn, type World } from './world.ts'

/** The newest 50 of 200 conversations, as the page asks for them; the requests themselves are in it. */
export async function listed({ startClew, server }: World): Promise<Figure[]> {
  const clew = await startClew()
  const get = async () => {
    const response = await fetch(`${clew.ready}/api/conversations?limit=50`)
    const { conversations } = (await response.json()) as { conversations: unknown[] }
    if (conversations.length !== 50)
      throw new Error(`${conversations.length} conversations were listed`)
  }
  for (let n = 0; n < 200; n++) await say(clew.ready, 'Hello, how are you?')
  await wait(3_000)
  await inTurn(200, get)
  const { cpuMs } = await spentOn(clew, () => inTurn(200, get))
  let seen = 0
  const stop = await monitor(server.connect(), ([command = '']) => {
    // What goes on by itself: the queue's workers wait, the page's reader reads.
    if (!/^(bz|xread|evalsha_ro_never)/i.test(command)) seen += 1
  })
  await inTurn(50, get)
  stop()
  return [
    { what: 'GET /api/conversations, 50 of 200: CPU', now: cpuMs / 200, aim: 2, unit: 'ms' },
    { what: 'the same, commands to Redis', now: seen / 50, aim: 2, unit: '' },
  ]
}

/** What Clew keeps of runs that have ended: its memory after 10,000 of them, beside that after the first 5,000. */
export async function memory({ startClew, server }: World): Promise<Figure[]> {
  const clew = await startClew()
  const page = await openPage(clew.ready)
  const after = async (runs: number) => {
    await inTurn(runs / 20, () => work({ clew, page, redis: server.connect() }, 20, 1))
    return (await clew.ask<{ rss: number }>({})).rss / 1_048_576
  }
  const [half, whole] = [await after(5_000), await after(5_000)]
  page.close()
  return [
    { what: 'memory after 10,000 runs', now: whole, aim: 300, unit: 'MB' },
    { what: 'the same beside that after 5,000', now: whole / half, aim: 1.05, unit: '×' },
  ]
}
