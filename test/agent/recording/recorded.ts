import type { Tool } from '../../../src/agent/ports/tool.ts'
import { reportText } from '../../fakes/coding-agent.ts'
import { decides, fails } from '../../fakes/model.ts'
import { createScriptedModel } from '../../soak/model.ts'
import type { TestClew, TestOptions } from '../../support/agent.ts'
import { codingAgent, live } from '../stories/coding-folder.ts'

const noting = (name: string, more: Partial<Tool>): Tool => ({
  ...{ name, effect: 'keyed', description: `Takes a note in the ${name}.`, ...more },
  run: async (input) => ({ ok: true, text: `${name}: ${input}` }),
})

const opening = { step: 'Organise the offsite', batch: 'Organise it', free: 'Organise it all' }
export type Strategy = keyof typeof opening

type Start = (options: TestOptions) => Promise<TestClew>
/** The process is killed at the `n`-th call of `point`. */
interface Kill {
  point?: string
  n?: number
}

/** A run with calls, words of people, a question and an approval, as its strategy has them; killed, then gone on with. */
export async function recordedRun(
  start: Start,
  how: Kill & { strategy: Strategy },
): Promise<string> {
  return (await recordedWork(start, how)).run
}

/** The same with the turns of its thread. */
export async function recordedWork(
  start: Start,
  { strategy, point, n = 1 }: Kill & { strategy: Strategy },
): Promise<{ run: string; thread: string }> {
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
  return bothOf(clew, recordings)
}

async function bothOf(clew: TestClew, recordings: ReadonlyMap<string, string>) {
  return {
    run: recordings.get((await clew.run()).id) ?? '',
    thread: recordings.get(clew.conversationId) ?? '',
  }
}

/**
 * Turns of a thread: an answer with what was said before and a file, a command, words that may be for others, a reply that
 * cannot be read, a model that is away for a while, and an order to stop that comes while it decides.
 */
export async function recordedThread(start: Start, { point, n = 1 }: Kill = {}): Promise<string> {
  const recordings = new Map<string, string>()
  const clew = await start({ recordings })
  const ben = { id: 'ben', name: 'Ben' }
  let isAway = true
  clew.model.answer(({ contract, input }) => {
    const { message = '', refusal } = { ...input } as { message?: string; refusal?: string }
    if (contract === 'overheard') return decides.ignore()
    if (message.includes('when') && isAway) return fails('unavailable', 1_000)
    if (message.includes('who') && refusal === undefined) return { decision: 'perhaps' }
    return decides.reply(`You asked: ${message}`)
  })
  const said = { author: ben, key: 'before', text: 'We go to Lisbon.', at: clew.clock.now() - 9 }
  clew.channel.thread = { kind: 'read', said: [{ ...said, version: 1 }], gap: false }
  if (point !== undefined) clew.crashAt(point, n)
  const then = async (...words: Parameters<typeof clew.say>) => {
    await clew.say(...words)
    await clew.idle()
  }
  await then('Tell me where we go', { files: ['map.png'] })
  await then('/todo add Call the venue')
  await then('I would rather take the train', { by: ben, addressed: false })
  await then('Tell me who comes along')
  await then('Tell me when it is')
  isAway = false
  await clew.advance(11_000)
  await clew.idle()
  await then('Thanks, and how far is it?', { by: ben })
  for (let tries = 0; tries < 5 && (await clew.state()).inbox.length > 0; tries += 1) {
    await clew.advance(11_000)
    await clew.idle()
  }
  return recordings.get(clew.conversationId) ?? ''
}

/** A mission of two steps, with a coding agent that mends the first at the second attempt; killed, then gone on with. */
export async function recordedMission(
  start: Start,
  { point, n = 1 }: Kill = {},
): Promise<{ run: string; thread: string }> {
  const recordings = new Map<string, string>()
  const { coding, ...agent } = await codingAgent()
  const decision = { loopEnabled: true, allowedTypes: ['coding'], timeoutMs: 30_000 }
  const model = createScriptedModel(async () => {})
  const clew = await start({ decision, coding, recordings, model })
  if (point !== undefined) clew.crashAt(point, n)
  await clew.say('Code it')
  await live(clew, { ...agent, coding }, (_, count) =>
    count === 0 ? reportText('FAILED', 'Not yet.') : reportText('SUCCESS', 'Mended.'),
  )
  return await bothOf(clew, recordings)
}
