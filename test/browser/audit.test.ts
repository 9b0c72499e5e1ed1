import { expect, it } from 'vitest'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import { createFakeChannel } from '../fakes/channel.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

const chat = createFakeChannel('chat')
const said = (n: number, id: string, text = `/todo add Call ${n}`): InboundEvent => ({
  ...{
    workspace: 'chat:one',
    channel: 'C1',
    thread: `t${n}`,
    keys: [`m${n}${text}`],
    at: Date.now(),
  },
  author: { id, name: `Ana of ${id}`, bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: {
    ...{ kind: 'message', text, addressed: true, forSomeoneElse: false },
  },
})

describeWith('chromium', 'the record, in a browser', (program) => {
  const { lab, open } = useLab(program, { channels: [chat] })

  it('lists what was done, newest first, and finds one person’s (C718)', async () => {
    const page = await open('#/audit')
    await page.getByText('Nothing is recorded.').waitFor()
    for (const [n, id] of ['U1', 'U2'].entries()) await chat.intake(said(n, id))
    await expect
      .poll(async () => JSON.stringify(await lab().get('/api/audit/lines')))
      .toMatch(/Ana of U2.*Ana of U1/)
    await chat.intake(said(0, 'U1', '/schedule add every day at 9:00 Look at the queue'))
    await expect
      .poll(async () => JSON.stringify(await lab().get('/api/audit/lines')))
      .toContain('Schedule 1 “Look at the queue”: added')
    await chat.intake(said(0, 'U1', '/memory add We meet in Lisbon --scope channel'))
    await expect
      .poll(async () => JSON.stringify(await lab().get('/api/audit/lines')))
      .toMatch(/“We meet in Lisbon”: (added|remembered)/)
    await page.reload()
    await page.getByText('To-do 2 “Call 1”: added by Ana of U2').waitFor()
    const [person, thread] = await page.locator('main select').all()
    await person?.selectOption('Ana of U1')
    await page.getByText('To-do 2').waitFor({ state: 'detached' })
    await page.getByText('To-do 1 “Call 0”: added by Ana of U1').waitFor()
    await person?.selectOption('Everybody')
    await page.getByText('To-do 2').waitFor()
    await thread?.selectOption('/todo add Call 1')
    await page.getByText('To-do 1 “').waitFor({ state: 'detached' })
    await shot(page, 'audit')
  })
})
