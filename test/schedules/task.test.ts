import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  asks,
  closes,
  createFakeModel,
  decides,
  ends,
  type FakeModel,
  plans,
  replans,
} from '../fakes/model.ts'
import { type Lab, openLab } from './support.ts'

let lab: Lab
let model: FakeModel
beforeEach(async () => {
  model = createFakeModel()
  lab = await openLab({
    start: Date.UTC(2026, 10, 20, 9),
    model,
    env: { AGENT_MAX_STEPS: '3', AGENT_REPLAN_SKIPS: '0' },
  })
})
afterEach(() => lab.stop())

const status = async (thread: string) => (await lab.thread(thread)).run?.status
const until = (thread: string, wanted: string) =>
  lab.until(async () => (await status(thread)) === wanted && (await lab.thread(thread)))

/** A task that has done one step of two and asks. */
async function asking(): Promise<string> {
  model.on('decision', decides.run('Book the venue'))
  model.on('plan', plans('Look', 'Book'))
  model.on('thought', closes('three venues are free'), asks('Which one?', ['Lisbon', 'Porto']))
  model.on('replan', replans('Book'))
  const thread = await lab.say('Book the venue')
  await until(thread, 'awaiting_clarification')
  return thread
}

describe('/task', () => {
  it('lists the tasks of its thread, shows one and names what it asks, and changes nothing (R115, R142, R18)', async () => {
    const thread = await asking()
    expect(await lab.ask('/task list', thread)).toBe(
      '**Tasks in this thread**\n- **#1** Book the venue · waiting for an answer · 1 of 2 done',
    )
    expect(await lab.ask('/task show 1', thread)).toBe(
      '**#1** Book the venue · waiting for an answer\n- ☑ Look\n- ▶ Book',
    )
    expect(await lab.ask('/task questions', thread)).toBe(
      '**Open questions**\n- Which one?\n  1. Lisbon\n  2. Porto',
    )
    expect(await lab.ask('/任务 列表', thread)).toContain('#1')
    const elsewhere = await lab.say('/task list')
    expect(await lab.reply(elsewhere)).toContain('No task in this thread yet.')
    expect(await lab.ask('/task questions', elsewhere)).toBe('I have no open questions here.')
    expect(await lab.ask('/task show 1', elsewhere)).toContain(
      'There is no task **#1** in this thread.',
    )
    expect(await lab.thread(thread)).toMatchObject({
      run: { status: 'awaiting_clarification' },
      question: { text: 'Which one?' },
    })
    model.assertDone()
  })

  it('stops a task, and starts it once more (R104, F27)', async () => {
    const thread = await asking()
    expect(await lab.ask('/task cancel', thread)).toContain('The request was “Book the venue”.')
    expect(await lab.thread(thread)).toMatchObject({ run: { status: 'canceled' }, question: null })
    expect(await lab.ask('/task cancel', thread)).toBe('There is no task to stop here.')
    model.on('thought', closes('booked'))
    model.on('replan', ends('Porto is booked.'))
    expect(await lab.ask('/task retry', thread)).toContain('go on with “Book the venue”')
    const { runs } = await until(thread, 'succeeded')
    expect(runs.map((run) => run.status)).toEqual(['canceled', 'succeeded'])
    expect(runs[1]?.parentRunId).toBe(runs[0]?.id)
    expect(await lab.ask('/task list', thread)).toBe(
      '**Tasks in this thread**\n- **#2** Book the venue · done\n- **#1** Book the venue · stopped',
    )
    expect(await lab.ask('/task show 2', thread)).toBe(
      '**#2** Book the venue · done · a retry\n- ☑ Look\n- ☑ Book\n**Result**\nPorto is booked.',
    )
    model.assertDone()
  })

  it('goes on with a paused task without repeating what is done (C35, R86)', async () => {
    model.on('decision', decides.run('Book the venue'))
    model.on('plan', plans('Look', 'Book'))
    model.on('thought', closes('three venues are free'), closes('booked'))
    model.on('replan', replans('Look', 'Book'), ends('Porto is booked.'))
    const thread = await lab.say('Book the venue')
    expect(await lab.reply(await lab.say('/task continue'))).toBe('No task is paused here.')
    await until(thread, 'paused')
    await lab.say('/task continue 1', { thread })
    const view = await until(thread, 'succeeded')
    expect(view.messages.at(-1)?.text).toBe('Book the venue: done.\n\nPorto is booked.')
    expect(view.runs).toHaveLength(1)
    expect(model.contracts().filter((contract) => contract === 'plan')).toHaveLength(1)
    model.assertDone()
  })

  it.each([
    ['/task lst', '/task doesn’t know `lst`.', '/task list'],
    ['/task 2', '/task doesn’t know `2`.', '/task show 2'],
    ['/task cnacel 2', '/task doesn’t know `cnacel`.', '/task cancel 2'],
    ['/task show two', '`two` isn’t the number of a task.', '/task show 1'],
  ])('answers %s with the nearest right form', async (typed, problem, example) => {
    expect(await lab.reply(await lab.say(typed))).toBe(`${problem}\nTry: \`${example}\``)
  })
})
