import { describe, expect, it } from 'vitest'
import { renderConversation } from '../../../src/adapters/web/render.ts'
import type { StrategyName } from '../../../src/agent/domain/task.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, decides, fails, hangs, plans } from '../../fakes/model.ts'
import { ben, type TestClew, type TestOptions, useClew } from '../../support/agent.ts'
import { mailer, open, press, scripted, strategies } from './approvals-support.ts'

const start = useClew()
const hour = 3_600_000

async function asking(
  strategy: StrategyName,
  tool: Tool,
  inputs: readonly string[] = ['all'],
  options: TestOptions = {},
): Promise<TestClew> {
  const clew = await start({ strategy, tools: [tool], ...options })
  scripted(clew.model, strategy, inputs)
  await clew.say(`Mail them: ${inputs.join(', ')}`)
  await clew.idle()
  return clew
}
describe.each(strategies)('a call that has to be approved, under %s', (strategy) => {
  it('is shown with its arguments, waits for days, and is made once when it is approved (P13, C47, S4, C301)', async () => {
    const { sent, tool } = mailer('always')
    const clew = await asking(strategy, tool, ['{"to":"all","text":"Hello"}'])
    expect(await open(clew)).toMatchObject({
      text: 'May I use the tool **mail** for this?\n\n```text\nto: all\ntext: Hello\n```\n\nWhere that comes from:\n\n```text\nto – Ana’s words\ntext – Ana’s words\n```\n\nAna asked for this. I’d use my own access, not yours.',
      choices: ['Approve', 'Refuse', 'Always here'],
      approval: true,
      approvers: ['ana'],
      askedOf: 'Ana',
    })
    const calls = clew.model.calls.length
    await clew.away(72 * hour)
    await clew.advance(72 * hour)
    expect(sent).toEqual([])
    expect(clew.model.calls).toHaveLength(calls)
    await press(clew, 'Approve')
    expect(sent).toHaveLength(1)
    expect(await clew.run()).toMatchObject({ status: 'succeeded' })
    expect((await clew.task()).observations).toMatchObject([{ tool: 'mail', ok: true }])
    const trace = await clew.trace((await clew.run()).id)
    const by = { id: 'ana', name: 'Ana' }
    expect(trace).toContainEqual({
      kind: 'approval',
      tool: 'mail',
      step: expect.any(Number),
      granted: true,
      by,
    })
  })

  it('is not made when it is refused; the task hears by whom and goes on (P13)', async () => {
    const { sent, tool } = mailer('always')
    const clew = await asking(strategy, tool)
    await press(clew, 'Refuse')
    expect(sent).toEqual([])
    expect((await clew.task()).observations).toMatchObject([
      { tool: 'mail', ok: false, result: 'refused by Ana; it was not done.' },
    ])
    expect(clew.texts().at(-1)).toContain('It is over.')
  })

  it('is asked about each time with `always`, and once a task with `first` (P13)', async () => {
    const each = mailer('always')
    const clew = await asking(strategy, each.tool, ['one', 'two'])
    await press(clew, 'Approve')
    expect(each.sent.map(({ input }) => input)).toEqual(['one'])
    await press(clew, 'Approve')
    expect(each.sent.map(({ input }) => input)).toEqual(['one', 'two'])

    const once = mailer('first')
    const other = await asking(strategy, once.tool, ['one', 'two'])
    expect((await open(other))?.text).toContain(
      'If you approve, I can use it again for this request without asking, unless it’s about something that isn’t from you.',
    )
    await press(other, 'Approve')
    expect(once.sent.map(({ input }) => input)).toEqual(['one', 'two'])
    expect((await other.run()).status).toBe('succeeded')
  })
})

it('shows all of a long call on the page (C87)', async () => {
  const long = `all ${'word '.repeat(2_000)}END`
  const clew = await asking('free', mailer('always').tool, [long])
  const { question } = await renderConversation({ state: await clew.state(), limit: 10 })
  expect(question?.html).toContain('END')
})

describe('who may approve', () => {
  it('is the requester or an admin; anybody else hears so privately (C47)', async () => {
    const { sent, tool } = mailer('always')
    const clew = await asking('step', tool, ['all'], { admins: ['root'] })
    await press(clew, 'Approve', ben)
    expect(clew.texts().at(-1)).toBe('(to ben) Only Ana or whoever runs Clew can approve this.')
    // C167: typed, it is answered as a click is.
    for (const typed of ['yes', 'Approved!', 'approved, go ahead', '同意，发吧', 'No, please']) {
      const before = clew.texts().length
      await clew.say(typed, { by: ben })
      await clew.idle()
      expect(clew.texts().slice(before)).toEqual([
        expect.stringMatching(
          /^\(to ben\) (?:Only Ana or .* can approve this\. Your message stays|只有 Ana 或管理员可以批准。 你的消息)/,
        ),
      ])
    }
    expect(sent).toEqual([])
    await press(clew, 'Approve', { id: 'root', name: 'Root' })
    expect(sent).toHaveLength(1)
  })

  it('hears other words of others as words for the task (C50)', async () => {
    const { sent, tool } = mailer('always')
    const clew = await asking('batch', tool)
    await clew.say('Ben here, the list is old', { by: ben })
    await clew.idle()
    expect(await clew.outcomes()).toEqual(['started', 'joined'])
    expect(sent).toEqual([])
    expect((await clew.run()).status).toBe('awaiting_clarification')
    await press(clew, 'Refuse')
    expect((await clew.task()).clarifications).toMatchObject([
      { text: 'Ben here, the list is old', author: ben },
    ])
  })

  it.each([
    ['yes', 1],
    ['OK.', 1],
    ['同意', 1],
    ['1', 1],
    ['no', 0],
    ['Only to Ben, please', 0],
  ])('may type “%s” (R146)', async (text, count) => {
    const { sent, tool } = mailer('always')
    const clew = await asking('free', tool)
    await clew.say(text)
    await clew.idle()
    expect(sent).toHaveLength(count)
    const [first] = (await clew.task()).observations
    if (text.startsWith('Only')) {
      expect(first?.result).toBe(
        'refused by Ana; it was not done. They said instead: Only to Ben, please',
      )
      expect((await clew.task()).clarifications).toMatchObject([{ text }])
    }
  })

  it('is nobody else either when the run is too old to be read with the thread (S4, S5)', async () => {
    const { sent, tool } = mailer('always')
    const clew = await start({ tools: [tool] })
    clew.model.on('decision', decides.run('Old'), decides.run('Mail them'))
    clew.model.on('plan', hangs(), plans('Mail'))
    clew.model.on('thought', acts('all', 'mail', 'Mail'))
    await clew.say('Old')
    await clew.model.received(2)
    await clew.say('stop')
    await clew.idle()
    await clew.say('Mail them')
    await clew.idle()
    const asked = (await open(clew))?.id ?? ''
    clew.model.answer(() => fails('bad_reply'))
    const [old] = await clew.runs()
    for (let more = 0; more < 21; more++) {
      await clew.press('retry', old?.id ?? '', ben)
      await clew.idle()
    }
    expect(await clew.runs()).toHaveLength(23)
    await clew.choose(asked, 'Approve', ben)
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('(to ben) Only Ana or whoever runs Clew can approve this.')
    expect(sent).toEqual([])
  })
})

describe('a call that waits for approval', () => {
  it('is dropped with its run (P13)', async () => {
    const { sent, tool } = mailer('always')
    const clew = await asking('batch', tool)
    const id = (await open(clew))?.id ?? ''
    await clew.say('stop')
    await clew.idle()
    await clew.choose(id, 'Approve')
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/no longer need an answer/)
    expect(sent).toEqual([])
  })
})

describe('an approval in words', () => {
  it.each(['Yes, go ahead', 'yes please', 'Approved, thanks', '👍', 'lgtm', '好的，可以'])(
    'is given by clear consent: %s (C331)',
    async (words) => {
      const { sent, tool } = mailer('always')
      const clew = await asking('free', tool)
      await clew.say(words)
      await clew.idle()
      expect(sent).toHaveLength(1)
      expect((await clew.state()).answered.at(-1)).toMatchObject({ answer: 'Approve' })
    },
  )

  it.each([
    ['no thanks', ''],
    ['yes but make it the small room', ' They said instead: yes but make it the small room'],
    ['不行，改成周五', ' They said instead: 不行，改成周五'],
  ])('is refused by a no or a change, which the task hears: %s (C331)', async (words, told) => {
    const { sent, tool } = mailer('always')
    const clew = await asking('free', tool)
    await clew.say(words)
    await clew.idle()
    expect(sent).toEqual([])
    expect((await clew.task()).observations).toMatchObject([
      { ok: false, result: `refused by Ana; it was not done.${told}` },
    ])
  })

  it.each(['what does this do?', 'Ana is on holiday', '让我想想'])(
    'waits where nothing is decided, the task hears it, and people read how to answer: %s (C331, C1004)',
    async (words) => {
      const { sent, tool } = mailer('always')
      const clew = await asking('free', tool)
      await clew.say(words)
      await clew.idle()
      expect(clew.texts().at(-1)).toMatch(/just “yes” or “no”|只回“同意”或“不同意”/)
      expect(await open(clew)).toBeDefined()
      expect((await clew.task()).clarifications).toMatchObject([{ text: words }])
      await press(clew, 'Approve')
      expect(sent).toHaveLength(1)
    },
  )
})
