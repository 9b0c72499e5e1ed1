import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { strategyNames } from '../../../src/agent/domain/task.ts'
import { decides, task } from '../../fakes/model.ts'
import { repliesWith } from '../../fakes/openai/fuzz.ts'
import { value } from '../../fakes/openai/replies.ts'
import type { FakeRequest } from '../../fakes/openai/request.ts'
import { type FakeOpenAi, startOpenAi } from '../../fakes/openai/server.ts'
import { saidByModels } from './texts.ts'

/** A word before it: a reply of nothing but blanks would be asked for again. */
const words = saidByModels.map((text) => `It is ${text}`)
const strategies = fc.constantFrom(...strategyNames)

const replies = {
  ...repliesWith(words),
  decision: fc.oneof(
    { weight: 3, arbitrary: words.map((content) => decides.reply(content)) },
    {
      weight: 1,
      arbitrary: fc.tuple(words, strategies).map(([goal, strategy]) => {
        return decides.runs({ ...task(goal), input: JSON.stringify({ goal, strategy }) })
      }),
    },
  ),
  follow_up: fc.constant({
    decision: 'none',
    goal: null,
    title: null,
    summary: null,
    reason: 'over',
  }),
}

/** An endpoint whose model says nasty texts in replies of the right shape; what it says follows from what it is asked. */
export async function startHostileModel(seed: number): Promise<FakeOpenAi & { calls(): number }> {
  let calls = 0
  const server = await startOpenAi({ remembers: false })
  server.answer((request) => {
    calls += 1
    const [reply] = fc.sample(replies[request.contract], {
      seed: seedOf(seed, request),
      numRuns: 1,
    })
    return value(reply)
  })
  return { ...server, calls: () => calls }
}

/** Ids and times are others each time. */
function seedOf(seed: number, { contract, prompt }: FakeRequest): number {
  const same = prompt.replaceAll(/[a-z]+_[\w-]+|\d+/g, '')
  return createHash('sha256').update(`${seed} ${contract} ${same}`).digest().readInt32LE(0)
}
