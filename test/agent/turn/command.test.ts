import { expect, it } from 'vitest'
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
