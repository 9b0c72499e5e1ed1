import { defineStrategy, loopView, queued, withQuestion } from 'clew/strategy'
import { z } from 'zod'

/** How many calls in a row may fail before the model is only allowed to ask or to end. */
const failuresMost = 3

/**
 * One tool call after another, without a plan: the model sees what came of each call before it decides on the next one.
 *
 * It asks by the contract `act`, whose replies are words, calls or both; of several calls it makes the first. Words without a
 * call are the answer. The state counts the calls, to say at the end how many it took.
 */
export const oneByOne = defineStrategy({
  name: 'one-by-one',
  description:
    'a few calls, each of which depends on what the one before it came to, without a plan for people.',
  words: ['one by one'],
  state: z.object({ calls: z.number().int() }),
  start: () => ({ calls: 0 }),
  next: () => ({ kind: 'call_model', contract: 'act' }),
  replied(task, { reply }) {
    const [call] = reply.calls
    if (call === undefined) {
      const text = `${reply.text ?? ''}\n\n(${task.state.calls} calls)`
      return { ...task, settled: { kind: 'finished', ok: true, text } }
    }
    const counted = { ...task, state: { calls: task.state.calls + 1 } }
    return withQuestion(queued(counted, counted.spent.modelCalls, [call], reply.text))
  },
  view: (task) => ({
    ...loopView(task),
    plan: null,
    resumed: false,
    mustStop: task.failures.tool >= failuresMost,
  }),
})
