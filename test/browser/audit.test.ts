import { it } from 'vitest'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import { createFakeChannel } from '../fakes/channel.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

const chat = createFakeChannel('chat')
const said = (n: number, id: string): InboundEvent => ({
  ...{ workspace: 'chat:one', channel: 'C1', thread: `t${n}`, keys: [`m${n}`], at: Date.now() },
  author: { id, name: 'Ana', bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: {
    ...{ kind: 'message', text: `/todo add Call ${n}`, addressed: true, forSomeoneElse: false },
  },
})

describeWith('chromium', 'the record, in a browser', (program) => {
  const { open } = useLab(program, { channels: [chat] })

  it('lists what was done, newest first, and finds one person’s (C718)', async () => {
    const page = await open('#/audit')
    await page.getByText('Nothing is recorded.').waitFor()
    for (const [n, id] of ['U1', 'U2'].entries()) await chat.intake(said(n, id))
    await page.reload()
    await page.getByText('To-do 2: added by U2').waitFor()
    await page.getByLabel('Person (id)').fill('U1')
    await page.getByText('To-do 2: added by U2').waitFor({ state: 'detached' })
    await page.getByText('To-do 1: added by U1').waitFor()
    await page.getByLabel('Person (id)').fill('U9')
    await page.getByText('Nothing is recorded for this filter').waitFor()
    await shot(page, 'audit')
  })
})
