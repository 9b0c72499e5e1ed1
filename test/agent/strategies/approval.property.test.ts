import fc from 'fast-check'
import { describe } from 'vitest'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import { holding, itAsksFirst, mostly, words } from './random.ts'

const items = fc.array(fc.constantFrom('Find venues', 'Compare', 'Book it'), {
  minLength: 1,
  maxLength: 3,
})
const action = fc.record({
  tool: fc.constantFrom('todo', 'internet_search'),
  input: fc.constantFrom('list', 'add a'),
})
const replies = fc.record({
  plan: mostly(fc.record({ status: fc.constant('planned'), plan: items })),
  thought: mostly(
    fc.oneof(
      fc.record({
        status: fc.constant('continue'),
        current_step: fc.constant('It'),
        next_action: action,
      }),
      fc.record({ status: fc.constant('done'), current_step: words, response: words }),
    ),
  ),
  replan: mostly(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ status: fc.constant('replanned'), plan: items }) },
      { weight: 1, arbitrary: fc.constant({ status: 'done', plan: [], response: 'Booked.' }) },
    ),
  ),
})

// The other two are held to it with all their rules.
describe('every careful task with a random model', () => {
  itAsksFirst(holding(strategies.step, replies))
})
