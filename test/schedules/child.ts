import type { DecisionInput } from '../../src/agent/contracts/decision.ts'
import type { Model } from '../../src/agent/ports/model.ts'
import { createSystemClock } from '../../src/clock.ts'
import { startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { silent } from '../support/silent.ts'
import { rehearsal } from './support.ts'

/*
 * Clew as it is started by a person, but for its clock: time stands where the parent set it until it says "go", and then
 * passes as it does. So a due instant can be lived through again and again, and the process be killed around it.
 */

interface Told {
  /** Milliseconds since the epoch. */
  at: number
  /** Whether time passes from there on. */
  go: boolean
}

const system = createSystemClock()
let base = Number(process.env.CLEW_AT)
let since: number | null = null
const now = () => base + (since === null ? 0 : performance.now() - since)

process.on('message', ({ at, go }: Told) => {
  base = at
  since = go ? performance.now() : null
  process.send?.({ kind: 'set' })
})

/** Asked what it said, it says the last thing that it was shown of the thread: what it is not shown it does not know. */
function remembering(model: Model): Model {
  return {
    name: model.name,
    async call(contract, input, signal) {
      if (contract !== 'decision') return await model.call(contract, input, signal)
      const { message, recentMessages } = input as DecisionInput
      if (message !== 'What did you report?') return await model.call(contract, input, signal)
      const last = recentMessages.findLast(({ role }) => role === 'assistant')?.text ?? 'nothing'
      const value = {
        decision: 'reply',
        reply: { content: `I reported this: ${last}` },
        run: null,
        runs: null,
        confidence: 1,
        reason: 'asked what was said',
      }
      return { ok: true, value, usage: { promptTokens: 0, completionTokens: 0 } }
    },
  }
}

const clew = await startClew(readConfig(JSON.parse(process.env.CLEW_SETTINGS ?? '{}')), {
  clock: { ...system, now: () => Math.floor(now()) },
  log: silent,
  model: remembering(rehearsal()),
})
process.on('SIGTERM', async () => {
  await clew.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(3))
process.send?.({ kind: 'ready', url: clew.url })
