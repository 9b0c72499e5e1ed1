import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Item, Wakeups } from '../../src/agent/ports/wakeups.ts'

/** Wake-ups as several processes have them. */
export interface WakeupsBench {
  /** A process that works on conversations and runs and delivers what belongs to `platforms`; one that only wakes others. */
  open(role?: { worker: boolean; platforms: readonly string[] }): Wakeups
  close(): Promise<void>
}

const conversation: Item = { kind: 'conversation', workspace: 'web:local', id: 'c_1' }
const run: Item = { kind: 'run', workspace: 'web:local', id: 'r_1' }
const outbox: Item = { kind: 'outbox', workspace: 'web:local', id: 'c_1' }
const all = { worker: true, platforms: ['web'] }

/** What every `Wakeups` promises. */
export function describeWakeups(name: string, create: () => Promise<WakeupsBench>) {
  describe(`wake-ups: ${name}`, () => {
    let bench: WakeupsBench
    beforeEach(async () => {
      bench = await create()
    })
    afterEach(() => bench.close())

    /** Starts a process and answers what it hears. */
    async function listen(role = all, handle: (item: Item) => Promise<void> = async () => {}) {
      const wakeups = bench.open(role)
      const heard: Item[] = []
      await wakeups.start(async (item) => {
        heard.push(item)
        await handle(item)
      })
      return { wakeups, heard }
    }
    const soon = (check: () => void) => vi.waitFor(check, { timeout: 40_000, interval: 5 })

    it('wakes every kind of item, from another process too', async () => {
      const { wakeups, heard } = await listen()
      await wakeups.wake(conversation)
      await bench.open({ worker: false, platforms: [] }).wake(run)
      await wakeups.wake(outbox)
      await soon(() => expect(heard).toHaveLength(3))
      expect(heard).toEqual(expect.arrayContaining([conversation, run, outbox]))
    })

    it('delivers what was woken before anybody listened', async () => {
      await bench.open().wake(conversation)
      const { heard } = await listen()
      await soon(() => expect(heard).toEqual([conversation]))
    })

    it('wakes later what is not due yet', async () => {
      const { wakeups, heard } = await listen()
      await wakeups.wake(run, 2_000)
      await wakeups.wake(conversation)
      await soon(() => expect(heard).toEqual([conversation, run]))
    })

    it('goes to one who plays the part', async () => {
      const worker = await listen({ worker: true, platforms: [] })
      const web = await listen({ worker: false, platforms: ['web'] })
      const slack = await listen({ worker: false, platforms: ['slack'] })
      for (let n = 0; n < 5; n++)
        for (const item of [conversation, run, outbox]) await slack.wakeups.wake(item)
      await soon(() => expect([worker.heard.length, web.heard.length]).toEqual([10, 5]))
      expect(web.heard.every(({ kind }) => kind === 'outbox')).toBe(true)
      expect(slack.heard).toEqual([])
    })

    it('goes on after a handler has failed', async () => {
      const { wakeups, heard } = await listen(all, () => Promise.reject(new Error('busy')))
      await wakeups.wake(conversation)
      await soon(() => expect(heard).toHaveLength(1))
      await wakeups.wake(run)
      await soon(() => expect(heard).toContainEqual(run))
    })

    it('hears a person while every place for a run is taken (R104, R150)', async () => {
      const { promise: free, resolve } = Promise.withResolvers<void>()
      const { wakeups, heard } = await listen(all, (item) =>
        item.kind === 'run' ? free : Promise.resolve(),
      )
      for (let n = 0; n < 8; n++) await wakeups.wake({ ...run, id: `r_${n}` })
      await soon(() => expect(heard.length).toBeGreaterThan(0))
      await wakeups.wake(conversation)
      await soon(() => expect(heard).toContainEqual(conversation))
      resolve()
    })

    it('stops while a handler still waits', async () => {
      const { promise: free, resolve } = Promise.withResolvers<void>()
      const { wakeups, heard } = await listen(all, () => free)
      await wakeups.wake(conversation)
      await soon(() => expect(heard).toHaveLength(1))
      await wakeups.stop()
      resolve()
    })

    it('says whether it works', async () => {
      const { wakeups } = await listen()
      expect(await wakeups.health()).toMatchObject({ ok: true })
    })
  })
}
