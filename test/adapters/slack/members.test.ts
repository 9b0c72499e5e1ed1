import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSlackMembers } from '../../../src/adapters/slack/members.ts'
import type { Members } from '../../../src/agent/ports/members.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { silent } from '../../support/silent.ts'

let slack: FakeSlack
let members: Members
beforeEach(async () => {
  slack = await startFakeSlack({ minuteMs: null })
  const { apiUrl, state } = slack
  const access = { kind: 'token' as const, botToken: state.bot.token }
  const store = { notes: {}, alarms: {} } as unknown as Pick<
    Parameters<typeof createSlackMembers>[0],
    'notes' | 'alarms'
  >
  const client = { clientId: 'client', clientSecret: 'secret' }
  members = createSlackMembers({
    ...store,
    ...client,
    apiUrl,
    access,
    clock: createSystemClock(),
    log: silent,
  })
})
afterEach(() => slack.stop())

async function seen(user = 'UANA') {
  const rooms = await members.rooms('slack:T1', user)
  if (rooms === null || rooms === 'away') return rooms
  const all = [...slack.state.channels.keys()]
  const has = await Promise.all(all.map((channel) => rooms.has(channel, '1.1')))
  return all.filter((_, at) => has[at])
}

it('sees the channels that a person is in, page by page, and their own direct messages alone (S26)', async () => {
  for (const user of ['UANA', 'UBEN']) directChannel(slack.state, user)
  slack.state.channels.get('C2')?.members.delete('UANA')
  slack.state.pageMost = 1
  expect(await seen()).toEqual(['C1', 'DANA'])
  // Whatever Slack may list of the bot's own, only direct messages with this person are theirs.
  slack.state.channels.get('DBEN')?.members.add('UANA')
  expect(await seen()).toEqual(['C1', 'DANA'])
})

it('sees nothing of a workspace that they have left, and cannot tell while Slack does not (S26, S28)', async () => {
  const ben = slack.state.users.get('UBEN')
  if (ben !== undefined) ben.deleted = true
  expect(await seen('UBEN')).toBeNull()
  expect(await seen('UNOBODY')).toBeNull()
  slack.state.bot.scopes.delete('groups:read')
  expect(await seen()).toBe('away')
  slack.cut()
  expect(await seen()).toBe('away')
})
