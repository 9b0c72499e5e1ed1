import type { StepTask } from '../../../src/agent/domain/task.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import {
  at,
  changeOf,
  claim,
  itemOf,
  observationOf,
  openRun,
  taskOf,
} from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import type { Sent, TappedRedis } from './tapped.ts'

/** Drives a run for `count` steps as the agent does, one commit a step; answers what each step sent. */
export async function driven(
  redis: TappedRedis,
  count: number,
): Promise<{ store: Store; steps: Sent[][] }> {
  const store = createRedisStore({ redis, clock: createManualClock(), worker: 'w' })
  await redis.flushall()
  const { conversationId, run } = await openRun(store)
  const lease = await claim(store, itemOf('run', run.id))
  let task: StepTask = taskOf({ planItems: [{ text: 'find venues', done: false }] })
  await store.commits.commit(lease, changeOf({ task: { before: null, after: task } }))
  const steps: Sent[][] = []
  for (let n = 1; n <= count; n++) {
    const after: StepTask = {
      ...task,
      spent: { ...task.spent, steps: n },
      observations: [...task.observations, observationOf(n)],
    }
    redis.sent.length = 0
    await store.commits.commit(
      lease,
      changeOf({
        task: { before: task, after },
        conversationId,
        progress: run.id,
        trace: [
          {
            of: run.id,
            entry: { at, what: { kind: 'acted', tool: 'todo', step: n, ok: true, ms: 1 } },
          },
        ],
      }),
    )
    steps.push([...redis.sent])
    task = after
  }
  return { store, steps }
}
