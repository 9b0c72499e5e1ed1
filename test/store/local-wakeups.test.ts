import { expect, it } from 'vitest'
import type { Item } from '../../src/agent/ports/wakeups.ts'
import { createLocalWakeups } from '../../src/store/local-wakeups.ts'
import { createManualClock } from '../fakes/clock.ts'
import { silent } from '../support/silent.ts'

const run: Item = { kind: 'run', workspace: 'web:local', id: 'r_1' }

async function listening() {
  const clock = createManualClock({ start: 0 })
  const wakeups = createLocalWakeups({ clock, log: silent })
  const heard: string[] = []
  await wakeups.wake({ ...run, id: 'before' })
  await wakeups.start(async ({ id }) => {
    heard.push(`${clock.now()} ${id}`)
    throw new Error('busy')
  })
  return { clock, wakeups, heard }
}

it('begins what is due at once, also what was woken before anybody listened, and goes on after a failure (C175)', async () => {
  const { wakeups, heard } = await listening()
  await wakeups.wake(run)
  expect(heard).toEqual(['0 before', '0 r_1'])
})

it('begins what is due later when its time has come, once, at the earliest time that was named (C175)', async () => {
  const { clock, wakeups, heard } = await listening()
  for (const delayMs of [3_000, 1_000, 2_000]) await wakeups.wake(run, delayMs)
  expect(await wakeups.health()).toEqual({ ok: true, detail: 'in this process; 1 delayed' })
  await clock.advance(5_000)
  await wakeups.wake(run, 500)
  await clock.advance(1_000)
  expect(heard.slice(1)).toEqual(['1000 r_1', '5500 r_1'])
})

it('wakes nobody after it has stopped (C175)', async () => {
  const { clock, wakeups, heard } = await listening()
  await wakeups.wake(run, 1_000)
  await wakeups.stop()
  await clock.advance(5_000)
  await wakeups.wake(run)
  expect(heard).toEqual(['0 before'])
})
