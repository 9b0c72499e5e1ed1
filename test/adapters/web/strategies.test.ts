import { describe, expect, it, vi } from 'vitest'
import type { StrategyName } from '../../../src/agent/domain/task.ts'
import { otherTool, value } from '../../fakes/openai/replies.ts'
import type { FakeOpenAi } from '../../fakes/openai/server.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from './support.ts'

const start = useWholeClew()

const nothing = {
  next_action: null,
  question: null,
  choices: null,
  response: null,
  current_step: 'Compare',
}
const round = (...steps: [tool: string, input: string][]) =>
  value({
    steps: steps.map(([tool, input]) => ({ tool, arguments: input, purpose: `${tool} it` })),
    reasoning: 'r',
  })
const thought = (user_summary: string, task_completed: boolean) =>
  value({
    internal_analysis: 'not for people',
    user_summary,
    task_completed,
    next_steps_preview: null,
  })
const turn = (text: string, ...calls: [tool: string, input: string][]) =>
  value({ text, calls: calls.map(([tool, input]) => ({ tool, input })) })

/** A comparison with an open question, as each strategy asks its model. */
const comparison: Record<StrategyName, (server: FakeOpenAi) => void> = {
  step(server) {
    server.on('plan', value({ status: 'planned', plan: ['Compare', 'Note it'] }))
    server.on(
      'thought',
      value({
        ...nothing,
        status: 'ask_user',
        question: 'Which city?',
        choices: ['Lisbon', 'Porto'],
      }),
      value({
        ...nothing,
        status: 'continue',
        next_action: { tool: 'todo', input: 'add Book in Lisbon' },
      }),
      value({ ...nothing, status: 'done', response: 'Lisbon.' }),
    )
    server.on(
      'replan',
      value({ status: 'replanned', plan: ['Compare'], response: null }),
      value({ status: 'done', plan: [], response: 'Lisbon is best.' }),
    )
  },
  batch(server) {
    server.on(
      'plan_tool_call',
      otherTool('think', {}),
      round(['todo', 'list'], ['ask_user', 'Which city?\n- Lisbon\n- Porto']),
      round(['todo', 'add Book in Lisbon']),
    )
    server.on('think', thought('Lisbon is chosen.', false), thought('Lisbon is best.', true))
  },
  free(server) {
    server.on(
      'act',
      turn(
        '[Step] Compare\n[Step] Note it',
        ['todo', 'list'],
        ['ask_user', 'Which city?\n- Lisbon\n- Porto'],
      ),
      turn('Lisbon. [Done]', ['todo', 'add Book in Lisbon']),
      turn('Lisbon is best. [Done]'),
    )
  },
}

/** A to-do clean-up: look, then close one. */
const cleanUp: Record<StrategyName, (server: FakeOpenAi) => void> = {
  step(server) {
    server.on('plan', value({ status: 'planned', plan: ['Compare'] }))
    server.on(
      'thought',
      value({
        ...nothing,
        status: 'continue',
        next_action: { tool: 'todo', input: 'add Book in Lisbon' },
      }),
      value({ ...nothing, status: 'continue', next_action: { tool: 'todo', input: 'done 1' } }),
      value({ ...nothing, status: 'done', response: 'Closed.' }),
    )
    server.on('replan', value({ status: 'done', plan: [], response: 'Lisbon is best.' }))
  },
  batch(server) {
    server.on('plan_tool_call', round(['todo', 'add Book in Lisbon'], ['todo', 'done 1']))
    server.on('think', thought('Lisbon is best.', true))
  },
  free(server) {
    server.on(
      'act',
      turn('[Step] Close what is done', ['todo', 'add Book in Lisbon'], ['todo', 'done 1']),
      turn('Lisbon is best.'),
    )
  },
}

/** A digest that nobody asks for in a thread: one look, then the report. */
const digest: Record<StrategyName, (server: FakeOpenAi) => void> = {
  step(server) {
    server.on('plan', value({ status: 'planned', plan: ['Compare'] }))
    server.on(
      'thought',
      value({ ...nothing, status: 'continue', next_action: { tool: 'todo', input: 'list' } }),
      value({ ...nothing, status: 'done', response: 'Nothing is due.' }),
    )
    server.on('replan', value({ status: 'done', plan: [], response: 'Nothing is due today.' }))
  },
  batch(server) {
    server.on('plan_tool_call', round(['todo', 'list']))
    server.on('think', thought('Nothing is due today.', true))
  },
  free(server) {
    server.on('act', turn('[Step] Look', ['todo', 'list']), turn('Nothing is due today.'))
  },
}

describe('through the web adapter, with the real client', () => {
  it.each(['step', 'batch', 'free'] as const)(
    '%s posts a scheduled digest in a thread of its own (R122, C32)',
    async (strategy) => {
      const { server, url } = await start({ AGENT_STRATEGY: strategy })
      digest[strategy](server)
      const made = await ask(`${url}/api/schedules`, 'POST', {
        when: 'every day at 9',
        title: 'Post what is due',
      })
      expect(made.status).toBe(201)
      await ask(`${url}/api/schedules/1/run`, 'POST', {})
      const conversations = async () => {
        const { body } = await ask(`${url}/api/conversations`)
        return (body as { conversations: { id: string; unread: boolean }[] }).conversations
      }
      await vi.waitFor(async () => expect(await conversations()).toHaveLength(1), 40_000)
      const [opened] = await conversations()
      expect(opened?.unread).toBe(true)
      const { messages, run } = await when(
        url,
        opened?.id ?? '',
        (shown) => shown.run?.status === 'succeeded',
      )
      expect(messages.filter(({ text }) => text.includes('Nothing is due today.'))).toHaveLength(1)
      expect((await ask(`${url}/api/runs/${run?.id}`)).body).toMatchObject({
        work: { strategy, toolCalls: 1 },
      })
      server.assertDone()
    },
  )

  it.each(['step', 'batch', 'free'] as const)(
    '%s compares, asks, and reports (R48, R66, R69, F16, C39, C41)',
    async (strategy) => {
      const { server, url } = await start({ AGENT_STRATEGY: strategy, AGENT_REPLAN_SKIPS: '0' })
      server.on('decision', decision('Compare the venues'))
      comparison[strategy](server)
      const id = await tell(url, 'Compare the venues')
      const { question } = await when(url, id, (shown) => shown.question !== null)
      await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', { choice: 'Lisbon' })
      const { run, messages } = await when(
        url,
        id,
        (shown) =>
          shown.run?.status === 'succeeded' &&
          shown.messages.some(({ text }) => text.includes('best.')),
      )
      const finals = messages.filter(({ text }) => text.includes('Lisbon is best.'))
      expect(finals).toHaveLength(1)
      expect(JSON.stringify(messages)).not.toContain('not for people')
      server.assertDone()
      if (strategy === 'batch') {
        // A call of another function is refused with feedback, and is no part of what the model reads afterwards.
        const [refused, again] = server.requests.filter(
          ({ contract }) => contract === 'plan_tool_call',
        )
        expect(again?.prompt).toContain('the reply calls another function')
        expect(again?.body.messages.map(({ role }) => role)).toEqual(
          refused?.body.messages.map(({ role }) => role),
        )
        expect((await ask(`${url}/api/runs/${run?.id}`)).body).toMatchObject({
          ...{ status: 'succeeded', result: 'Lisbon is best.' },
          work: { strategy, rounds: 2, modelCalls: 5, toolCalls: 2, tokens: expect.any(Number) },
        })
      }
      const plan = (await ask(`${url}/api/runs/${run?.id}/plan.json`)).body
      expect(plan).toMatchObject({ id: 'plan_1', goal: 'Compare the venues', status: 'completed' })
      if (strategy === 'free')
        expect(plan).toMatchObject({
          steps: [
            { id: 'step_1', description: 'Compare', status: 'completed' },
            { id: 'step_2', description: 'Note it', status: 'completed' },
          ],
          current_step_index: 2,
          iteration_count: 3,
        })
    },
  )

  it.each(['step', 'batch', 'free'] as const)('%s cleans up the to-dos', async (strategy) => {
    const { server, url } = await start({ AGENT_STRATEGY: strategy })
    server.on('decision', decision('Clean up'))
    cleanUp[strategy](server)
    const id = await tell(url, 'Clean up the to-dos')
    await when(url, id, (shown) => shown.run?.status === 'succeeded')
    server.assertDone()
    // R52, C15: the endpoint refuses calls without results, and refused nothing.
    expect(server.refused).toEqual([])
    const said = async (text: string) => {
      await ask(`${url}/api/conversations/${id}/messages`, 'POST', { text, clientMessageId: text })
      const shown = await when(
        url,
        id,
        ({ messages }) => messages.at(-1)?.text !== text && messages.length > 3,
      )
      return shown.messages.at(-1)?.text ?? ''
    }
    expect(await said('/task json')).toMatch(/```json\n\{\n {2}"id": "plan_1"/)
  })
})
