import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/agent/domain/run.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { commitOnce, itemOf, runOf } from '../../contracts/store/rows.ts'
import { acts, closes, decides, ends, fails, held, plans } from '../../fakes/model.ts'
import { ben, type TestClew, type TestOptions, useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const todos = async (clew: TestClew) =>
  (await clew.store.todos.list(workspace, 'channel:general')).map(({ text }) => text)

/** What offers were said to have come to. */
const decisions = (clew: TestClew) =>
  clew.channel.shown.filter(({ delivery: { body } }) => body.kind === 'decided')

/** A task of three steps that has ended; in the second it wrote a to-do. */
async function over(options: TestOptions = {}): Promise<TestClew & { first: Run }> {
  const clew = await start({ ...options, limits: { replanSkips: 9, ...options.limits } })
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find', 'Note', 'Book'))
  clew.model.answer(({ contract, input }) => {
    if (contract === 'replan') return ends('Booked.')
    const isNext = 'currentPlanIndex' in input && input.currentPlanIndex === 1
    const isNoted =
      'conclusions' in input &&
      input.observations.some(({ step }) => step > (input.conclusions.at(-1)?.step ?? 0))
    return isNext && !isNoted ? acts('add Book the room') : closes('ok')
  })
  await clew.say('Book the offsite')
  await clew.idle()
  return Object.assign(clew, { first: await clew.run() })
}

describe('a task that begins again at a step', () => {
  it('is a new run that works from there on; the old one stays as it was, and each knows the other (C251, R102)', async () => {
    const clew = await over()
    const { first } = clew
    const before = await clew.store.runs.state(workspace, first.id)
    await clew.again(first.id, 3, { by: ben })
    await clew.idle()
    const [one, two] = await clew.runs()
    expect(one).toEqual(before?.run)
    expect((await clew.store.runs.state(workspace, first.id))?.task).toEqual(before?.task)
    expect(two).toMatchObject({
      status: 'succeeded',
      parentRunId: first.id,
      requestedBy: ben,
      from: { step: 3, by: ben },
    })
    expect(clew.texts()).toContain('Ben restarted “Book the offsite” from step 3: Book')
    expect((await clew.task()).conclusions.map(({ item }) => item)).toEqual([
      'Find',
      'Note',
      'Book',
    ])
    expect(await todos(clew)).toEqual(['Book the room'])
    expect(clew.model.contracts().slice(-2)).toEqual(['thought', 'replan'])
    const created = {
      kind: 'created',
      runId: two?.id,
      parentRunId: first.id,
      from: { step: 3, by: ben },
    }
    expect(await clew.trace(first.id)).toContainEqual(expect.objectContaining(created))
    expect(await clew.trace(two?.id ?? '')).toContainEqual(expect.objectContaining(created))
  })

  it('says first what would be done a second time, and does it when somebody is sure (C251, C166)', async () => {
    const clew = await over()
    await clew.again(clew.first.id, 2)
    await clew.idle()
    expect(await clew.runs()).toHaveLength(1)
    const { messages } = await clew.state()
    const asked = messages.at(-1)
    expect(asked?.text).toBe(
      [
        'Restarting “Book the offsite” from step 2 (Note) may repeat these:',
        '- **todo** add Book the room',
        '',
        'I can’t undo what’s done. Everything from that step on runs again.',
      ].join('\n'),
    )
    const command = asked?.offers?.[0]?.command ?? ''
    await clew.say(command, { by: ben, way: 'pressed' })
    await clew.idle()
    expect(await clew.runs()).toHaveLength(2)
    expect(await todos(clew)).toEqual(['Book the room', 'Book the room'])
    await clew.say(command, { way: 'pressed' })
    await clew.idle()
    expect(await clew.runs()).toHaveLength(2)
    expect(clew.texts().at(-1)).toMatch(/^\(to ana\) .*Ben/)
  })

  it('leaves the button where the press was refused: nobody asked for anything (C277, C166)', async () => {
    const clew = await over()
    await clew.again(clew.first.id, 2)
    await clew.idle()
    const command = (await clew.state()).messages.at(-1)?.offers?.[0]?.command ?? ''
    const second = held(closes('ok'))
    clew.model.on('thought', second)
    await clew.again(clew.first.id, 3)
    await clew.idle(1)
    await clew.say(command, { by: ben, way: 'pressed' })
    await clew.idle(1)
    expect(clew.texts().at(-1)).toBe('(to ben) “Book the offsite” is already being retried.')
    expect(decisions(clew)).toEqual([])
    second.release()
    await clew.idle()
    await clew.say(command, { by: ben, way: 'pressed' })
    await clew.idle()
    expect(await clew.runs()).toHaveLength(3)
    expect(decisions(clew)).toHaveLength(1)
  })

  it('does not begin beside another try that goes on, however many tasks were begun after that (C277, C251, F27)', async () => {
    const clew = await over()
    const { id: conversationId } = (await clew.state()).conversation
    const row = (id: string, status: 'paused' | 'succeeded', createdAt: number) =>
      runOf({
        ...clew.first,
        id,
        status,
        conversationId,
        createdAt,
        parentRunId: id === 'r_try' ? clew.first.id : null,
      })
    const others = Array.from({ length: 25 }, (_, at) =>
      row(`r_other${at}`, 'succeeded', clew.clock.now() + 2 + at),
    )
    await commitOnce(clew.store, itemOf('conversation', conversationId, workspace), {
      create: [row('r_try', 'paused', clew.clock.now() + 1), ...others],
    })
    await clew.again(clew.first.id, 3)
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('(to ana) “Book the offsite” is already being retried.')
    await clew.press('retry', clew.first.id)
    await clew.idle()
    expect(await clew.store.runs.list(workspace, 100, conversationId)).toHaveLength(27)
  })

  it('is begun once, however often it is pressed, sent and cut off (C251, P1)', async () => {
    const clew = await over()
    clew.crashAt('after commits.commit')
    void clew.again(clew.first.id, 3, { keys: ['the press'] })
    await clew.idle()
    await clew.again(clew.first.id, 3, { keys: ['the press'] })
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(clew.lives()).toBe(2)
  })

  it('goes on from where it stopped when no step is named, also beside one that is paused (C251)', async () => {
    const clew = await over({ limits: { maxSteps: 4 } })
    expect(clew.first.status).toBe('paused')
    await clew.say('/task again')
    await clew.idle()
    const [one, two] = await clew.runs()
    expect(one?.status).toBe('paused')
    expect(two?.from?.step).toBe(3)
    expect((await clew.task()).planItems.map(({ done }) => done)).toEqual([true, true, true])
    await clew.say('/task again 1 3')
    await clew.idle()
    expect(await clew.runs()).toHaveLength(3)
  })

  it.each([
    [
      '/task again 1 4',
      '(to ana) I can restart it from any step up to 3; I hadn’t started the others.',
    ],
    ['/task again 9', 'There is no task **#9** in this thread. `/task list` shows them all.'],
    ['/task again 1 two', '`two` isn’t the number of a step; `/task plan` shows the numbers.'],
  ])('%s begins nothing and says why (C251)', async (line, why) => {
    const clew = await over()
    await clew.say(line)
    await clew.idle()
    expect(clew.texts().at(-1)?.split('\n')[0]).toBe(why)
    expect(await clew.runs()).toHaveLength(1)
  })

  it('makes the calls of an open round again without asking whether they were made (C251, C13)', async () => {
    const made: string[] = []
    const mail: Tool = {
      ...{ name: 'mail', description: 'Sends a mail', effect: 'unkeyed', approval: 'never' },
      run: async (input) => ({ ok: true, text: `sent ${made.push(input)}` }),
    }
    const clew = await start({ tools: [mail], limits: { maxUnavailable: 1 } })
    clew.model.on('decision', decides.run('Write to all'))
    const steps = ['to Ana', 'to Ben'].map((input) => ({
      tool: 'mail',
      arguments: input,
      purpose: null,
    }))
    clew.model.on('plan_tool_call', { steps, reasoning: '', estimated_steps: null })
    clew.model.on('think', fails('unavailable'))
    await clew.say('Write to all quickly: Ana, Ben')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    clew.model.on('think', {
      internal_analysis: '',
      user_summary: 'Sent.',
      task_completed: true,
      next_steps_preview: null,
    })
    await clew.again((await clew.run()).id, 2, { isSure: true })
    await clew.idle()
    expect(made).toEqual(['to Ana', 'to Ben', 'to Ben'])
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['paused', 'succeeded'])
  })
})
