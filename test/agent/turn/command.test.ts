import { expect, it } from 'vitest'
import { decides } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'

const start = useClew()

it('a command that was not done is not kept as one that was (C211)', async () => {
  const clew = await start()
  for (const text of ['/todo add Call Ben', '/todo done 1', '/todo done 99', '/todo dance']) {
    await clew.say(text)
    await clew.idle()
  }
  const { messages, outcomes } = await clew.state()
  const asked = messages.filter(({ role }) => role === 'user')
  expect(asked.map(({ id }) => outcomes[id])).toEqual([
    { kind: 'command' },
    { kind: 'command' },
    { kind: 'command', failed: true },
    { kind: 'command', failed: true },
  ])
})

it.each(['help', ' Help ', '`help`', '帮助'])(
  'helps without a model who writes “%s” into the thread, as a greeting offers (C445)',
  async (text) => {
    const clew = await start()
    await clew.say('/todo list')
    await clew.idle()
    await clew.say(text, { addressed: false })
    await clew.idle()
    expect(clew.model.calls).toEqual([])
    expect(clew.texts().at(-1)).toMatch(/\/todo/)
  },
)

it('begins the task of `/task` and a goal, and the thread is named after it (C907, C908)', async () => {
  const clew = await start()
  clew.model.on('decision', decides.reply('On it.'))
  await clew.say('/strategy step')
  await clew.idle()
  expect((await clew.state()).conversation.title).toBe('/strategy step')
  await clew.say('/task 比较三个场地')
  await clew.idle()
  expect(clew.model.calls).toHaveLength(1)
  expect(JSON.stringify(clew.model.calls[0])).not.toContain('/task')
  expect((await clew.state()).conversation.title).toBe('比较三个场地')
  await clew.say('/task list')
  await clew.idle()
  expect((await clew.state()).conversation.title).toBe('比较三个场地')
})
