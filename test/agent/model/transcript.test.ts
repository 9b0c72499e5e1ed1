import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoopInput } from '../../../src/agent/contracts/input.ts'
import type { ReplanInput, ThoughtInput } from '../../../src/agent/contracts/step.ts'
import { promptFor, userText } from '../../../src/agent/model/prompts.ts'
import { transcriptOf } from '../../../src/agent/model/transcript.ts'
import { runs } from '../../support/runs.ts'
import { loopInput } from './inputs.ts'

const ana = { id: 'u1', name: 'Ana' }
const observation = (step: number, result = `result ${step}`) => ({
  step,
  tool: 'todo',
  input: `input ${step}`,
  ok: true,
  result,
})
const clarification = (step: number) => ({
  step,
  question: null,
  text: `said at ${step}`,
  author: ana,
})
const conclusion = (step: number, text: string | null = `concluded at ${step}`) => ({
  step,
  item: `item ${step}`,
  text,
  ok: true,
})

const empty: LoopInput = { ...loopInput, observations: [], clarifications: [], conclusions: [] }
const transcript = (input: Partial<LoopInput>, open: 0 | 1 = 0) =>
  transcriptOf({ ...empty, ...input }, open)

describe('the transcript', () => {
  it('is in the order of the steps', () => {
    const entries = transcript({
      observations: [observation(4), observation(7)],
      clarifications: [clarification(2), clarification(7)],
      conclusions: [conclusion(3)],
    })
    expect(entries.map((entry) => entry.slice(0, 8))).toEqual([
      '[step 2]',
      '[step 3]',
      '[step 4]',
      '[step 7]',
      '[step 7]',
    ])
    expect(entries[3]).toContain('result 7')
    expect(entries[4]).toContain('said at 7')
  })

  it('cuts an observation at 10,000 characters (F1)', () => {
    const [whole] = transcript({ observations: [observation(1, 'x'.repeat(10_000))] })
    const [shortened] = transcript({ observations: [observation(1, 'x'.repeat(10_001))] })
    expect(whole).toContain(`${'x'.repeat(10_000)}\n</data>`)
    expect(shortened).toContain(`${'x'.repeat(10_000)}… [cut: 1 of 10001 characters are not shown`)
  })

  it('folds the observations of closed items into the entry of their conclusion', () => {
    const input = {
      observations: [observation(1), { ...observation(3), ok: false }, observation(6)],
      conclusions: [conclusion(4)],
    }
    const entries = transcript(input)
    expect(entries).toHaveLength(2)
    expect(entries[0]).toContain('concluded at 4\nfolded steps: 1 todo succeeded, 3 todo failed')
    expect(entries[0]).not.toContain('result')
    expect(entries[1]).toContain('result 6')
  })

  it('keeps the beginning of folded results when the conclusion says nothing', () => {
    const [entry] = transcript({
      observations: [observation(1, `42 ${'x'.repeat(400)}`)],
      conclusions: [conclusion(2, null)],
    })
    expect(entry).toMatch(
      /excerpts:\n {2}\[step 1\] 42 x+… \[cut: 103 of 403 characters are not shown\]/,
    )
  })

  it('shows a replan what has just happened in full (R28)', () => {
    const history = {
      observations: [observation(1), observation(4)],
      conclusions: [conclusion(2), conclusion(5)],
    }
    const entries = transcript(history, 1)
    expect(entries.join()).not.toContain('result 1')
    expect(entries.join()).toContain('result 4')
  })

  it('only grows at its end while an item is worked on', () => {
    const more = fc.array(
      fc.record({ kind: fc.constantFrom('act', 'say', 'close'), gap: fc.nat(2) }),
      {
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(more, fc.constantFrom<0 | 1>(0, 1), (events, open) => {
        let input = empty
        let step = 0
        for (const { kind, gap } of events) {
          step += gap + 1
          const before = transcriptOf(input, open)
          if (kind === 'act')
            input = { ...input, observations: [...input.observations, observation(step)] }
          else if (kind === 'say')
            input = { ...input, clarifications: [...input.clarifications, clarification(step)] }
          else input = { ...input, conclusions: [...input.conclusions, conclusion(step)] }
          const after = transcriptOf(input, open)
          const kept =
            kind === 'close'
              ? before.filter((entry) => !entry.includes('A tool call')).length
              : before.length
          if (kind !== 'close') expect(after.slice(0, kept)).toEqual(before)
          for (const { step: made } of input.clarifications)
            expect(after.join()).toContain(`said at ${made}`)
          for (const { step: made } of input.conclusions)
            expect(after.join()).toContain(`concluded at ${made}`)
          for (const { step: made } of input.observations)
            expect(after.join()).toMatch(new RegExp(`step ${made}\\]|\\b${made} todo`))
        }
      }),
      { numRuns: runs() },
    )
  })
})

/** A run of four items with four tool calls each, as the loop would ask it: each request with the history so far. */
function* requests(): Generator<{
  contract: 'thought' | 'replan'
  input: ThoughtInput & ReplanInput
  closes: boolean
}> {
  let input: LoopInput = {
    ...empty,
    planItems: ['a', 'b', 'c', 'd'].map((text) => ({ text, done: false })),
    currentPlanIndex: 0,
  }
  let step = 0
  const now = () => `2026-05-01T09:${String(step).padStart(2, '0')}:00+01:00`
  const ask = (contract: 'thought' | 'replan', closes: boolean) => {
    step += 1
    const asked = {
      ...input,
      now: now(),
      stepCount: step,
      currentItem: 'x',
      mustStop: false,
      newClarifications: [],
      remainingPlan: ['x'],
    }
    return { contract, closes, input: asked }
  }
  for (const index of input.planItems.keys()) {
    for (let call = 0; call < 4; call++) {
      yield ask('thought', call === 0 && index > 0)
      step += 1
      input = {
        ...input,
        observations: [...input.observations, observation(step, `${step} `.repeat(400))],
        successfulSteps: step,
      }
    }
    yield ask('thought', false)
    const planItems = input.planItems.map((item, at) => ({ ...item, done: at <= index }))
    input = {
      ...input,
      conclusions: [...input.conclusions, conclusion(step)],
      planItems,
      currentPlanIndex: index + 1,
    }
    yield ask('replan', true)
  }
}

const promptOf = (contract: 'thought' | 'replan', input: ThoughtInput & ReplanInput) => {
  const prompt = promptFor(contract, input)
  return { text: `${prompt.system}\n\n${userText(prompt)}`, tail: prompt.tail.length }
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

describe('the prompts of a run', () => {
  it('begin with all of the one before but its tail, until an item is closed (C55)', () => {
    const last = new Map<string, { text: string; tail: number }>()
    for (const { contract, input, closes } of requests()) {
      const before = last.get(contract)
      const now = promptOf(contract, input)
      if (before !== undefined && !closes) {
        const stable = before.text.length - before.tail
        expect(now.text.slice(0, stable)).toBe(before.text.slice(0, stable))
      }
      last.set(contract, now)
    }
  })

  it('can be served from a cache for the most part', () => {
    const last = new Map<string, string>()
    let all = 0
    let cached = 0
    for (const { contract, input } of requests()) {
      const { text } = promptOf(contract, input)
      all += text.length
      cached += commonPrefix(last.get(contract) ?? '', text)
      last.set(contract, text)
    }
    expect(cached / all).toBeGreaterThan(0.6)
  })

  it('do not grow with the results of closed items, which are folded in strides (C140)', () => {
    const sizes = [...requests()].filter(({ closes, contract }) => closes && contract === 'thought')
    const lengths = sizes.map(({ input }) => userText(promptFor('thought', input)).length)
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(7_000)
  })
})

it.each([
  [['20 EUR', '35 EUR', '50 EUR'], 'the middle one'],
  [['Priya', 'Jonas', 'Mira'], 'the second one, and make it due friday'],
  [['里斯本', '波尔图'], '第二个'],
])('shows the choices %j that a question had, for “%s” (C495)', (choices, text) => {
  const answer = { ...clarification(3), question: 'Which one?', choices, text }
  const [entry] = transcript({ clarifications: [answer] })
  const numbered = choices.map((choice, at) => `  ${at + 1}. ${choice}`).join('\n')
  expect(entry).toContain(`question: Which one?\nchoices:\n${numbered}\ntext: ${text}`)
  const { choices: _, ...bare } = answer
  expect(transcript({ clarifications: [bare] })[0]).not.toContain('choices')
})
