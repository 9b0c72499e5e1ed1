export type { ContractReplies, TaskView } from '../agent/contracts.ts'
export type { Limits } from '../agent/domain/budget.ts'
export { loopView } from '../agent/strategies/bookkeeping.ts'
export { queued } from '../agent/strategies/calls.ts'
export {
  type AskedContract,
  defineStrategy,
  type OutsideStrategy,
  type OwnTask,
  type StrategyDefinition,
} from '../agent/strategies/define-strategy.ts'
export type { Replied } from '../agent/strategies/strategy.ts'
export { type Happening, usual, withQuestion } from '../agent/strategies/usual-events.ts'
