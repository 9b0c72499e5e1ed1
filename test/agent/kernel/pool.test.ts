import { describe, expect, it } from 'vitest'
import { nameOf } from '../../../src/agent/kernel/lease.ts'
import { createPool } from '../../../src/agent/kernel/pool.ts'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import { silent } from '../../support/silent.ts'

const run = (id: string): Item => ({ kind: 'run', workspace: 'web:local', id })

function stage(runsAtOnce: number) {
  const nudged: string[] = []
  const nudges = new Map(['one', 'two'].map((id) => [nameOf(run(id)), () => void nudged.push(id)]))
  const pool = createPool({ runsAtOnce, log: silent, nudges })
  const begun: string[] = []
  const end = new Map<string, () => void>()
  const begin = (id: string) =>
    pool.begin(run(id), async () => {
      begun.push(id)
      await new Promise<void>((resolve) => end.set(id, resolve))
    })
  return { pool, begin, begun, nudged, end: (id: string) => end.get(id)?.() }
}

describe('what is worked on at once', () => {
  it('hands a place that becomes free to the work that waits for it: it never looks free to others', async () => {
    const { pool, begin, begun, end } = stage(1)
    await begin('one')
    const second = begin('two')
    expect(begun).toEqual(['one'])
    end('one')
    while (begun.length < 2) {
      expect(pool.freeSlots()).toBe(0)
      await Promise.resolve()
    }
    await second
    end('two')
    await pool.idle()
    expect(pool.freeSlots()).toBe(1)
  })

  it('looks at an item again that was woken meanwhile, once', async () => {
    const { pool, begin, begun, nudged, end } = stage(2)
    await begin('one')
    await begin('one')
    await begin('one')
    expect(nudged).toHaveLength(2)
    end('one')
    await expect.poll(() => begun).toEqual(['one', 'one'])
    end('one')
    await pool.idle()
    expect(pool.freeSlots()).toBe(2)
  })

  it.each([
    { isHeard: true, times: 1 },
    { isHeard: false, times: 2 },
  ])(
    'looks at an outbox again unless its owner is sure to see what came in ($isHeard)',
    async ({ isHeard, times }) => {
      const outbox: Item = { kind: 'outbox', workspace: 'web:local', id: 'c_1' }
      const nudges = new Map(isHeard ? [[nameOf(outbox), () => {}]] : [])
      const pool = createPool({ runsAtOnce: 1, log: silent, nudges })
      const first = Promise.withResolvers<void>()
      let begun = 0
      const work = async () => {
        begun += 1
        if (begun === 1) await first.promise
      }
      await pool.begin(outbox, work)
      await pool.begin(outbox, work)
      first.resolve()
      await pool.idle()
      expect(begun).toBe(times)
    },
  )
})
