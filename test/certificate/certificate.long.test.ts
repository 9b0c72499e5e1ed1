import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { clew } from './clew.ts'
import { lossy } from './lossy.ts'
import type { Size } from './plan.ts'
import { play } from './play.ts'

const small: Size = {
  messages: 30,
  threads: 6,
  channels: 3,
  overMs: 4_000,
  kills: 2,
  minuteMs: 500,
  quietMs: 60_000,
}

const platforms = [{ platform: 'slack' }, { platform: 'discord' }] as const

describeWith('redis-server', 'the certificate', (redis) => {
  it.each(platforms)('finds nothing lost by Clew on $platform (C750)', async ({ platform }) => {
    const { said, lost, missed, doubled, misplaced, besides, kills, refused } = await play(clew, {
      ...{ platform, seed: 1, size: small, redis },
    })
    expect({ said, lost, missed, doubled, misplaced, besides, kills, refused }).toEqual({
      ...{ said: 30, lost: 0, missed: 0, doubled: 0, misplaced: 0, besides: 0 },
      ...{ kills: 2, refused: [] },
    })
  })

  it.each(platforms)('finds a wrong system on $platform (C750)', async ({ platform }) => {
    const found = await play(lossy, {
      platform,
      seed: 1,
      size: { ...small, kills: 0, quietMs: 3_000 },
      redis,
    })
    expect(found.lost).toBeGreaterThanOrEqual(3)
    expect(found.doubled).toBeGreaterThan(0)
    expect(found.misplaced).toBeGreaterThan(0)
  })
})
