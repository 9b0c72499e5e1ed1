import { type StrategyName, strategyNames, type Task } from '../domain/task.ts'
import { batch } from './batch.ts'
import { coding } from './coding.ts'
import type { OutsideStrategy } from './define-strategy.ts'
import { free } from './free.ts'
import { type Guarded, guarded } from './guards.ts'
import { step } from './step.ts'

/** Clew's own ways of working, by the name that a task carries. */
export const strategies = {
  step: guarded(step),
  batch: guarded(batch),
  free: guarded(free),
  coding: guarded(coding),
} as const satisfies Record<Exclude<Task['strategy'], 'custom'>, Guarded>

/** Every way of working that there is in this process. */
export interface Strategies {
  /** Those from outside, for those who choose among them. */
  readonly outside: readonly OutsideStrategy[]
  /** The one that a task can be asked to have; null: there is none of this name. */
  named(name: string): Pick<Guarded, 'start'> | null
  /** A task's own one; null: it came from outside and is not here any more. */
  of(task: Task): Guarded | null
}

/** @throws Error when two have one name: a mistake of the composition. */
export function createStrategies(outside: readonly OutsideStrategy[] = []): Strategies {
  const names = outside.map(({ name }) => name)
  const twin = names.find(
    (name, at) => name in strategies || reserved.includes(name) || names.indexOf(name) !== at,
  )
  if (twin !== undefined) throw new Error(`there cannot be a strategy "${twin}", or not twice`)
  const find = (name: string) => outside.find((one) => one.name === name)?.strategy ?? null
  return {
    outside,
    named: (name) => (isOwn(name) ? strategies[name] : find(name)),
    of: (task) => (task.strategy === 'custom' ? find(task.name) : strategies[task.strategy]),
  }
}

/** Words of the setting that are no way of working. */
const reserved: readonly string[] = ['auto', 'default', 'custom']

const isOwn = (name: string): name is StrategyName => strategyNames.some((own) => own === name)

/** Clew's own; they alone have rules for their plans, and words for a pause. */
export const ownStrategies: Strategies = createStrategies()

/**
 * A task's own strategy. The name that it carries is what ties the two together.
 *
 * @throws UnknownStrategy when it is not here any more.
 */
export function strategyOf(task: Task, { of }: Pick<Strategies, 'of'> = ownStrategies): Guarded {
  const strategy = of(task)
  if (strategy === null)
    throw new UnknownStrategy(task.strategy === 'custom' ? task.name : task.strategy)
  return strategy
}

/** A task names a strategy that is not registered here. */
export class UnknownStrategy extends Error {
  readonly code = 'unknown_strategy'
  readonly strategy: string
  constructor(strategy: string) {
    super(`there is no strategy "${strategy}"`)
    this.strategy = strategy
  }
}
