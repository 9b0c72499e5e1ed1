import { expect, it } from 'vitest'
import { createCommandEndpoint } from '../../src/agent/command-endpoint.ts'
import type { CommandContext } from '../../src/agent/commands/command.ts'
import { createManualClock } from '../fakes/clock.ts'

it('gives a command nothing but what it is for: an adapter may know a token (S7)', async () => {
  const contexts: CommandContext[] = []
  const endpoint = createCommandEndpoint({
    commands: {
      parse: () => ({
        name: 'todo',
        run: async (context) => {
          contexts.push(context)
          return { ok: true, text: 'done' }
        },
      }),
    },
    access: { users: [], channels: [], outsiders: [] },
    clock: createManualClock(),
  })
  const asked = {
    workspace: 'discord:1',
    channel: 'C1',
    person: { id: 'U1', name: 'Ana' },
    whose: { way: 'typed' as const, by: 'member' as const },
    locale: 'en',
  }
  const beside = { token: 'secret', deps: { token: 'secret' } }
  await endpoint({ ...beside, ...asked, timeZone: 'UTC', text: '/todo list', key: 'k' })
  expect(JSON.stringify(contexts)).not.toContain('secret')
  expect(contexts).toMatchObject([
    { ...asked, timeZone: 'UTC', conversationId: '', zoneUnset: false },
  ])
})
