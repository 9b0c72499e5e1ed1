import { expect, it } from 'vitest'
import { asksWho } from '../../../src/agent/commands/audit.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import { ben, useClew } from '../../support/agent.ts'

const start = useClew()

it('answers who did what from the rows of this thread alone, without a model (C716)', async () => {
  const mail: Tool = {
    ...{ name: 'mail', effect: 'unkeyed', approval: 'always', description: 'Sends mail.' },
    run: async () => ({ ok: true, text: 'sent' }),
  }
  const clew = await start({ tools: [mail], admins: [ben.id] })
  clew.model.on('decision', decides.run('Invite all'))
  clew.model.on('plan', plans('Invite'))
  clew.model.on('thought', acts('to eve@example.org', 'mail'), closes())
  clew.model.on('replan', ends('Done.'))
  await clew.say('/todo add Elsewhere', { thread: 'other' })
  await clew.say('Invite all')
  await clew.idle()
  await clew.say('yes', { by: ben })
  await clew.idle()
  await clew.say('/todo add Water', { by: ben })
  await clew.say('/quiet 18:00-9:00')
  await clew.idle()
  const asked = clew.model.calls.length
  await clew.say('Who did this?', { by: ben })
  await clew.idle()
  const answer = clew.texts().at(-1) ?? ''
  const lines = answer
    .split('\n')
    .slice(1)
    .map((line) => line.split(' · ').slice(1).join(' · '))
  expect(lines.filter((line) => !line.startsWith('Setting'))).toEqual([
    'Ben approved **mail**',
    '**mail**: done · asked by Ana · approved by Ben · on my own records · input from the model alone',
    'To-do 2: added by Ben',
  ])
  // Ana's own setting is hers to see.
  expect(answer).not.toContain('Setting')
  await clew.say('/audit')
  await clew.idle()
  expect(clew.texts().at(-1)).toContain('Setting quiet: changed by Ana')
  expect(clew.model.calls.length).toBe(asked)
})

it('says that nothing is recorded where nothing was done (C716)', async () => {
  const clew = await start()
  await clew.say('谁做的？', { locale: 'zh' })
  await clew.idle()
  expect(clew.texts().at(-1)).toMatch(/^这个会话没有记录/)
})

it('takes no other words for that question (C716)', () => {
  for (const text of ['who did this?', 'Who did that', '谁做的', '这是谁做的？'])
    expect(asksWho(text), text).toBe(true)
  for (const text of ['who did this to the plan?', 'Who did it best of all three?', '谁做的饭'])
    expect(asksWho(text), text).toBe(false)
})
