import { afterAll, expect } from 'vitest'
import type { FakeDiscord } from '../../fakes/discord/server.ts'

/** At the end of a suite: everything that was sent is what Discord takes. How much that was is printed for the whole run. */
export function everythingValidates(discord: () => FakeDiscord): void {
  afterAll(() => {
    expect(discord().violations).toEqual([])
    expect(discord().checked()).toBeGreaterThan(0)
  })
}
