import { expect, it } from 'vitest'
import type { ContractInputs, ContractName } from '../../../src/agent/contracts.ts'
import { asks, closes, decides, ends, plans, replans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'

const start = useClew()

const question = 'Which city?\n- Lisbon\n- Porto'
/** Every reply follows from what is asked, so that a call which is repeated after a crash gets the same answer. */
function reply(contract: ContractName, input: ContractInputs[ContractName]): unknown {
  const isAnswered = 'clarifications' in input && input.clarifications.length > 0
  switch (contract) {
    case 'decision':
      return decides.run('Choose a city')
    case 'plan':
      return plans('Choose')
    case 'thought':
      return isAnswered ? closes('Lisbon') : asks('Which city?', ['Lisbon', 'Porto'])
    case 'replan': {
      const isNew = 'newClarifications' in input && input.newClarifications.length > 0
      return isNew ? replans('Choose') : ends('Lisbon it is.')
    }
    case 'plan_tool_call':
      return {
        ...{
          steps: [{ tool: 'ask_user', arguments: question, purpose: null }],
          reasoning: '',
          estimated_steps: null,
        },
      }
    case 'think':
      return {
        internal_analysis: '',
        user_summary: 'Lisbon it is.',
        task_completed: true,
        next_steps_preview: null,
      }
    default:
      return isAnswered
        ? { text: 'Lisbon it is.', calls: [] }
        : { text: '[Step] Choose', calls: [{ tool: 'ask_user', input: question }] }
  }
}

const points = [
  'before commits.commit',
  'after commits.commit',
  'before model.call',
  'after model.call',
]
const cases = (['step', 'batch', 'free'] as const).flatMap((strategy) =>
  points.flatMap((point) => [1, 2, 3, 4, 5, 6, 7].map((n) => [strategy, point, n] as const)),
)

it.each(cases)(
  '%s asks once, is answered once and ends once, killed %s number %i (P1, P13)',
  async (strategy, point, n) => {
    const clew = await start({ strategy })
    clew.model.answer(({ contract, input }) => reply(contract, input))
    clew.crashAt(point, n)
    await clew.say('Choose a city')
    await clew.idle()
    await clew.advance(20_000)
    const [asked] = (await clew.state()).questions
    expect(asked?.choices).toEqual(['Lisbon', 'Porto'])
    await clew.choose(asked?.id ?? '', 'Lisbon')
    await clew.idle()
    await clew.advance(20_000)
    expect((await clew.run()).status).toBe('succeeded')
    const { questions, answered, messages } = await clew.state()
    expect([questions, answered.length]).toEqual([[], 1])
    expect(messages.filter(({ questionId }) => questionId !== null)).toHaveLength(1)
    expect(messages.filter(({ text }) => text.includes('Lisbon it is.'))).toHaveLength(1)
    expect(clew.texts().filter((text) => text.includes('Lisbon it is.'))).toHaveLength(1)
    expect((await clew.task()).clarifications).toHaveLength(1)
  },
)
