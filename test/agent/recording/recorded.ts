import type { Tool } from '../../../src/agent/ports/tool.ts'
import { createScriptedModel } from '../../soak/model.ts'
import type { TestClew, TestOptions } from '../../support/agent.ts'

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
