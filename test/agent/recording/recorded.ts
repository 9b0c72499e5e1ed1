import type { Tool } from '../../../src/agent/ports/tool.ts'
import { reportText } from '../../fakes/coding-agent.ts'
import { decides } from '../../fakes/model.ts'
import { createScriptedModel } from '../../soak/model.ts'
import type { TestClew, TestOptions } from '../../support/agent.ts'
import { codingAgent, live } from '../stories/coding-folder.ts'

const noting = (name: string, more: Partial<Tool>): Tool => ({
  ...{ name, effect: 'keyed', description: `Takes a note in the ${name}.`, ...more },
  run: async (input) => ({ ok: true, text: `${name}: ${input}` }),
})

const opening = { step: 'Organise the offsite', batch: 'Organise it', free: 'Organise it all' }
export type Strategy = keyof typeof opening

/** A run with calls, words of people, a question and an approval, as its strategy has them; killed at `point`, then gone on with. */
export async function recordedRun(
  start: (options: TestOptions) => Promise<TestClew>,
  { strategy, point, n = 1 }: { strategy: Strategy; point?: string; n?: number },
): Promise<string> {
  const recordings = new Map<string, string>()
  const clew = await start({
    ...{ strategy, recordings, memory: true, model: createScriptedModel(async () => {}) },
    limits: { maxSteps: 100 },
    tools: [noting('ledger', { approval: 'first' }), noting('booking', { approval: 'always' })],
  })
  if (point !== undefined) clew.crashAt(point, n)
  await clew.say(opening[strategy])
  await clew.idle()
  await clew.say('Keep it cheap, please')
  for (let tries = 0; tries < 20; tries += 1) {
    await clew.idle()
    const [question] = (await clew.state()).questions
    if (question !== undefined) await clew.choose(question.id, question.choices[0] ?? 'Lisbon')
    else if ((await clew.runs()).every(({ status }) => status === 'succeeded')) break
    else if ((await clew.run()).status === 'paused') await clew.say('continue')
    else await clew.advance(11_000)
  }
  return recordings.get((await clew.run()).id) ?? ''
}

/** A mission of one step, with a coding agent that mends it at the second attempt. */
export async function recordedMission(
  start: (options: TestOptions) => Promise<TestClew>,
): Promise<string> {
  const recordings = new Map<string, string>()
  const { coding, ...agent } = await codingAgent()
  const decision = { loopEnabled: true, allowedTypes: ['coding'], timeoutMs: 30_000 }
  const clew = await start({ decision, coding, recordings })
  const goal = 'Mend add()'
  const run = {
    type: 'coding',
    title: goal,
    conversation_id: null,
    input: JSON.stringify({ goal }),
  }
  clew.model.on('decision', { ...decides.run(goal), run })
  const step = { title: 'Mend it', description: 'Mend it.', constraints: '', expected: 'It works.' }
  clew.model.on('mission', { steps: [step] })
  for (const decided of ['retry', 'next'])
    clew.model.on('evaluate', {
      ...{ decision: decided, evidence: 'As it says.', project_context: null },
      instruction: decided === 'retry' ? 'Once more.' : null,
    })
  clew.model.on('mission_report', { report: 'It is mended.' })
  await clew.say(goal)
  await live(clew, { ...agent, coding }, () => reportText('SUCCESS', 'Mended.'))
  return recordings.get((await clew.run()).id) ?? ''
}
