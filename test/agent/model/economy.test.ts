import { describe, expect, it } from 'vitest'
import { callable } from '../../../src/agent/contracts/calls.ts'
import { type ContractInputs, type ContractName, readReply } from '../../../src/agent/contracts.ts'
import { recallOf } from '../../../src/agent/drive/recall-tool.ts'
import { requestBody } from '../../../src/agent/model/forms.ts'
import { planBlock } from '../../../src/agent/model/plan-block.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import type { PromptLayout } from '../../../src/agent/model/rules.ts'
import { strategies } from '../../../src/agent/strategies/strategies.ts'
import { limits } from '../../support/limits.ts'
import { inputs } from './inputs.ts'

function bodyOf<N extends ContractName>(
  contract: N,
  input: Partial<ContractInputs[N]> = {},
  layout: PromptLayout = 'shared',
) {
  return requestBody(
    'm',
    contract,
    promptFor(contract, { ...inputs[contract], ...input }, layout),
    {
      form: 'function',
    },
  )
}
const stable = ({ tools, messages }: ReturnType<typeof bodyOf>) =>
  JSON.stringify([
    tools,
    messages[0],
    String(messages[1]?.content).split('What has happened so far:')[0],
  ])
const step = ['plan', 'thought', 'replan'] as const

describe('the requests of one strategy (C140)', () => {
  it('have the same functions, the same rules and the same tools first, and differ only at their end', () => {
    for (const contract of step) {
      expect(stable(bodyOf(contract))).toBe(stable(bodyOf('plan')))
      expect(bodyOf(contract).tool_choice).toEqual({
        type: 'function',
        function: { name: contract },
      })
      expect(String(bodyOf(contract).messages.at(-1)?.content)).toContain(`# Contract: ${contract}`)
    }
    const planning = { callsPerRound: inputs.think.callsPerRound }
    expect(stable(bodyOf('plan_tool_call', planning))).toBe(stable(bodyOf('think', planning)))
    expect(
      bodyOf('think').tools?.map((one) => one.type === 'function' && one.function.name),
    ).toEqual(['plan_tool_call', 'think'])
  })

  it('begin alike in a Decision that may carry calls and in the rounds of `free`, whose text is the same in every thread up to its title (C581)', () => {
    const calls = callable(inputs.act)
    const decision = bodyOf('decision', { calls })
    const first = ({ tools, messages }: typeof decision) => JSON.stringify([tools, messages[0]])
    expect(first(decision)).toBe(first(bodyOf('act')))
    expect(decision.tool_choice).toEqual({ type: 'function', function: { name: 'decision' } })
    const other = { calls, message: 'Hi', recentMessages: [], facts: [], recentRuns: [] }
    const [rules] = String(decision.messages[1]?.content).split('# Contract: decision')
    expect(String(bodyOf('decision', other).messages[1]?.content)).toContain(`${rules}# Contract`)
    expect(bodyOf('act', {}, 'apart').tools).toHaveLength(calls.length)
    expect(bodyOf('act', { tools: [], unattended: true })).not.toHaveProperty('tools')
  })

  it('have each their own with the layout `apart` (R46, R47)', () => {
    for (const contract of [...step, 'plan_tool_call', 'think'] as const) {
      const body = bodyOf(contract, {}, 'apart')
      expect(body.tools).toHaveLength(1)
      expect(String(body.messages[0]?.content)).toMatch(
        new RegExp(`^# Contract: ${contract}$`, 'm'),
      )
    }
  })

  it('fold what is long past alike, in strides, so that each extends the one before', () => {
    const observation = (at: number) => ({
      step: at,
      tool: 'todo',
      input: `get ${at}`,
      ok: true,
      result: 'x'.repeat(900),
    })
    const conclusion = (at: number) => ({
      step: at,
      item: `item ${at}`,
      text: `found ${at}`,
      ok: true,
    })
    const whole = (contract: 'thought' | 'replan', items: number) => {
      const numbers = Array.from({ length: items }, (_, index) => 10 * (index + 1))
      const history = {
        observations: numbers.map((at) => observation(at)),
        conclusions: numbers.map((at) => conclusion(at + 1)),
        clarifications: [],
      }
      const { transcript } = promptFor(contract, { ...inputs[contract], ...history })
      return transcript.join('\n\n')
    }
    for (let items = 1; items < 30; items += 1)
      expect(whole('thought', items)).toBe(whole('replan', items))
    const lengths = Array.from({ length: 29 }, (_, at) => whole('thought', at + 1))
    const extended = lengths.filter((text, at) => at > 0 && text.startsWith(lengths[at - 1] ?? ''))
    expect(extended.length).toBeGreaterThanOrEqual(24)
    expect(whole('thought', 29).length).toBeLessThan(15_000)
  })

  it('keep the results of rounds for the next one, and say so, until they are folded all at once', () => {
    const told = (rounds: number, result: string) => {
      const numbers = Array.from({ length: rounds }, (_, at) => 10 * (at + 1))
      const history = {
        observations: numbers.map((step) => ({
          step,
          turn: step,
          tool: 'todo',
          input: 'list',
          ok: true,
          result,
        })),
        conclusions: numbers
          .slice(0, -1)
          .map((at) => ({ step: at + 1, item: 'r', text: `told ${at}`, ok: true })),
        clarifications: [],
        ...{ thinkPlans: true, refusal: null },
      }
      const { messages } = bodyOf('think', history)
      return {
        shown: messages.filter(({ role }) => role === 'tool').length,
        tail: String(messages.at(-1)?.content),
      }
    }
    const stays = 'The results of this round stay here for the next one.'
    expect(told(3, 'x'.repeat(4_000))).toEqual({ shown: 3, tail: expect.stringContaining(stays) })
    expect(told(4, 'x'.repeat(4_000))).toEqual({
      shown: 4,
      tail: expect.not.stringContaining(stays),
    })
    expect(told(5, 'x'.repeat(4_000))).toEqual({ shown: 1, tail: expect.stringContaining(stays) })
  })

  it.each([
    ['short', [300], true],
    ['of several calls', [2_000, 2_000, 1_000], true],
    ['long', [6_000], false],
    ['long together', [3_000, 3_001], false],
    ['of no calls', [], false],
  ])('say whether the results of an item stay: %s (C496)', (_, lengths, isStaying) => {
    const observations = lengths.map((length, at) => ({
      ...{ step: at + 1, tool: 'todo', input: 'list', ok: true },
      result: 'x'.repeat(length),
    }))
    const { tail } = promptFor('thought', { ...inputs.thought, observations, conclusions: [] })
    expect(tail.includes('The results of this item stay here')).toBe(isStaying)
  })

  it('have images in the first message alone, before all that differs (C160)', () => {
    const images = [{ name: 'a.png', type: 'image/png', base64: 'AQID' }]
    const observations = [
      { step: 1, turn: 1, tool: 'todo', input: 'list', ok: true, result: 'nothing' },
    ]
    const { messages } = bodyOf('act', { images, observations })
    expect(messages.map(({ content }) => Array.isArray(content))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
    const begins = (contract: 'plan' | 'thought' | 'replan') =>
      JSON.stringify(bodyOf(contract, { images }).messages[1]).split('What has happened so far:')[0]
    expect(begins('plan')).toContain('data:image/png;base64,AQID')
    for (const contract of step) expect(begins(contract)).toBe(begins('plan'))
    // A plain summary needs none.
    expect(JSON.stringify(bodyOf('summary', { images }))).not.toContain('AQID')
  })

  it('need not say again what a call is for that is like the one before (C143)', () => {
    const step = (tool: string, purpose: string | null) => ({ tool, arguments: 'list', purpose })
    const steps = [step('todo', 'Look'), step('todo', null), step('ask_user', null)]
    const read = readReply('plan_tool_call', inputs.plan_tool_call, {
      steps,
      reasoning: null,
      estimated_steps: null,
    })
    expect(read.ok && read.reply.steps.map(({ purpose }) => purpose)).toEqual([
      'Look',
      'Look',
      null,
    ])
  })

  it('offer the same tools from the first to the last: recall is there before anything is folded', () => {
    for (const name of ['step', 'batch', 'free'] as const)
      expect(recallOf(strategies[name].start('goal', limits, false))?.name).toBe('recall')
  })
})

describe('the block of a free plan (C145)', () => {
  const steps = [
    {
      id: 'step_1',
      description: 'Find venues',
      status: 'completed' as const,
      result: 'internet_search: three found',
      iterations: 1,
    },
    {
      id: 'step_2',
      description: 'Book one',
      status: 'running' as const,
      result: null,
      iterations: 1,
    },
  ]
  const plan = { steps, current: 1 }
  const goal = `Book the offsite ${'and so on '.repeat(40)}`

  it('says nothing that stands above already: the beginning of the goal, what is left, and where it stands (R84)', () => {
    const block = planBlock({ ...inputs.act, goal, plan }) ?? ''
    expect(block).toMatch(/goal: Book the offsite[\s\S]*2\. \[running\] Book one[\s\S]*Step 2\/2/)
    expect(block).not.toContain('three found')
    expect(block).not.toContain('[cut:')
    expect(block.length).toBeLessThan(350)
  })
})
