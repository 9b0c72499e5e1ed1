import { describe, expect, it } from 'vitest'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import type { GuardEvent } from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'

const guardEvents: readonly [string, GuardEvent, object][] = [
  [
    'a model is not there (R44)',
    { kind: 'not_configured' },
    { kind: 'give_up', reason: 'not_configured' },
  ],
  [
    'its worker died three times (P14)',
    { kind: 'worn_out' },
    { kind: 'give_up', reason: 'attempts' },
  ],
  ['nobody answered in time (C48)', { kind: 'expired' }, { kind: 'pause', reason: 'unanswered' }],
  [
    'the day’s tokens of a person are used up (S8)',
    { kind: 'capped', reason: 'person_day' },
    { kind: 'pause', reason: 'person_day' },
  ],
]

describe.each(Object.entries(strategies))('a %s task', (_name, strategy) => {
  it.each(guardEvents)('ends or halts when %s', (_when, event, action) => {
    const task = strategy.start('Book the offsite', limits, true)
    const after = strategy.apply(task, event)
    expect(strategy.next(after)).toMatchObject(action)
    expect(after.awaitingClarification).toBe(false)
    expect(strategy.narrate(task, event, after)).toEqual([])
  })
})
