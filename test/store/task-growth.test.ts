import { expect, it } from 'vitest'
import type { FreeTask } from '../../src/agent/domain/task.ts'
import { free } from '../../src/agent/strategies/free.ts'
import type { FreeContract, TaskEvent } from '../../src/agent/strategies/strategy.ts'
import { taskChanges } from '../../src/store/redis/codec.ts'
import { limits } from '../support/limits.ts'

const plan = Array.from(
  { length: 20 },
  (_, n) => `[Step] Find out about venue number ${n}, its prices and its rooms`,
).join('\n')
const result = 'A day costs 900 with lunch and coffee, half a day 500. '.repeat(10)
const usage = { promptTokens: 100, completionTokens: 20 }

/** Bytes that a commit writes of the task after each of 100 replies in a plan of twenty steps; every fifth closes one. */
function bytesOfReplies(): number[] {
  let task: FreeTask = free.start('Look at every venue', limits, false)
  return Array.from({ length: 100 }, (_, n) => {
    const done = n % 5 === 0 ? `Venue ${n / 5} is done. [Done]` : null
    const calls = [{ tool: 'lookup', input: `venue ${n}` }]
    const reply = { text: n === 0 ? plan : done, calls }
    const replied: TaskEvent<FreeContract> = {
      kind: 'replied',
      contract: 'act',
      reply,
      usage,
      ms: 5,
    }
    const after = free.apply(task, replied)
    const bytes = JSON.stringify(taskChanges(task, after)).length
    task = free.apply(after, { kind: 'observed', ok: true, result, ms: 5 })
    return bytes
  })
}

it('a reply of a free task that closes no step writes no more at call 100 than at call 10, however long its plan is (C596)', () => {
  const bytes = bytesOfReplies()
  expect(bytes[99]).toBeLessThan((bytes[9] ?? 0) * 1.05)
  expect(bytes[99]).toBeLessThan(600)
})
