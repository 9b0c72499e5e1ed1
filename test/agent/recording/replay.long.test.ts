import { expect, it } from 'vitest'
import { replay } from '../../../src/agent/recording/player.ts'
import { useClew } from '../../support/agent.ts'
import { recordedRun } from './recorded.ts'

const start = useClew()
const points = ['commits.commit', 'model.call', 'runs.state', 'tool ledger.run'].flatMap(
  (point) => [`before ${point}`, `after ${point}`],
)
const runs = (['step', 'batch', 'free'] as const).flatMap((strategy) =>
  points.flatMap((point) => Array.from({ length: 9 }, (_, n) => [strategy, point, n + 1] as const)),
)

/** Acceptance: 216 runs with questions, approvals and kills in between. */
it.each(runs)(
  '%s, killed %s number %i, comes to the same requests (C661)',
  async (strategy, point, n) => {
    const { requests, divergence } = await replay(await recordedRun(start, { strategy, point, n }))
    expect(divergence).toBeNull()
    expect(requests).toBeGreaterThan(2)
  },
  120_000,
)
