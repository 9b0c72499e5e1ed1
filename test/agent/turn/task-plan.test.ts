import { describe, expect, it } from 'vitest'
import { commitOnce, itemOf, runOf } from '../../contracts/store/rows.ts'
import { closes, decides, ends, held, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()

/** A task that thinks about the first of four steps; `release` lets it go on to its end. */
async function thinking(): Promise<TestClew & { release(): void }> {
  const clew = await start({ limits: { replanSkips: 9 } })
  const first = held(closes('Two venues'))
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find', 'Compare', 'Book', 'Report'))
  clew.model.on('thought', first)
  clew.model.answer(({ contract }) => (contract === 'replan' ? ends('Booked.') : closes('ok')))
  await clew.say('Book the offsite')
  await clew.idle(1)
  return Object.assign(clew, { release: first.release })
}

/** What the plan is after this was said and heard. */
async function planAfter(line: string): Promise<string[]> {
  const clew = await thinking()
  await clew.say(line, { by: ben })
  await clew.idle(1)
  clew.release()
  await clew.idle()
  expect((await clew.run()).status).toBe('succeeded')
  return (await clew.task()).planItems.map(({ text }) => text)
}

describe('a plan that is changed by a command', () => {
  it.each([
    ['/task skip 3', ['Find', 'Compare', 'Report']],
    ['/task 跳过 3', ['Find', 'Compare', 'Report']],
    ['/task edit 3 Book two nights', ['Find', 'Compare', 'Book two nights', 'Report']],
    ['/task add Call Ben', ['Find', 'Compare', 'Book', 'Report', 'Call Ben']],
    ['/task add Call Ben --after 2', ['Find', 'Compare', 'Call Ben', 'Book', 'Report']],
    ['/task add Call Ben --after 1', ['Find', 'Call Ben', 'Compare', 'Book', 'Report']],
    ['/task move 4 before 2', ['Find', 'Report', 'Compare', 'Book']],
    ['/task move 2 after 3 --task 1', ['Find', 'Book', 'Compare', 'Report']],
    ['!task move 2 之后 4', ['Find', 'Book', 'Report', 'Compare']],
  ])('%s is done as it is on the page (C252, C208)', async (line, plan) => {
    expect(await planAfter(line)).toEqual(plan)
  })

  it('is shown with the numbers that the commands take (C252)', async () => {
    const clew = await thinking()
    await clew.say('/task plan')
    await clew.idle(1)
    expect(clew.texts().at(-1)).toBe(
      [
        '**#1** Book the offsite · working',
        '- ▶ 1. Find',
        ...['- ☐ 2. Compare', '- ☐ 3. Book', '- ☐ 4. Report'],
        'You can change it from step 2 on:\n`/task skip 2`\n`/task edit 2 <new words>`\n`/task add <words>`\n`/task move 3 before 2`',
      ].join('\n'),
    )
    clew.release()
    await clew.idle()
  })

  it.each([
    ['/task skip 1', 'Step 1 has started or doesn’t exist. You can still change steps 2, 3 and 4.'],
    [
      '/task move 2 before 9',
      'Step 9 has started or doesn’t exist. You can still change steps 2, 3 and 4.',
    ],
    ['/task skip', 'Which step? Its number is missing; `/task plan` shows the numbers.'],
    ['/task move 3 above', 'Which step? Its number is missing; `/task plan` shows the numbers.'],
    [
      '/task skip 3 --task 7',
      'There is no task **#7** in this thread. `/task list` shows them all.',
    ],
  ])('%s changes nothing and says why (C252)', async (line, why) => {
    const clew = await thinking()
    const before = (await clew.task()).planItems
    await clew.say(line)
    await clew.idle(1)
    expect(clew.texts().at(-1)?.split('\n')[0]).toBe(why)
    expect((await clew.task()).planItems).toEqual(before)
    clew.release()
    await clew.idle()
  })

  it('takes one change after another while the task thinks, each with the numbers that the one before left (C222, C252)', async () => {
    const clew = await thinking()
    for (const line of [
      '/task skip 4',
      '/task add Call Ben',
      '/task edit 3 Book it',
      '/task move 4 before 3',
      '/task plan',
    ]) {
      await clew.say(line, { by: ben })
      await clew.idle(1)
    }
    expect(clew.texts()).toEqual([expect.stringContaining('3. Call Ben\n- ☐ 4. Book it')])
    clew.release()
    await clew.idle()
    expect((await clew.task()).planItems.map(({ text }) => text)).toEqual([
      'Find',
      'Compare',
      'Call Ben',
      'Book it',
    ])
  })

  it('is that of the newest task that goes on and has one, with and without a number (C277, C252)', async () => {
    const clew = await thinking()
    const { id: conversationId } = (await clew.state()).conversation
    const rows = ['paused', 'succeeded'] as const
    await commitOnce(clew.store, itemOf('conversation', conversationId, workspace), {
      create: rows.map((status, at) =>
        runOf({
          id: `r_${status}`,
          workspace,
          conversationId,
          status,
          createdAt: clew.clock.now() + 1 + at,
        }),
      ),
    })
    await clew.say('/task plan')
    await clew.idle(1)
    expect(clew.texts().at(-1)?.split('\n')[0]).toBe('**#1** Book the offsite · working')
    await clew.say('/task skip 3')
    await clew.idle(1)
    expect(clew.texts().at(-1)).not.toBe('This task has no plan.')
    clew.release()
    await clew.idle()
    const [first] = await clew.runs()
    const state = await clew.store.runs.state(workspace, first?.id ?? '')
    expect(state?.task?.planItems.map(({ text }) => text)).toEqual(['Find', 'Compare', 'Report'])
  })

  it('is no plan any more when its task has ended (C252, R102)', async () => {
    const clew = await thinking()
    clew.release()
    await clew.idle()
    await clew.say('/task add More')
    await clew.say('/task add More --task 1')
    await clew.idle()
    expect(clew.texts().slice(-2)).toEqual([
      'No task with a plan is running here.',
      expect.stringContaining('“Book the offsite” has already ended'),
    ])
  })
})
