import type { Rates } from '../../agent/ports/rates.ts'
import type { Client } from './client.ts'
import { keysOf } from './keys.ts'

export const createRates = ({ run }: Client): Rates => ({
  async take({ workspace, who, key, at, perMinute }) {
    const { left, taken } = keysOf(workspace).rate(who, key)
    return (await run('take', [left, taken], [perMinute, at])) === 1
  },
})
