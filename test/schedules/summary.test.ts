import { afterEach, describe, expect, it } from 'vitest'
import { createFakeModel, decides, type FakeModel, fails } from '../fakes/model.ts'
import { type Lab, openLab } from './support.ts'

const start = Date.UTC(2026, 10, 20, 9)
let lab: Lab
afterEach(() => lab.stop())

const sumUp = (input: object) =>
  decides.runs({
    type: 'summarize_conversation',
    title: 'Summary',
    conversation_id: 'c_other',
    input: JSON.stringify(input),
  })
const line = (n: number) => `Line number ${n} of the long talk about the offsite in Lisbon`
const talk = 30

async function talked(model: FakeModel, lines: number): Promise<string> {
  lab = await openLab({ start, model })
  model.answer(({ contract }) =>
    contract === 'decision' ? decides.reply('I see.') : fails('unavailable'),
  )
  const secret = await lab.say('The code of the safe is 4711, this is for another thread')
  await lab.reply(secret)
  const thread = await lab.say(line(1))
  await lab.reply(thread)
  for (let n = 2; n <= lines; n += 1) await lab.ask(line(n), thread)
  return thread
}

const summary = (thread: string) =>
  lab.until(async () => {
    const { runs } = await lab.thread(thread)
    return runs.find(({ type, endedAt }) => type === 'summarize_conversation' && endedAt !== null)
  })

describe('a summary of a long thread (F31)', () => {
  it('reads at most 50 of its own newest messages, and repeats none as it was said (S5, C52)', async () => {
    const model = createFakeModel()
    const thread = await talked(model, talk)
    model.on('decision', sumUp({ max_messages: 500, conversation_id: 'c_other' }))
    // The first reply quotes; it is refused, and the model is told why.
    model.on(
      'conversation_summary',
      { summary: `They said: ${line(talk)}`, open_points: [] },
      { summary: 'They planned the offsite.', open_points: ['Who books it?'] },
    )
    await lab.say('What was this about? Sum it up.', { thread })
    expect((await summary(thread)).result).toBe(
      'They planned the offsite.\n**Open points**\n- Who books it?',
    )
    const [first, second] = model.calls.flatMap((call) =>
      call.contract === 'conversation_summary' ? [call.input] : [],
    )
    expect(first?.messages).toHaveLength(50)
    expect(first?.messages.map(({ text }) => text)).toContain(line(talk))
    expect(first?.messages.map(({ text }) => text)).not.toContain(line(1))
    expect(JSON.stringify(first?.messages)).not.toContain('4711')
    expect(second?.refusal).toContain('say it in other words')
    const said = (await lab.thread(thread)).messages.at(-1)?.text
    expect(said).toBe(
      'Summary: done.\n\nThey planned the offsite.\n**Open points**\n- Who books it?',
    )
  })

  it('is a digest without their words when no model sums it up', async () => {
    const model = createFakeModel()
    const thread = await talked(model, 8)
    model.on('decision', sumUp({ max_messages: 1 }))
    model.on('conversation_summary', fails('unavailable'))
    await lab.say('Sum it up.', { thread })
    const { result } = await summary(thread)
    expect(result).toMatch(/^10 messages between 2026-11-20T09:\S+ and 2026-11-20T09:\S+: /)
    expect(result).toMatch(/Ana wrote 5/)
    expect(result).not.toContain('Lisbon')
  })

  it.each([
    ['Summarise this thread', 'Hello', 'en', 'this is a demo'],
    ['请总结一下这个对话', '你好', 'zh', '演示'],
  ])('is made by the rehearsal too: %s', async (text, greeting, locale, words) => {
    lab = await openLab({ start })
    const thread = await lab.say(greeting, { locale })
    await lab.reply(thread)
    await lab.say(text, { thread, locale })
    const run = await summary(thread)
    expect(run.status).toBe('succeeded')
    expect(run.result?.toLowerCase()).toContain(words)
  })
})
