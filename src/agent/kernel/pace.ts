import type { Model } from '../ports/model.ts'
import type { Commits } from '../ports/store.ts'

export type Pace = (isRun: boolean) => Promise<void> | undefined

/** About a millisecond of work each. */
const stepsATurn = 4

/**
 * Lets so many callers through in one turn of the event loop, the others in the next ones, in their
 * order: the answers to many runs come in one read of a socket, and whatever else comes in would
 * wait until all of them are dealt with (C217). What people wait for goes before the steps of runs.
 */
export function createPace(most = stepsATurn): Pace {
  const people: (() => void)[] = []
  const runs: (() => void)[] = []
  let passed = 0
  function nextTurn() {
    const now = people.splice(0, most)
    now.push(...runs.splice(0, most - now.length))
    passed = now.length
    if (passed > 0) setImmediate(nextTurn)
    for (const go of now) go()
  }
  return (isRun) => {
    if (passed === 0) setImmediate(nextTurn)
    if (passed === most) return new Promise((resolve) => void (isRun ? runs : people).push(resolve))
    passed += 1
    return undefined
  }
}

/**
 * Waits for the run's turn after each answer of the model. The work between two answers of model or
 * store is one step.
 */
export const pacedModel = (model: Model, pace: Pace): Model => ({
  ...model,
  async call(...asked) {
    const reply = await model.call(...asked)
    await pace(asked[0] !== 'decision')
    return reply
  },
})

export const pacedCommits = (commits: Commits, pace: Pace): Commits => ({
  async commit(lease, change) {
    const committed = await commits.commit(lease, change)
    await pace(lease.item.kind === 'run')
    return committed
  },
})
