import { createEmulator, type Emulator } from 'emulate'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SlackChannel } from '../../../src/adapters/slack/adapter.ts'
import { botScopes } from '../../../src/adapters/slack/manifest.ts'
import type { Delivery, DeliveryBody } from '../../../src/agent/domain/delivery.ts'
import type { ProgressView } from '../../../src/agent/domain/progress.ts'
import type { Log } from '../../../src/agent/ports/log.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { signed } from '../../fakes/slack/events.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { silent } from '../../support/silent.ts'
import { conversationIn, createChannel } from './support.ts'

/*
 * A Slack that others wrote (`emulate`), which refuses every call for which the token lacks the scope. It knows no Socket Mode,
 * so events are handed in over HTTP.
 */
const secret = 'the-signing-secret'
/** Those that it checks and that something here needs. */
const checked = [
  'chat:write',
  'channels:read',
  'channels:history',
  'groups:history',
  'im:write',
  'im:history',
].concat('users:read', 'files:write', 'reactions:write')
/** It does not know the first, and of the others it refuses what is there or gone already. */
const harmless = [
  'agents.sessions.setStatus',
  'assistant.threads.setStatus',
  'reactions.add',
  'reactions.remove',
]
const tokenWithout = (scope: string) => `xoxb-without-${scope.replace(':', '-')}`

describeWith('redis-server', 'the scopes of the manifest', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let slack: Emulator
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
    const tokens = [
      { token: 'xoxb-whole', scopes: botScopes },
      ...checked.map((scope) => ({
        token: tokenWithout(scope),
        scopes: botScopes.filter((one) => one !== scope),
      })),
    ]
    slack = await createEmulator({
      service: 'slack',
      port: 0,
      seed: {
        slack: {
          strict_scopes: true,
          users: [{ name: 'clew' }, { name: 'ana' }],
          channels: [{ name: 'team' }, { name: 'secret', is_private: true }],
          tokens: [
            ...tokens.map((one) => ({
              ...one,
              scopes: [...one.scopes],
              type: 'bot',
              user: 'clew',
            })),
            {
              token: 'xoxp-ana',
              user: 'ana',
              scopes: ['chat:write', 'channels:read', 'groups:read', 'users:read', 'im:write'],
            },
          ],
        },
      },
    })
  })
  afterAll(async () => {
    await slack.close()
    await server.stop()
  })
  beforeEach(async () => {
    await redis.flushall()
  })

  async function call(
    method: string,
    args: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const headers = { authorization: 'Bearer xoxp-ana' }
    const init = { method: 'POST', headers, body: new URLSearchParams(args) }
    return (await (await fetch(`${slack.url}/api/${method}`, init)).json()) as Record<
      string,
      unknown
    >
  }

  /** Does with a token everything that Clew does in Slack; answers the scopes that it was told to lack. */
  async function doEverything(
    token: string,
  ): Promise<{ lacking: Set<string>; failures: string[] }> {
    const lacking = new Set<string>()
    const failures: string[] = []
    const hear = (fields: object) => {
      const { problem, method } = fields as {
        problem?: { kind: string; needed?: string | null }
        method?: string
      }
      if (problem?.kind === 'token') lacking.add(problem.needed ?? '')
      else if (problem !== undefined && !harmless.includes(`${method}`))
        failures.push(`${method} ${JSON.stringify(problem)}`)
    }
    const log: Log = { ...silent, debug: hear }
    const parts = { apiUrl: `${slack.url}/api/`, state: { appToken: '', bot: { token } } }
    const entrance = { kind: 'http' as const, signingSecret: secret }
    const { channel, store } = createChannel(parts, redis, { log, entrance })
    await channel.start(async () => ({
      kind: 'accepted',
      conversationId: 'c',
      messageId: 'm',
      entryId: 'e',
    }))
    try {
      await everything(channel, store)
    } finally {
      await channel.stop()
    }
    return { lacking, failures }
  }

  async function everything(channel: SlackChannel, { notes }: Pick<Store, 'notes'>): Promise<void> {
    const { channels } = (await call('conversations.list', {
      types: 'public_channel,private_channel',
    })) as {
      channels: { id: string; name: string }[]
    }
    const { members } = (await call('users.list')) as { members: { id: string; name: string }[] }
    const idOf = (list: { id: string; name: string }[], name: string) =>
      list.find((one) => one.name === name)?.id ?? ''
    const [team, hidden] = [idOf(channels, 'team'), idOf(channels, 'secret')]
    const [ana, clew] = [idOf(members, 'ana'), idOf(members, 'clew')]
    const ts = String((await call('chat.postMessage', { channel: team, text: 'hello' })).ts)
    const hand = async (raw: string, type: string) => {
      const headers = { 'content-type': type, ...signed(secret, raw) }
      await channel.routes['/slack/events']?.(
        new Request('http://x/', { method: 'POST', body: raw, headers }),
      )
    }
    // Who somebody is, the mark on what they wrote, and whether Clew is in a channel.
    const event = { type: 'app_mention', channel: team, user: ana, ts, text: `<@${clew}> hello` }
    const envelope = { type: 'event_callback', team_id: 'T000000001', event_id: 'Ev1', event }
    await hand(JSON.stringify(envelope), 'application/json')
    const command = {
      command: '/task',
      text: 'x',
      team_id: 'T000000001',
      channel_id: team,
      user_id: ana,
    }
    await hand(new URLSearchParams(command).toString(), 'application/x-www-form-urlencoded')

    const said = (id: string, body: DeliveryBody): Delivery => ({
      ...{ version: 1, id: `d_${id}`, conversationId: 'c_test', at: Date.now(), body },
    })
    const message: DeliveryBody = { kind: 'message', messageId: 'm', text: 'hello', runId: null }
    const long = Array.from({ length: 400 }, (_, index) => `Line ${index} of a long report.`).join(
      '\n\n',
    )
    const report: DeliveryBody = {
      kind: 'final',
      messageId: 'm',
      text: long,
      runId: 'r',
      status: 'succeeded',
    }
    const question = {
      version: 1 as const,
      id: 'q',
      runId: 'r',
      text: 'Which?',
      choices: ['a'],
      askedAt: 1,
      askedOf: null,
    }
    const view: ProgressView = {
      ...{
        runId: 'r',
        title: 'The offsite',
        status: 'running',
        items: [{ text: 'one', done: false }],
        index: 0,
        done: 0,
      },
      ...{ now: { kind: 'thinking' }, lastResult: null, lastChange: null },
    }
    for (const thread of [ts, null]) {
      const place = {
        ...conversationIn(team, thread),
        address: { workspace: 'slack:T000000001', channel: team, thread },
      }
      const name = thread ?? 'new'
      await channel.send(said(`message ${name}`, message), place)
      await channel.send(said(`report ${name}`, report), place)
      await channel.send(
        said(`private ${name}`, { kind: 'private', to: ana, text: 'for you' }),
        place,
      )
      await channel.send(
        said(`question ${name}`, { kind: 'question', question, runId: 'r' }),
        place,
      )
    }
    const place = {
      ...conversationIn(team, ts),
      address: { workspace: 'slack:T000000001', channel: team, thread: ts },
    }
    const answered = { question, answer: 'a', author: { id: ana, name: 'Ana' }, at: 2 }
    await channel.send(said('answered', { kind: 'answered', answered, runId: 'r' }), place)
    await channel.send(
      said('mark', { kind: 'receipt', messageId: 'm', ref: ts, outcome: { kind: 'failed' } }),
      place,
    )
    await channel.show(view, place)
    await channel.show({ ...view, status: 'succeeded' }, place)
    // What may have arrived is looked for, wherever it may be.
    await channel.direct?.(said('direct', message), place, { id: ana, name: 'Ana' })
    const direct = (await call('conversations.open', { users: clew })).channel as { id: string }
    for (const [where, thread] of [
      [team, ts],
      [team, null],
      [hidden, null],
      [direct.id, null],
    ] as const) {
      await notes.put('slack:T000000001', `sending:d_lost:${where}`, '1', null)
      const address = { workspace: 'slack:T000000001', channel: where, thread }
      await channel.find(said('lost', message), { ...place, address })
    }
  }

  it('suffice for everything that Clew does', async () => {
    const { lacking, failures } = await doEverything('xoxb-whole')
    expect([...lacking]).toEqual([])
    expect(failures).toEqual([])
  })

  it.each(checked)('are each needed: without %s something is refused', async (scope) => {
    const { lacking } = await doEverything(tokenWithout(scope))
    expect([...lacking].join()).toContain(scope)
  })
})
