import { work } from '../measure.ts'
import { openPage } from '../page.ts'
import { type Figure, inTurn, type World } from './world.ts'

const runs = 20

/** Jobs of the queue for a run in a process that does not serve the page; each queue numbers its jobs. */
export async function worker({ startClew, server }: World): Promise<Figure[]> {
  const clew = await startClew({ ROLES: 'web' })
  await startClew({ ROLES: 'worker,scheduler' })
  const [page, redis] = [await openPage(clew.ready), server.connect()]
  const jobs = async () => {
    const counters = await Promise.all(
      (await redis.keys('{clew}:*:id')).map((key) => redis.get(key)),
    )
    return counters.reduce((sum, count) => sum + Number(count), 0)
  }
  const one = () => work({ clew, page, redis }, 1, 1)
  await one()
  const before = await jobs()
  await inTurn(runs, one)
  page.close()
  // One wakes the worker for the message; the process with the page is told what there is to show (C272).
  const now = ((await jobs()) - before) / runs
  return [
    {
      what: 'a worker without the web role: jobs of the queue a run of 11 steps',
      now,
      aim: 2,
      unit: '',
    },
  ]
}
