import type { Model } from '../ports/model.ts'
import type { Commits } from '../ports/store.ts'

/** About a millisecond of work each. */
const stepsATurn = 4

/**
 * Lets so many callers through in one turn of the event loop, the others in the next ones, in their order: the answers to many
 * runs come in one read of a socket, and whatever else comes in would wait until all of them are dealt with (C217).
 */
export function createGate(most = stepsATurn): () => Promise<void> | undefined {
  const waiting: (() => void)[] = []
  let passed = 0
  function nextTurn() {
    const now = waiting.splice(0, most)
    passed = now.length
    if (passed > 0) setImmediate(nextTurn)
    for (const go of now) go()
  }
  return () => {
    if (passed === 0) setImmediate(nextTurn)
    if (passed === most) return new Promise((resolve) => void waiting.push(resolve))
    passed += 1
    return undefined
  }
}

/** What a run does between two answers is a step: after each of the model's and of the store's it waits for its turn. */
export const gatedModel = (model: Model, gate: () => Promise<void> | undefined): Model => ({
  ...model,
  async call(...asked) {
    const reply = await model.call(...asked)
    await gate()
    return reply
  },
})

export const gatedCommits = (commits: Commits, gate: () => Promise<void> | undefined): Commits => ({
  async commit(...asked) {
    const committed = await commits.commit(...asked)
    await gate()
    return committed
  },
})
