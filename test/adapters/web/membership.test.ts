import { expect, it } from 'vitest'
import { createMembership, standingOf } from '../../../src/adapters/web/membership.ts'
import type { Member, Rooms } from '../../../src/agent/ports/members.ts'
import { createManualClock } from '../../fakes/clock.ts'

const ana: Member = {
  platform: 'chat',
  key: 'chat:U1',
  person: { id: 'U1', name: 'Ana' },
  workspaces: ['chat:one'],
}
const minute = 60_000

function open() {
  const clock = createManualClock()
  const platform = {
    ...{ platform: 'chat', label: 'Chat', asked: 0, answer: null as Rooms | null | 'away' },
    begin: async () => '',
    finish: async () => ({ kind: 'failed' as const }),
    async rooms() {
      platform.asked++
      return platform.answer
    },
  }
  const membership = createMembership([platform], clock)
  return {
    clock,
    platform,
    membership,
    look: (member = ana) => membership.roomsOf(member, 'chat:one'),
  }
}
const rooms = (...names: string[]): Rooms => ({ has: async (channel) => names.includes(channel) })

it('asks a platform again after 5 minutes, once for all who ask at a time (S28)', async () => {
  const { clock, platform, look } = open()
  platform.answer = rooms('general')
  const [first, second] = await Promise.all([look(), look()])
  expect([first, second, platform.asked]).toEqual([platform.answer, platform.answer, 1])
  platform.answer = rooms()
  await clock.advance(5 * minute - 1)
  expect(await look()).toBe(first)
  await clock.advance(1)
  expect(await look()).toBe(platform.answer)
  platform.answer = null
  await clock.advance(5 * minute)
  expect(await look(), 'who has left is nowhere').toBeNull()
})

it('believes what it knew for 15 minutes where the platform does not answer, then nothing, and leaves it alone for a while (S28)', async () => {
  const { clock, platform, membership, look } = open()
  expect(await membership.roomsOf({ ...ana, key: 'chat:U9' }, 'chat:one')).toBeNull()
  platform.answer = rooms('general')
  const known = await look()
  platform.answer = 'away'
  await clock.advance(15 * minute - 1)
  expect(await look()).toBe(known)
  const { asked } = platform
  await clock.advance(1)
  expect(await look()).toBe('away')
  expect(await standingOf(membership, ana)).toBe('away')
  expect(platform.asked, 'not at once again').toBe(asked)
  platform.answer = rooms('general')
  await clock.advance(15_000)
  expect(await look()).toBe(platform.answer)
})

it('keeps nobody waiting for a platform that says nothing at all (S28)', async () => {
  const { clock, membership, platform } = open()
  let answer = (_: null): void => undefined
  platform.rooms = () =>
    new Promise<null>((resolve) => {
      answer = resolve
    })
  const asked = membership.roomsOf(ana, 'chat:one')
  await clock.advance(4_000)
  expect(await asked).toBe('away')
  answer(null)
  await expect.poll(() => membership.roomsOf(ana, 'chat:one')).toBeNull()
})

it('knows who shares nothing with Clew any more; direct messages alone are no place (S28)', async () => {
  const { platform, membership } = open()
  const both = { ...ana, workspaces: ['chat:one', 'chat:dm'] }
  platform.answer = null
  expect(await standingOf(membership, both)).toBe('gone')
  expect(platform.asked).toBe(1)
})
