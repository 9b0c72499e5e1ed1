import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ContractInputs, readReply } from '../../../src/agent/contracts.ts'
import type { Limits } from '../../../src/agent/domain/budget.ts'
import type { Report } from '../../../src/agent/domain/mission.ts'
import { million } from '../../../src/agent/domain/money.ts'
import { Task } from '../../../src/agent/domain/task.ts'
import { approvals } from '../../../src/agent/ports/tool.ts'
import { mustBeApproved } from '../../../src/agent/strategies/approval.ts'
import type { Guarded } from '../../../src/agent/strategies/guards.ts'
import type {
  Action,
  AnyEvent,
  GuardEvent,
  Observed,
  TaskContract,
  TaskEvent,
} from '../../../src/agent/strategies/strategy.ts'
import { limits } from '../../support/limits.ts'
import { runs } from '../../support/runs.ts'
import { ana } from './support.ts'

/** What the world does at one turn of a task, whichever action it is that the task asks for. */
interface Move {
  /** What the model answers to each contract; null when it does not answer. */
  reply: Partial<Record<TaskContract, unknown>>
  /** What the tools answer that are called at once; null when the worker died during the call. */
  results: readonly Observed[] | null
  /** What a coding agent answers; null when it does not. `growing`: it is still writing. */
  report: Report | 'growing' | 'no_desk' | null
  /** What a person says just then, instead of the model. */
  says: string | null
  /** Which of the choices of a question is taken; -1: other words. */
  choice: number
  call: { usage: { promptTokens: number; completionTokens: number }; ms: number }
}

export interface Step {
  before: Task
  action: Action
  event: AnyEvent
  after: Task
}
type Policies = Readonly<Record<string, (typeof approvals)[number]>>

export interface History {
  policies: Policies
  steps: Step[]
  last: Action
  task: Task
}

/** No script needs more moves than this; one that does is a task that never ends. */
const movesMost = 4_000

export const words = fc.constantFrom(
  'Find venues',
  'Compare',
  'Book it',
  '',
  ' ',
  '…',
  'Which city?',
  '\ud83d',
  '请确认',
)
const tools = fc.constantFrom('todo', 'internet_search')
const anyTool = fc.oneof(
  { weight: 9, arbitrary: tools },
  fc.constantFrom('mail', 'think', 'ask_user', ''),
)

/** Replies of the right shape, nearly right, and nothing of the kind. */
export const mostly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 7, arbitrary: right },
    { weight: 1, arbitrary: fc.anything() },
    { weight: 1, arbitrary: fc.constant(null) },
  )

export const calls = (most: number, key: 'arguments' | 'input') =>
  fc
    .array(
      fc.record({
        tool: anyTool,
        input: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('list', 'add a') }, words),
      }),
      {
        maxLength: most,
      },
    )
    .map((list) => list.map(({ tool, input }) => ({ tool, [key]: input })))

const small: fc.Arbitrary<Limits> = fc.record({
  maxSteps: fc.integer({ min: 1, max: 12 }),
  maxModelCalls: fc.integer({ min: 1, max: 30 }),
  maxToolCalls: fc.integer({ min: 1, max: 8 }),
  maxTokens: fc.integer({ min: 1, max: 3_000 }),
  maxWallMs: fc.integer({ min: 1, max: 10_000 }),
  maxToolFailures: fc.integer({ min: 1, max: 3 }),
  maxContractFailures: fc.integer({ min: 1, max: 3 }),
  maxUnavailable: fc.integer({ min: 1, max: 4 }),
  maxRounds: fc.integer({ min: 1, max: 3 }),
  maxRoundMs: fc.integer({ min: 1, max: 2_000 }),
  maxIterations: fc.integer({ min: 1, max: 12 }),
  maxRetries: fc.integer({ min: 0, max: 3 }),
  maxFailedSteps: fc.integer({ min: 1, max: 3 }),
  transitions: fc.boolean(),
  maxCost: fc.double({ min: 0.001, max: 0.02, noNaN: true }),
})

const part = fc.option(words, { nil: null })
const reports: fc.Arbitrary<Report> = fc.record({
  status: fc.constantFrom('success', 'failed', 'partial', 'waiting_input'),
  sessionId: fc.constantFrom('s1', 's2', null),
  text: words,
  ...{ deliverables: part, pitfalls: part, advice: part, question: part },
})

const observed = fc.record({ ok: fc.boolean(), result: words, ms: fc.nat(500) })

function setups(reply: fc.Arbitrary<Move['reply']>) {
  const move: fc.Arbitrary<Move> = fc.record({
    reply,
    results: fc.option(fc.array(observed, { minLength: 1, maxLength: 8 }), { nil: null, freq: 15 }),
    report: fc.oneof(
      { weight: 12, arbitrary: reports },
      { weight: 1, arbitrary: fc.constantFrom('growing' as const, 'no_desk' as const, null) },
    ),
    says: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: words }),
    choice: fc.constantFrom(0, 0, 1, -1),
    call: fc.record({
      usage: fc.record({
        promptTokens: fc.nat(200),
        completionTokens: fc.nat(50),
        cost: fc.nat(2_250),
      }),
      ms: fc.nat(500),
    }),
  })
  return fc.record({
    over: fc.oneof(fc.constant(limits), small),
    unattended: fc.boolean(),
    policies: fc.record({
      todo: fc.constantFrom(...approvals),
      internet_search: fc.constantFrom(...approvals),
    }),
    script: fc.array(move, { minLength: 1, maxLength: 30 }),
    pauses: fc.integer({ min: 0, max: 3 }),
  })
}

/** Plays the driver, a model with these moves, and a person who answers, interrupts and continues a few times. */
function playOut(
  strategy: Guarded,
  begun: Task,
  { script, pauses, policies }: { script: readonly Move[]; pauses: number; policies: Policies },
): History {
  const steps: Step[] = []
  let task = begun
  let left = pauses
  for (let turn = 0; turn < movesMost; turn++) {
    const action = strategy.next(task)
    if (action.kind === 'finish' || action.kind === 'give_up')
      return { policies, steps, last: action, task }
    if (action.kind === 'pause' && left-- === 0) return { policies, steps, last: action, task }
    const move = script[turn % script.length]
    if (move === undefined) throw new Error('an empty script')
    const now = turn < script.length ? move : { ...move, says: null }
    const event = held(task, action, policies) ?? eventOf(strategy, task, action, now)
    const after = strategy.apply(task, event)
    steps.push({ before: task, action, event, after })
    task = deepFreeze(after)
  }
  throw new Error(`the task did not end within ${movesMost} moves`)
}

/** What the driver does before a call. */
function held(task: Task, action: Action, policies: Policies): GuardEvent | null {
  if (action.kind !== 'call_tool') return null
  const approval = policies[action.tool] ?? 'never'
  if (!mustBeApproved(task, { name: action.tool, approval })) return null
  return { kind: 'held_back', covers: approval === 'first' ? 'tool' : 'call' }
}

function eventOf(
  strategy: Guarded,
  task: Task,
  action: Action,
  { reply, results, report, says, choice, call }: Move,
): TaskEvent {
  if (says !== null && action.kind === 'call_model')
    return { kind: 'joined', text: says, author: ana }
  switch (action.kind) {
    case 'wait':
      return {
        kind: 'answered',
        question: task.lastQuestion?.text ?? '',
        text: says ?? 'yes',
        author: ana,
        choice,
      }
    case 'call_tool': {
      if (results === null) return { kind: 'interrupted' }
      const [first = { ok: true, result: '', ms: 0 }, ...along] = results.slice(
        0,
        1 + (action.along?.length ?? 0),
      )
      return { kind: 'observed', ...first, along }
    }
    case 'call_model':
      return replyEvent(strategy, task, action.contract, reply[action.contract] ?? null, call)
    case 'hand_over':
      return report === 'no_desk' ? { kind: 'no_folder' } : { kind: 'order_sent', at: 1_000 }
    case 'await_report':
      return reportEvent(task, report, call.ms)
    default:
      return { kind: 'continued' }
  }
}

/** A report that grows twice is late. */
function reportEvent(task: Task, report: Move['report'], ms: number): TaskEvent {
  const isSeen = task.strategy === 'coding' && task.order?.seen != null
  if (report === 'growing' && !isSeen) return { kind: 'report_seen', size: 10, at: 1_000 }
  if (report === 'no_desk') return { kind: 'no_folder' }
  return report === null || report === 'growing'
    ? { kind: 'overdue', ms }
    : { kind: 'reported', report, ms }
}

const surroundings = {
  tools: ['todo', 'internet_search'].map((name) => ({ name, description: name })),
  locale: 'en',
  timeZone: 'UTC',
  now: '2026-03-04T10:00+00:00',
}

function replyEvent<C extends TaskContract>(
  strategy: Guarded,
  task: Task,
  contract: C,
  value: unknown,
  call: Move['call'],
): TaskEvent {
  if (value === null) return { kind: 'unavailable', contract, waitMs: call.ms, ...call }
  const input = { ...surroundings, ...strategy.view(task) } as unknown as ContractInputs[C]
  const read = readReply(contract, input, value)
  if (!read.ok) return { kind: 'refused', contract, problem: read.problem, ...call }
  return { kind: 'replied', contract, reply: read.reply, ...call } as unknown as TaskEvent
}

/** `apply` leaves the old task as it was; in a frozen one it would be caught. */
export function deepFreeze<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value
  for (const part of Object.values(Object.freeze(value))) {
    if (typeof part === 'object' && part !== null) deepFreeze(part)
  }
  return value
}

/** A claim that is true of the whole story of every random task of a strategy. */
export function holding(strategy: Guarded, reply: fc.Arbitrary<Move['reply']>) {
  return (claim: (history: History) => void): void => {
    const property = fc.property(setups(reply), ({ over, unattended, ...world }) =>
      claim(
        playOut(strategy, deepFreeze(strategy.start('Book the offsite', over, unattended)), world),
      ),
    )
    fc.assert(property, { numRuns: runs() })
  }
}

/** Every call that was made was allowed: by its policy, by a yes to itself, or by one to its tool. */
export function itAsksFirst(holds: (claim: (history: History) => void) => void): void {
  it('makes no call that people have not approved, and asks once for each (P12, P13, S4)', () => {
    holds(({ policies, steps }) => {
      const granted = new Set<number>()
      const tools = new Set<string>()
      const asked = new Set<number>()
      for (const { before, action, event } of steps) {
        const { intent, lastQuestion } = before
        if (event.kind === 'held_back' && intent !== null) {
          expect(asked.has(intent.step)).toBe(false)
          asked.add(intent.step)
        }
        if (
          event.kind === 'answered' &&
          event.choice === 0 &&
          lastQuestion?.reason === 'approval' &&
          intent !== null
        ) {
          granted.add(intent.step)
          tools.add(intent.tool)
        }
        if (action.kind !== 'call_tool' || intent === null || event.kind === 'held_back') continue
        const policy = policies[intent.tool] ?? 'never'
        const allowed = granted.has(intent.step) || (policy === 'first' && tools.has(intent.tool))
        expect(policy === 'never' || allowed).toBe(true)
      }
    })
  })
}

/** What every strategy keeps to, whatever the model does. */
export function itKeepsTheRules(holds: (claim: (history: History) => void) => void): void {
  itAsksFirst(holds)

  it('stays within every ceiling (P12, C36)', () => {
    holds(({ steps }) => {
      for (const { before, action, after } of steps) {
        const { spent, allowanceFrom: from, limits: most } = after
        expect(spent.modelCalls - from.modelCalls).toBeLessThanOrEqual(most.maxModelCalls)
        expect(spent.toolCalls - from.toolCalls).toBeLessThanOrEqual(most.maxToolCalls)
        if (action.kind !== 'call_model' && action.kind !== 'call_tool') continue
        const cost = ((before.spent.cost ?? 0) - (before.allowanceFrom.cost ?? 0)) / million
        expect(cost).toBeLessThan(most.maxCost ?? Number.POSITIVE_INFINITY)
        expect(before.spent.activeMs - before.allowanceFrom.activeMs).toBeLessThan(most.maxWallMs)
      }
    })
  })

  it('keeps its cursor within its list, and stays a record that reads back (P12, R37)', () => {
    holds(({ steps }) => {
      for (const { after } of steps) {
        expect(after.currentPlanIndex).toBeGreaterThanOrEqual(0)
        expect(after.currentPlanIndex).toBeLessThanOrEqual(after.planItems.length)
      }
      const last = steps.at(-1)?.after
      if (last !== undefined) expect(Task.parse(JSON.parse(JSON.stringify(last)))).toEqual(last)
    })
  })

  it('calls nothing while a question is open, and asks nobody when nobody is there (P12, R11, C48)', () => {
    holds(({ steps }) => {
      for (const { action, before } of steps) {
        if (before.awaitingClarification) expect(action.kind).toBe('wait')
        if (before.unattended)
          expect(['outcome_unknown', 'approval']).toContain(
            before.lastQuestion?.reason ?? 'outcome_unknown',
          )
      }
    })
  })

  it('gives every call one result under its own number (P12, C15)', () => {
    holds(({ task }) => {
      const numbers = task.observations.map((one) => one.step)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    })
  })

  it('ends once, with words or with nothing to add (P11)', () => {
    holds(({ last, steps, task }) => {
      // Without words of the model there is something to digest (R62, C448).
      const hasWords = last.kind !== 'finish' || !last.ok || last.text.trim() !== ''
      expect(hasWords || task.observations.length + task.conclusions.length > 0).toBe(true)
      expect(['finish', 'give_up', 'pause']).toContain(last.kind)
      expect(steps.filter(({ action }) => action.kind === 'finish')).toEqual([])
      expect(task.intent === null || last.kind !== 'finish').toBe(true)
    })
  })

  it('only adds to its growing parts and to its totals (P12, C35)', () => {
    holds(({ steps }) => onlyAdds(steps))
  })
}

/** The growing parts of a task and its totals never shrink. */
export function onlyAdds(steps: readonly { before: Task; after: Task }[]): void {
  for (const { before, after } of steps) {
    for (const part of ['observations', 'clarifications', 'conclusions'] as const)
      expect(after[part].slice(0, before[part].length)).toEqual(before[part])
    for (const total of [
      'iterations',
      'modelCalls',
      'toolCalls',
      'promptTokens',
      'activeMs',
    ] as const)
      expect(after.spent[total]).toBeGreaterThanOrEqual(before.spent[total])
  }
}
