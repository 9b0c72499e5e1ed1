import type { Limits } from '../domain/budget.ts'

/** R59: expected work of a batch, by its size. */
export const batchSizes = {
  simple: { maxRounds: 2, callsPerRound: { most: 5 } },
  medium: { maxRounds: 3, callsPerRound: { most: 8 } },
  complex: { maxRounds: 5, callsPerRound: { most: 8 } },
} as const satisfies Record<string, Pick<Limits, 'maxRounds' | 'callsPerRound'>>

export const batchSizeNames = [
  'simple',
  'medium',
  'complex',
] as const satisfies readonly (keyof typeof batchSizes)[]
