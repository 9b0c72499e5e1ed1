import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTodo } from '../../../src/agent/commands/todo-read.ts'
import type { DecisionInput } from '../../../src/agent/contracts/decision.ts'
import type { LoopInput } from '../../../src/agent/contracts/input.ts'
import { runs } from '../../support/runs.ts'
import { ask, play, type Scene } from './rehearsal-loop.ts'

/** Unicode of all kinds, and sentences that look like requests. */
const fragment = fc.oneof(
  fc.constantFrom(
    'Compare the three venues',
    'and book a table',
    ', then tell the customer',
    'the two offers',
    'write down: a, b and c',
    'add milk, bread and "--tag x" to my to-dos',
    'Remind me tomorrow at 9',
    'find a hotel',
    'translate this',
    'why?',
    'Plan a trip',
    '比较三个场地',
    '，并预订一个日期',
    '把A和B加到待办',
    '给客户发邮件',
    '提醒我',
    '：一、二、三',
    '翻译',
    '(note)',
    '\n- ',
    ': ',
    ' and ',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)
const goal = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '))
const author = fc.record({ id: fc.string(), name: fc.string({ unit: 'grapheme', maxLength: 20 }) })
const text = fc.oneof(
  goal,
  fc.constantFrom('Lisbon', 'you choose', 'I don’t know', '就上海吧', '随便', 'also keep it short', ''),
)

const scene: fc.Arbitrary<Scene> = fc.record({
  answers: fc.array(text, { maxLength: 3 }),
  joins: fc.dictionary(fc.integer({ min: 1, max: 12 }).map(String), text, { maxKeys: 2 }),
  unattended: fc.boolean(),
  locale: fc.constantFrom('en', 'zh', 'de', ''),
  tools: fc.subarray(['todo', 'internet_search', 'schedule']),
  now: fc.constantFrom('2026-03-04T10:00:37+01:00', 'nonsense', '9999-12-31T23:59:59Z'),
})

const frame = { now: Date.parse('2026-03-04T10:00:37+01:00'), timeZone: 'Europe/Berlin', locale: 'en' }

describe('whatever people write', () => {
  it('writes only lines that /todo takes (F6, F7)', async () => {
    await fc.assert(
      fc.asyncProperty(goal, text, async (goal, answer) => {
        const { calls } = await play(goal, { answers: [answer] })
        for (const { tool, input } of calls)
          if (tool === 'todo') expect([input, readTodo(input, frame)]).toMatchObject([input, { ok: true }])
      }),
      { numRuns: runs() },
    )
  })

  it('plays every task to its end, with replies that are all accepted (R29 to R34, P11, P12)', async () => {
    await fc.assert(
      fc.asyncProperty(goal, scene, async (goal, scene) => {
        const played = await play(goal, scene)
        const heard = Object.keys(scene.joins ?? {}).length
        expect(played.steps).toBeLessThanOrEqual(40 + 20 * heard)
        expect(played.report.trim()).toMatch(/OPENAI_API_KEY/)
        expect(played.questions.length).toBeLessThanOrEqual(scene.unattended === true ? 0 : 2)
        expect(played.plans.flat().every((item) => item.trim() !== '')).toBe(true)
      }),
      { numRuns: runs() },
    )
  })

  it('accepts any state of the loop, also of tasks that somebody else planned (R31 to R34)', async () => {
    const item = fc.record({ text: goal, done: fc.boolean() })
    const state = fc.record({
      goal,
      tools: fc
        .subarray(['todo', 'internet_search', 'x'])
        .map((names) => names.map((name) => ({ name, description: '' }))),
      locale: fc.constantFrom('en', 'zh'),
      timeZone: fc.constantFrom('UTC', 'Asia/Shanghai', 'nowhere'),
      now: fc.constantFrom('2026-03-04T10:00:37+01:00', ''),
      unattended: fc.boolean(),
      refusal: fc.option(fc.string()),
      planItems: fc.array(item, { maxLength: 5 }),
      observations: fc.array(
        fc.record({
          step: fc.nat(),
          tool: fc.constantFrom('todo', 'internet_search', 'ask_user'),
          input: goal,
          ok: fc.boolean(),
          result: goal,
        }),
        { maxLength: 4 },
      ),
      clarifications: fc.array(fc.record({ step: fc.nat(), question: fc.option(text), text, author }), {
        maxLength: 4,
      }),
      conclusions: fc.array(fc.record({ step: fc.nat(), item: goal, text: fc.option(goal), ok: fc.boolean() }), {
        maxLength: 3,
      }),
      stepCount: fc.nat(40),
      maxSteps: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(state, fc.boolean(), fc.nat(4), async (state, mustStop, fresh) => {
        const open = state.planItems.findIndex((one) => !one.done)
        const currentPlanIndex = open === -1 ? state.planItems.length : open
        const input: LoopInput = { ...state, currentPlanIndex, successfulSteps: 0, failedSteps: 0 }
        await ask('plan', input)
        const thought = await ask('thought', {
          ...input,
          mustStop,
          currentItem: state.planItems[open]?.text ?? state.goal,
        })
        if (state.unattended) expect(thought.status).not.toBe('ask_user')
        const remainingPlan = state.planItems.filter((one) => !one.done).map((one) => one.text)
        await ask('replan', { ...input, remainingPlan, newClarifications: state.clarifications.slice(-fresh) })
      }),
      { numRuns: runs() },
    )
  })

  it('decides on every message within the contract (R91 to R98)', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.subarray(['agent_task', 'sleep', 'coding']), async (message, types) => {
        const input: DecisionInput = {
          message,
          author: { id: 'a', name: 'Ana' },
          recentMessages: [],
          recentRuns: [],
          runTypes: types.map((type) => ({ type, description: '' })),
          locale: 'en',
          timeZone: 'UTC',
          now: '2026-03-04T10:00:37Z',
        }
        const decision = await ask('decision', input)
        if (decision.run !== null) expect(types).toContain(decision.run.type)
        await ask('chat', input)
      }),
      { numRuns: runs() },
    )
  })

  it.each([
    ['blanks', ' '.repeat(40_000)],
    ['letters', 'a'.repeat(40_000)],
    ['words', 'the three '.repeat(4_000)],
    ['quotes', '"\'“'.repeat(13_000)],
    ['commas', 'book, '.repeat(7_000)],
    ['Chinese', '把比较为'.repeat(10_000)],
    ['brackets', '('.repeat(40_000)],
    ['digits', '1 '.repeat(20_000)],
  ])('reads 40,000 characters of %s in no time', async (_, goal) => {
    const started = performance.now()
    await play(goal)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
