import type { Limits } from '../../src/agent/domain/budget.ts'

/** What a task of a test may use. */
export const limits: Limits = {
  maxSteps: 20,
  maxModelCalls: 100,
  maxToolCalls: 100,
  maxTokens: 1_000_000,
  maxWallMs: 3_600_000,
  maxToolFailures: 3,
  maxContractFailures: 2,
  maxUnavailable: 5,
}
