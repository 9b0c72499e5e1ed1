import fc from 'fast-check'
import type { ReplanInput, ThoughtInput } from '../../../src/agent/contracts/step.ts'
import type { StepTask } from '../../../src/agent/domain/task.ts'
import { mustStop } from '../../../src/agent/strategies/step.ts'
import { isCombined } from '../../../src/agent/strategies/step-thought.ts'

type Contract = 'plan' | 'thought' | 'replan'

/** What the world does at one turn of a task, whichever action it is that the task asks for. */
export interface Move {
  /** What the model answers to each contract; null when it does not answer. */
  reply: Record<Contract, unknown>
  /** What the tool answers; null when the worker died during the call. */
  tool: { ok: boolean; result: string } | null
  /** What a person says just then, instead of the model. */
  says: string | null
  call: { usage: { promptTokens: number; completionTokens: number }; ms: number }
}

const name = fc.constantFrom(
  'Find venues',
  'Compare',
  'Book',
  'compare.',
  'Tell the team',
  'Call them',
)
const words = fc.oneof(
  { weight: 6, arbitrary: name },
  fc.constantFrom(' ', '', 'Which city?', 'which city', '…'),
)
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 })
const nothing = fc.constant(null)
const acting = fc.record({ tool: fc.constantFrom('todo', 'internet_search'), input: name })

/** Right replies. */
const right: Record<Contract, fc.Arbitrary<unknown>> = {
  plan: fc.record({
    status: fc.constant('planned'),
    plan: fc.oneof({ weight: 9, arbitrary: names }, fc.constant([])),
    calls: orNull(fc.array(acting, { minLength: 1, maxLength: 3 })),
    leads_to: fc.constantFrom('item_done', null),
  }),
  thought: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        status: fc.constant('continue'),
        current_step: fc.constant('It'),
        next_action: acting,
        more_actions: orNull(fc.array(acting, { minLength: 1, maxLength: 7 })),
        leads_to: fc.constantFrom('item_done', null, null, 'replan'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        status: fc.constant('done'),
        current_step: name,
        response: orNull(words),
        next_action: orNull(acting),
        leads_to: fc.constantFrom(null, null, null, 'replan', 'end', 'give_up'),
      }),
    },
    fc.record({
      status: fc.constant('ask_user'),
      current_step: name,
      question: fc.constantFrom('Which city?', 'Which date?', 'which city', 'How many?'),
      choices: orNull(fc.array(words)),
    }),
  ),
  replan: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        status: fc.constant('replanned'),
        plan: names,
        say: orNull(words),
        reopen: fc.constantFrom(null, null, 'question', 'items'),
      }),
    },
    fc.record({
      status: fc.constantFrom('done', 'given_up'),
      plan: fc.constant([]),
      response: name,
    }),
  ),
}

/** Replies that have the right keys and the wrong things in them, or are nothing of the kind. */
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    status: fc.constantFrom('continue', 'ask_user', 'done', 'planned', 'replanned'),
    plan: fc.array(words, { maxLength: 4 }),
    current_step: words,
    next_action: orNull(fc.record({ tool: fc.constantFrom('todo', 'mail'), input: words })),
    question: orNull(words),
    choices: orNull(fc.array(words)),
    response: orNull(words),
  }),
  fc.anything(),
  nothing,
)

const replyTo = (contract: Contract) =>
  fc.oneof({ weight: 5, arbitrary: right[contract] }, { weight: 1, arbitrary: wrong })

const moves: fc.Arbitrary<Move> = fc.record({
  reply: fc.record({
    plan: replyTo('plan'),
    thought: replyTo('thought'),
    replan: replyTo('replan'),
  }),
  tool: fc.option(fc.record({ ok: fc.boolean(), result: words }), { nil: null, freq: 15 }),
  says: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: words }),
  call: fc.record({
    usage: fc.record({ promptTokens: fc.nat(200), completionTokens: fc.nat(50) }),
    ms: fc.nat(500),
  }),
})

export const modelMoves = fc.array(moves, { minLength: 1, maxLength: 40 })

/** What the driver would send with any of the three contracts. */
export function inputOf(task: StepTask): ThoughtInput & ReplanInput {
  return {
    goal: task.goal,
    tools: ['todo', 'internet_search'].map((name) => ({ name, description: name })),
    locale: 'en',
    timeZone: 'UTC',
    now: '2026-03-04T10:00+00:00',
    unattended: task.unattended,
    refusal: task.refusal,
    planItems: task.planItems,
    currentPlanIndex: task.currentPlanIndex,
    observations: task.observations,
    clarifications: task.clarifications,
    conclusions: task.conclusions,
    stepCount: task.spent.steps,
    maxSteps: task.limits.maxSteps,
    successfulSteps: task.spent.successfulSteps,
    failedSteps: task.spent.failedSteps,
    currentItem: task.planItems[task.currentPlanIndex]?.text ?? task.goal,
    mustStop: mustStop(task),
    combined: isCombined(task),
    newClarifications: task.clarifications.slice(task.clarificationsPlanned),
    remainingPlan: task.planItems.filter((item) => !item.done).map((item) => item.text),
  }
}
