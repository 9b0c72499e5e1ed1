import type { Limits } from '../domain/budget.ts'

/** R59: expected work of a batch, by its size. */
export const batchSizes = {
  simple: { maxRounds: 2, callsPerRound: { least: 3, most: 5 } },
  medium: { maxRounds: 3, callsPerRound: { least: 5, most: 8 } },
  complex: { maxRounds: 5, callsPerRound: { least: 6, most: 8 } },
} as const satisfies Record<string, Pick<Limits, 'maxRounds' | 'callsPerRound'>>

export const batchSizeNames = [
  'simple',
  'medium',
  'complex',
] as const satisfies readonly (keyof typeof batchSizes)[]
