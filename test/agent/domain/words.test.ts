import { expect, it } from 'vitest'
import { InboundEvent } from '../../../src/agent/domain/event.ts'
import { allowed, powers, standings, ways } from '../../../src/agent/domain/words.ts'

it('nobody but members and the operator has any power, on no way (C283)', () => {
  const others = standings.filter((by) => by !== 'member' && by !== 'operator')
  for (const by of others)
    for (const way of ways)
      expect(powers.filter((power) => allowed({ way, by }, power) !== null)).toEqual([])
})

it('an event of an earlier release is what its author typed (C283)', () => {
  const event = InboundEvent.parse({
    workspace: 'slack:T1',
    channel: 'C1',
    thread: '1',
    keys: ['k'],
    author: { id: 'UANA', name: 'Ana', bot: false },
    at: 1,
    content: {
      kind: 'message',
      text: 'yes',
      addressed: true,
      forSomeoneElse: false,
      pressed: true,
    },
  })
  expect(event.whose).toEqual({ way: 'typed', by: 'member' })
})
