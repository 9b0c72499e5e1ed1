import type { StrategyName } from '../../../src/agent/domain/task.ts'
import type { Approval, Effect, Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, type FakeModel, plans } from '../../fakes/model.ts'
import { ana, type TestClew } from '../../support/agent.ts'

export const strategies = ['step', 'batch', 'free'] as const

/** What the world outside got; a call that the same effect id names is one effect. */
export function mailer(approval: Approval, effect: Effect = 'unkeyed') {
  const sent: { input: string; effectId: string }[] = []
  const tool: Tool = {
    name: 'mail',
    effect,
    approval,
    description: 'Sends mail.',
    async run(input, { effectId }) {
      sent.push({ input, effectId })
      return { ok: true, text: `sent ${input}` }
    },
  }
  return { sent, tool }
}

/** Each strategy's model: it mails what it is told to, one call a turn, and reports. */
const scripts: Record<StrategyName, (model: FakeModel, inputs: readonly string[]) => void> = {
  step(model, inputs) {
    model.on('plan', plans('Mail'))
    model.on('thought', ...inputs.map((input) => acts(input, 'mail', 'Mail')), closes('Mailed.'))
    model.on('replan', ends('It is over.'))
  },
  batch(model, inputs) {
    for (const [index, input] of inputs.entries()) {
      model.on('plan_tool_call', {
        steps: [{ tool: 'mail', arguments: input, purpose: null }],
        ...{ reasoning: null, estimated_steps: null },
      })
      model.on('think', {
        ...{ internal_analysis: null, next_steps_preview: null },
        user_summary: 'It is over.',
        task_completed: index === inputs.length - 1,
      })
    }
  },
  free(model, inputs) {
    const turns = inputs.map((input) => ({ text: '[Step] Mail', calls: [{ tool: 'mail', input }] }))
    model.on('act', ...turns, { text: 'It is over.', calls: [] })
  },
}

/** A call that is repeated after a crash gets the same answer. */
export function scripted(model: FakeModel, strategy: StrategyName, inputs: readonly string[]) {
  const script = new Map<string, unknown[]>([['decision', [decides.run('Mail them')]]])
  const seen = new Map<string, unknown>()
  const collect = (contract: string, ...replies: unknown[]) =>
    void script.set(contract, [...(script.get(contract) ?? []), ...replies])
  scripts[strategy]({ on: collect } as unknown as FakeModel, inputs)
  model.answer(({ contract, input }) => {
    const at =
      'stepCount' in input
        ? `${contract} ${input.observations.length} ${input.conclusions.length}`
        : contract
    const reply = seen.get(at) ?? script.get(contract)?.shift()
    seen.set(at, reply)
    return reply
  })
}

/** The question that is open. */
export const open = async (clew: TestClew) => (await clew.state()).questions[0]
/** Answers it by a press. */
export const press = async (clew: TestClew, choice: string, by = ana) => {
  await clew.choose((await open(clew))?.id ?? '', choice, by)
  await clew.idle()
}
/** Time goes on until the run has come to this. */
export async function until(clew: TestClew, ...wanted: string[]) {
  for (let tries = 0; tries < 60; tries++) {
    await clew.idle()
    const status = (await clew.runs()).at(-1)?.status ?? ''
    if (wanted.includes(status)) return status
    await clew.advance(2_000)
  }
  throw new Error(`the run is ${(await clew.run()).status}`)
}
