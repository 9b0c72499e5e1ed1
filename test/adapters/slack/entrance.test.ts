import { readFileSync } from 'node:fs'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { examine, printed } from '../../../scripts/doctor.ts'
import { modeOf } from '../../../scripts/manifest.ts'
import type { SlackChannel } from '../../../src/adapters/slack/adapter.ts'
import type { SlackDeps } from '../../../src/adapters/slack/deps.ts'
import { botScopes, manifest } from '../../../src/adapters/slack/manifest.ts'
import { createStoredInstallations } from '../../../src/adapters/slack/stored-installations.ts'
import type { Delivery } from '../../../src/agent/domain/delivery.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Clock } from '../../../src/agent/ports/clock.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { signed } from '../../fakes/slack/events.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { silent } from '../../support/silent.ts'
import { conversationIn, createChannel, createLeapingClock, until } from './support.ts'

const secret = 'the-signing-secret'
const oauth = {
  ...{
    kind: 'oauth' as const,
    clientId: 'client',
    clientSecret: 'secret',
    stateSecret: 'a-state-secret-of-ours',
  },
  encryptionKey: Buffer.alloc(32, 7).toString('base64'),
}

describeWith('redis-server', 'the ways into Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let slack: FakeSlack
  let channel: SlackChannel
  const events: InboundEvent[] = []
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    await redis.flushall()
    events.length = 0
    slack = await startFakeSlack({ retryMs: [], minuteMs: null })
  })
  afterEach(async () => {
    await channel.stop()
    await slack.stop()
  })

  async function open(overrides: Parameters<typeof createChannel>[2] = {}) {
    const entrance = { kind: 'http' as const, signingSecret: secret }
    channel = createChannel(slack, redis, { entrance, ...overrides }).channel
    await channel.start(async (event) => {
      events.push(event)
      return { kind: 'accepted', conversationId: 'c', messageId: 'm', entryId: 'e' }
    })
  }
  const at = (path: string, init?: RequestInit): Promise<Response> => {
    const handle = channel.routes[path]
    if (handle === undefined) throw new Error(`nothing answers ${path}`)
    return handle(new Request(`http://127.0.0.1${path}`, init))
  }
  const post = (raw: string, headers: Record<string, string>) =>
    at('/slack/events', {
      method: 'POST',
      body: raw,
      headers: { 'content-type': 'application/json', ...headers },
    })

  /** A signed body of a mention. */
  function mention(): string {
    const message = slack.people.write('C1', 'UANA', '<@U0CLEW> hello')
    const place = slack.state.channels.get('C1')
    return JSON.stringify(
      slack.people.envelope(
        place === undefined ? {} : (slack.people.eventsOf(place, message)[1] ?? {}),
      ),
    )
  }

  it('takes only requests that Slack signed within five minutes, over the bytes as they came (S6)', async () => {
    await open()
    const raw = mention()
    expect((await post(raw, signed(secret, raw))).status).toBe(200)
    expect(events).toHaveLength(1)
    const good = signed(secret, raw)
    const bad: [string, Record<string, string>][] = [
      [raw, {}],
      [raw, signed('another-secret', raw)],
      [raw, signed(secret, raw, Date.now() - 301_000)],
      // Not a second more than the limit: by the time it is read, that second may be over.
      [raw, signed(secret, raw, Date.now() + 400_000)],
      [raw, { ...good, 'x-slack-signature': '' }],
      [raw, { ...good, 'x-slack-signature': 'v0=' }],
      [
        raw,
        {
          ...good,
          'x-slack-request-timestamp': `${Number(good['x-slack-request-timestamp']) + 1}`,
        },
      ],
      [raw, { ...good, 'x-slack-request-timestamp': 'now' }],
      ['', signed(secret, raw)],
    ]
    for (const [body, headers] of bad) expect((await post(body, headers)).status).toBe(401)
    // Every single changed byte of the body is noticed.
    for (let index = 0; index < raw.length; index += 7) {
      const changed = `${raw.slice(0, index)}${raw[index] === 'x' ? 'y' : 'x'}${raw.slice(index + 1)}`
      expect((await post(changed, good)).status).toBe(401)
    }
    expect(events).toHaveLength(1)
  })

  it('answers the address check and an unsigned look at the certificate, and refuses what is no JSON', async () => {
    await open()
    const look = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('ssl_check=1&token=x', look)).status).toBe(200)
    const check = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    expect(await (await post(check, signed(secret, check))).json()).toEqual({ challenge: 'abc' })
    expect((await post('{', signed(secret, '{'))).status).toBe(400)
  })

  it('opens no more than two sockets where Slack lets new ones wait (C472)', async () => {
    const clock = createSystemClock()
    // A second of Slack's is a twentieth here.
    const sleep: Clock['sleep'] = (ms, signal) => clock.sleep(ms / 20, signal)
    slack.fail('apps.connections.open', '429_long', '429_long')
    const socket = { kind: 'socket' as const, appToken: slack.state.appToken }
    await open({ entrance: socket, clock: { ...clock, sleep } })
    await until(() => slack.events.sockets.size === 2)
    const opened = slack.calls.filter(({ method }) => method === 'apps.connections.open')
    expect(opened.map(({ outcome }) => outcome)).toEqual(['429', '429', 'ok', 'ok'])
    const [first, , third] = opened
    expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(30_000 / 20 - 50)
  })

  it.each(['too_many_websockets', 'link_disabled'])(
    'opens a socket that Slack closes at once after growing pauses: %s (C995)',
    async (reason) => {
      const clock = createSystemClock()
      const pauses: number[] = []
      const sleep: Clock['sleep'] = (ms, signal) => {
        if (ms < 30_000 && ms % 100 === 0) pauses.push(ms)
        return clock.sleep(ms < 10_000 ? ms / 100 : ms, signal)
      }
      slack.events.settings.turnsAway = reason
      const socket = { kind: 'socket' as const, appToken: slack.state.appToken }
      await open({ entrance: socket, clock: { ...clock, sleep } })
      await until(() => pauses.filter((ms) => ms === 6_400).length === 2)
      for (const ms of [200, 400, 800, 1_600, 3_200])
        expect(pauses.filter((one) => one === ms)).toHaveLength(2)
    },
  )

  describe('several workspaces', () => {
    /** The way through the browser: to Slack and back. */
    async function install(state?: string): Promise<Response> {
      const there = await at('/slack/install')
      expect(there.status).toBe(302)
      const to = new URL(there.headers.get('location') ?? '')
      expect(to.searchParams.get('scope')?.split(',')).toEqual(botScopes)
      const cookie = there.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
      const query = new URLSearchParams({
        code: 'code',
        state: state ?? to.searchParams.get('state') ?? '',
      })
      return (
        (await channel.routes['/slack/oauth_redirect']?.(
          new Request(`http://127.0.0.1/slack/oauth_redirect?${query}`, { headers: { cookie } }),
        )) ?? new Response(null, { status: 404 })
      )
    }

    const place = conversationIn('C1', null)
    const delivery: Delivery = {
      version: 1,
      id: 'd_1',
      conversationId: place.id,
      at: Date.now(),
      body: { kind: 'message', messageId: 'm', text: 'hello', runId: null },
    }

    it('installs, works, is taken out, and is installed again; its token is never in the clear (S7)', async () => {
      await open({ access: oauth })
      const raw = mention()
      expect((await post(raw, signed(secret, raw))).status).toBe(200)
      expect(events).toHaveLength(0)
      expect((await install()).status).toBe(200)
      const again = mention()
      expect((await post(again, signed(secret, again))).status).toBe(200)
      expect(events).toMatchObject([{ workspace: 'slack:T1', author: { name: 'Ana' } }])
      for (const key of await redis.keys('*'))
        if ((await redis.type(key)) === 'string')
          expect(await redis.get(key)).not.toContain(slack.state.bot.token)

      const gone = JSON.stringify(slack.people.envelope({ type: 'app_uninstalled' }))
      await post(gone, signed(secret, gone))
      expect(await channel.send(delivery, place)).toMatchObject({ kind: 'later' })
      // The others are well: it is named, and nobody is restarted for it.
      expect(channel.health()).toMatchObject({
        ok: true,
        detail: expect.stringContaining('not_installed'),
      })
      await install()
      expect(await channel.send(delivery, place)).toMatchObject({ kind: 'sent' })
      // Slack sends what was not acknowledged again, minutes later.
      const late = {
        ...slack.people.envelope({ type: 'app_uninstalled' }),
        event_time: Date.now() / 1_000 - 60,
      }
      await post(JSON.stringify(late), signed(secret, JSON.stringify(late)))
      expect(await channel.send({ ...delivery, id: 'd_2' }, place)).toMatchObject({ kind: 'sent' })
    })

    it('keeps an installation in a whole organisation under the organisation', async () => {
      slack.state.enterprise = 'E1'
      await open({ access: oauth })
      expect((await install()).status).toBe(200)
      expect(await redis.keys('*note:enterprise:E1')).toHaveLength(1)
      const body: Record<string, unknown> = JSON.parse(mention())
      const authorizations = [
        { enterprise_id: 'E1', team_id: null, user_id: 'U0CLEW', is_enterprise_install: true },
      ]
      const raw = JSON.stringify({ ...body, team_id: 'T1', authorizations })
      await post(raw, signed(secret, raw))
      expect(events).toMatchObject([{ workspace: 'slack:T1' }])
    })

    it('names the workspace in every call with the token of an organisation, and reads what was missed there (C471)', async () => {
      slack.state.enterprise = 'E1'
      slack.state.bot.org = true
      await open({ access: oauth })
      expect((await install()).status).toBe(200)
      const authorizations = [
        { enterprise_id: 'E1', team_id: 'T1', user_id: 'U0CLEW', is_enterprise_install: true },
      ]
      const hear = async () => {
        const raw = JSON.stringify({ ...JSON.parse(mention()), authorizations })
        expect((await post(raw, signed(secret, raw))).status).toBe(200)
      }
      await hear()
      expect(events).toMatchObject([{ workspace: 'slack:T1', author: { name: 'Ana' } }])
      await channel.stop()
      slack.people.write('C1', 'UANA', '<@U0CLEW> while Clew was away')
      const alarms = { workspaces: async () => ['slack:T1'] }
      await createChannel(slack, redis).store.notes.put('slack:T1', 'alive', '1', null)
      await open({ access: oauth, alarms })
      await until(() =>
        events.some(({ content }) => 'text' in content && content.text === 'while Clew was away'),
      )
      const asked = slack.calls.filter(({ method }) => method === 'users.conversations')
      expect(asked.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'ok'))
    })

    it('renews a token before it ends, once, and says so where Slack does not (C470)', async () => {
      const clock = createLeapingClock()
      slack.state.bot.rotation = { refreshToken: 'xoxe-1', seconds: 12 * 60 * 60 }
      await open({ access: oauth, clock })
      expect((await install()).status).toBe(200)
      const send = async (id: string) => (await channel.send({ ...delivery, id }, place)).kind
      const first = slack.state.bot.token
      expect(await send('d_1')).toBe('sent')
      clock.leap(11 * 60 * 60 * 1_000)
      expect(await send('d_2')).toBe('sent')
      const second = slack.state.bot.token
      expect(second).toBe(`${first}-next`)
      expect(await send('d_3')).toBe('sent')
      expect(slack.state.bot.token).toBe(second)
      slack.state.bot.rotation = { refreshToken: 'taken back', seconds: 60 }
      clock.leap(13 * 60 * 60 * 1_000)
      // The store's own clock does not leap: nobody tries at this moment.
      await redis.del(await redis.keys('*renewal:*'))
      await send('d_4')
      expect(channel.health()).toEqual({
        ok: false,
        detail: 'Slack does not renew the token of team:T1: install Clew there again',
      })
      for (const key of await redis.keys('*'))
        if ((await redis.type(key)) === 'string')
          expect(await redis.get(key)).not.toMatch(/xoxe|xoxb/)
    })

    it('takes a form from a partner’s workspace for the one where Clew is installed', async () => {
      const lines: string[] = []
      const endpoint: SlackDeps['endpoint'] = async ({ workspace, text }) => {
        lines.push(`${workspace} ${text}`)
        return { ok: true, text: 'Made.' }
      }
      await open({ access: oauth, endpoint })
      expect((await install()).status).toBe(200)
      const payload = {
        type: 'view_submission',
        team: { id: 'TPARTNER' },
        user: { id: 'UANA', team_id: 'TPARTNER' },
        view: {
          id: 'V1',
          app_installed_team_id: 'T1',
          callback_id: 'clew:schedule',
          private_metadata: JSON.stringify({ id: '', channel: 'C1', thread: null }),
          state: {
            values: { when: { when: { value: 'daily' } }, what: { what: { value: 'News' } } },
          },
        },
      }
      const raw = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await post(raw, { ...signed(secret, raw), ...form })
      expect(await answer.json()).toMatchObject({ response_action: 'update' })
      expect(lines).toEqual([expect.stringMatching(/^slack:T1 .*daily.*News/s)])
    })

    it('reads what was missed also behind a workspace whose token is taken no more (C155)', async () => {
      const { store, clock } = createChannel(slack, redis)
      const alarms = { workspaces: async () => ['slack:T0', 'slack:T1'] }
      const { keep } = createStoredInstallations(
        { ...store, alarms, clock, log: silent, apiUrl: slack.apiUrl },
        oauth,
      )
      const of = {
        version: 1 as const,
        enterprise: null,
        teamName: '',
        botUserId: 'U0CLEW',
        botId: 'B',
        scopes: [],
      }
      await keep({ ...of, team: 'T0', botToken: 'xoxb-taken-back', installedBy: null })
      await keep({ ...of, team: 'T1', botToken: slack.state.bot.token, installedBy: null })
      for (const workspace of await alarms.workspaces())
        await store.notes.put(workspace, 'alive', String(Date.now() - 60_000), null)
      slack.people.write('C1', 'UANA', '<@U0CLEW> while Clew was away')
      await open({ access: oauth, alarms })
      await until(() => events.length > 0)
      expect(events).toMatchObject([
        { workspace: 'slack:T1', content: { text: 'while Clew was away' } },
      ])
    })

    it('takes a way back once, no matter who shows it again (C114, S6)', async () => {
      await open({ access: oauth })
      const there = await at('/slack/install')
      const state = new URL(there.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const cookie = there.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
      const url = `http://127.0.0.1/slack/oauth_redirect?${new URLSearchParams({ code: 'code', state })}`
      const back = async () =>
        (await channel.routes['/slack/oauth_redirect']?.(new Request(url, { headers: { cookie } })))
          ?.status
      expect([await back(), await back()]).toEqual([200, 400])
    })

    it.each(['', 'a.1.b', 'x'.repeat(300)])(
      'refuses a way back that did not begin here: "%.10s" (S6)',
      async (state) => {
        await open({ access: oauth })
        expect((await install(state === '' ? 'none' : state)).status).toBe(400)
        const direct = await at('/slack/oauth_redirect')
        expect(direct.status).toBe(400)
      },
    )
  })

  describe('the doctor', () => {
    const settings = () => ({
      ...{
        SLACK_BOT_TOKEN: slack.state.bot.token,
        SLACK_APP_TOKEN: slack.state.appToken,
        SLACK_API_URL: slack.apiUrl,
      },
      ...{ REDIS_URL: server.url, OPENAI_MODEL: 'rehearsal' },
    })
    const examined = async (more: Record<string, string> = {}) =>
      (await examine({ ...settings(), ...more }, [])).map(printed).join('\n')

    it('says that all is well, and what it cannot know', async () => {
      await open()
      const report = await examined()
      expect(report).toContain('✓ SLACK_BOT_TOKEN: clew')
      expect(report).toContain('✓ Slack: all scopes are granted.')
      expect(report).toContain('✓ SLACK_APP_TOKEN: Socket Mode can be opened.')
      expect(report).toContain('✓ Slack: Clew is in #c1, #c2.')
      expect(report).toContain('npm run manifest')
    })

    it('names the missing scope, the wrong token and the place to mend each (C114, C115)', async () => {
      await open()
      slack.state.bot.scopes.delete('reactions:write')
      slack.state.bot.scopes.delete('commands')
      slack.state.bot.scopes.delete('reactions:read')
      const report = await examined({ SLACK_APP_TOKEN: 'xapp-wrong' })
      expect(report).toMatch(
        /✗ Slack: the scope reactions:write is missing.*\n.*OAuth & Permissions.*Add an OAuth Scope/,
      )
      expect(report).toContain('the scope commands is missing; Clew cannot take slash commands')
      expect(report).toContain(
        'the scope reactions:read is missing; Clew cannot see reactions: a message was read, a to-do, a beginning of work.',
      )
      expect(report).toMatch(/✗ SLACK_APP_TOKEN: Slack answers invalid_auth.*\n.*App-Level Tokens/)
      expect(await examined({ SLACK_BOT_TOKEN: 'xoxb-wrong' })).toMatch(
        /✗ SLACK_BOT_TOKEN: Slack answers invalid_auth/,
      )
      expect(await examined({ SLACK_BOT_TOKEN: 'wrong', SLAK: '' })).toMatch(
        /✗ SLACK_BOT_TOKEN.*xoxb-/,
      )
      expect(await examined({ REDIS_URL: 'redis://127.0.0.1:1' })).toContain('✗ REDIS_URL')
      const away = { OPENAI_MODEL: 'gpt-x', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
      expect(await examined(away)).toMatch(
        /✗ Model: 127\.0\.0\.1:1.* cannot be reached.*\n.*OPENAI_BASE_URL/,
      )
    })

    it('tells no network once, and apart from a wrong token (C446)', async () => {
      await open()
      const report = await examined({ SLACK_API_URL: 'http://127.0.0.1:1/api/' })
      expect(report.match(/Slack cannot be reached/g)).toHaveLength(1)
      expect(report).toMatch(/✗ Slack cannot be reached from here\.\n.*Check the network/)
      expect(report).not.toMatch(/SLACK_(?:BOT|APP)_TOKEN|App-Level|OAuth & Permissions/)
      const wrong = await examined({ SLACK_BOT_TOKEN: 'xoxb-wrong', SLACK_APP_TOKEN: 'xapp-wrong' })
      expect(wrong).toMatch(/✗ SLACK_BOT_TOKEN: Slack answers invalid_auth/)
      expect(wrong).toMatch(/✗ SLACK_APP_TOKEN: Slack answers invalid_auth/)
      expect(wrong).not.toContain('Check the network')
    })

    it.each(['"xoxb-1"', 'xoxb-1"', '“xoxb-1”', 'Bearer xoxb-1', 'Bot xoxb-1', '"Bearer xoxb-1"'])(
      'sees what was copied along with a token: %s (C446)',
      async (token) => {
        await open()
        expect(await examined({ SLACK_BOT_TOKEN: token })).toMatch(
          /✗ SLACK_BOT_TOKEN.*write the token alone, without quotes/,
        )
        expect(await examined({ SLACK_APP_TOKEN: token })).toMatch(/✗ SLACK_APP_TOKEN.*swapped/)
      },
    )

    it('sees that the two tokens are swapped (C446)', async () => {
      await open()
      const swapped = { SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xoxb-1' }
      const report = await examined(swapped)
      expect(report).toMatch(/✗ SLACK_BOT_TOKEN.*SLACK_APP_TOKEN.*swapped/)
      expect(report).toMatch(/✗ SLACK_APP_TOKEN.*SLACK_BOT_TOKEN.*swapped/)
    })

    it.each(['channels:read', 'groups:read', 'commands'])(
      'tells once that the scope %s is missing (C446)',
      async (scope) => {
        await open()
        slack.state.bot.scopes.delete(scope)
        const report = await examined()
        expect(report.match(/missing_scope|the scope \S+ is missing/g)).toHaveLength(1)
      },
    )

    it('says at which workspace it looked, or at none (C446)', async () => {
      await open()
      expect(await examined()).toMatch(/✓ SLACK_BOT_TOKEN: clew, .+ \(T\w+\)\./)
      const installed = {
        SLACK_BOT_TOKEN: '',
        SLACK_CLIENT_ID: '1.2',
        SLACK_CLIENT_SECRET: 's',
        SLACK_STATE_SECRET: 'a-state-secret-of-ours',
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      }
      expect(await examined(installed)).toContain('looked at none of their tokens')
    })

    it('says which redirect the apps need for people to sign in on the page, and which settings (C261)', async () => {
      const discord = {
        DISCORD_TOKEN: 'x',
        DISCORD_API_URL: 'http://127.0.0.1:1',
        DISCORD_CLIENT_ID: '123456789012345678',
        DISCORD_CLIENT_SECRET: 's',
      }
      const said = await examined({
        WEB_URL: 'https://clew.test',
        WEB_TOKEN: 'a-long-token',
        ...discord,
      })
      expect(said).toMatch(
        /Slack: people cannot use it to sign in .*\n.*https:\/\/clew.test\/sign-in\/slack\/back.*Redirect URLs/,
      )
      expect(said).toContain('SLACK_CLIENT_ID, SLACK_CLIENT_SECRET')
      expect(said).toMatch(
        /Discord: people can sign in .*https:\/\/clew.test\/sign-in\/discord\/back\.\n.*OAuth2 › Redirects/,
      )
      expect(await examined({})).not.toContain('sign in')
    })
  })

  it('prints a manifest that fits the way events come in, and people sign in (C261)', async () => {
    await open()
    expect(modeOf([])).toEqual({ kind: 'socket' })
    expect(modeOf(['http://x'])).toBeNull()
    const socket = JSON.stringify(manifest({ kind: 'socket' }))
    // The manual's copy is the same: `npm run --silent manifest > docs/slack-manifest.json`.
    expect(JSON.stringify(JSON.parse(readFileSync('docs/slack-manifest.json', 'utf8')))).toBe(
      socket,
    )
    expect(socket).toContain('"socket_mode_enabled":true')
    expect(socket).not.toContain('http')
    const http = JSON.stringify(
      manifest(modeOf(['https://clew.example.com', '--install']) ?? { kind: 'socket' }),
    )
    expect(http).toContain('https://clew.example.com/slack/events')
    expect(http).toContain('https://clew.example.com/slack/oauth_redirect')
    expect(JSON.parse(http).oauth_config.scopes.bot).toEqual(botScopes)
    const back = ['https://clew.example.com/sign-in/slack/back']
    expect(JSON.parse(http).oauth_config.redirect_urls).toEqual(expect.arrayContaining(back))
    const paged = manifest(modeOf(['--page', 'https://clew.example.com']) ?? { kind: 'socket' })
    expect(paged).toMatchObject({
      oauth_config: { redirect_urls: back },
      settings: { socket_mode_enabled: true },
    })
    expect(modeOf(['--page'])).toBeNull()
  })
})
