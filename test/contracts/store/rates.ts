import { expect, it } from 'vitest'
import type { Parts } from '../store.ts'

const workspace = 'slack:T1'
const perMinute = 3

/** How much one person sends (S8). */
export function describeRates(parts: Parts) {
  let keys = 0
  /** How many of `count` are taken. */
  async function tries(who: string, count: number, at: number): Promise<number> {
    let taken = 0
    for (let n = 0; n < count; n++) {
      keys += 1
      const process = parts.open(`w${n % 2}`)
      taken += Number(await process.rates.take({ workspace, who, key: `m${keys}`, at, perMinute }))
      await process.close()
    }
    return taken
  }

  it('lets so many messages a minute through, to all processes together, of each person by themselves (S8)', async () => {
    expect(await tries('ana', 10, 0)).toBe(3)
    expect(await tries('ben', 2, 0)).toBe(2)
    expect(await tries('ana', 10, 20_000)).toBe(1)
    expect(await tries('ana', 10, 600_000)).toBe(3)
  })

  it('counts a message once, however often it comes in, and at the time when it was said (S8, P3)', async () => {
    const take = (key: string, at = 0) =>
      parts.store.rates.take({ workspace, who: 'ana', key, at, perMinute })
    const answers = []
    for (const key of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']) answers.push(await take(key))
    expect(answers).toEqual([true, true, true, true, true, true, false, false])
    // After an outage the messages of an hour are read at once.
    for (let minute = 1; minute < 60; minute++)
      expect(await take(`late ${minute}`, minute * 60_000)).toBe(true)
  })
}
