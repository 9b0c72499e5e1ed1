import { expect, it } from 'vitest'
import { readUsage } from '../../../src/store/redis/usage.ts'

it('reads a day that was counted before there were costs, channels and months (C131)', () => {
  const counts = ['50', '7', null, '40', '6', null, null, null, null]
  const used = readUsage({ person: 'ana', channel: 'general' }, [
    ...counts,
    ...counts.map(() => null),
  ])
  const none = { promptTokens: 0, completionTokens: 0, cost: 0 }
  expect(used.day).toEqual({
    team: { promptTokens: 50, completionTokens: 7, cost: 0 },
    person: { promptTokens: 40, completionTokens: 6, cost: 0 },
    channel: none,
  })
  expect(used.month).toEqual({ team: none, person: none, channel: none })
})
