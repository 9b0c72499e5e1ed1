import type { Aside } from '../../../src/agent/ports/store.ts'
import { type TestClew, workspace } from '../../support/agent.ts'

export const keyOf = (name: string) => `clew:{${workspace}}:${name}`

/** What an operator finds, oldest first. */
export const asideOf = async ({ redis }: TestClew): Promise<(Aside & { at: number })[]> =>
  (await redis.zrange(keyOf('aside'), '0', '-1')).map((text) => JSON.parse(text))
