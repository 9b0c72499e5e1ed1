import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { createFakeModel, decides } from '../../fakes/model.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { listenTo } from './event-stream.ts'
import {
  browserAt,
  get,
  operator,
  publicUrl,
  signInWithSlack,
  slackSettings,
  token,
} from './members-support.ts'
import { ask } from './support.ts'

const start = useWholeClew()
let slack: FakeSlack
afterEach(() => slack.stop())

async function open(env: Record<string, string> = {}) {
  slack = await startFakeSlack({ minuteMs: null })
  slack.state.authorizations.redirects.add(`${publicUrl}/sign-in/slack/back`)
  const lines: string[] = []
  const note = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const log = { debug: note, info: note, warn: note, error: note }
  const { url, clew, kept } = await start({ ...slackSettings(slack), ...env }, { log })
  const listed = async (headers: Record<string, string>) =>
    (await get(url, '/api/conversations', headers)).status
  return { url, lines, listed, clew, env: { ...slackSettings(slack), ...kept } }
}

it('signs a person in with Slack, in a session of their own, by cookies that no script and no other host has (S25, S27, C241)', async () => {
  const { url, lines, listed } = await open()
  const browser = browserAt(url)
  expect((await browser.visit('/')).text).toContain(
    'href="https://clew.test/sign-in/slack">Sign in with Slack<',
  )
  const begun = await browser.visit('/sign-in/slack')
  expect(new URL(begun.to)).toMatchObject({ pathname: '/openid/connect/authorize' })
  const asked = new URL(begun.to).searchParams
  expect(asked.get('scope')).toBe('openid profile')
  expect(asked.get('nonce')).toMatch(/^[\w-]{43}$/)
  const back = slack.state.authorizations.agree(begun.to, 'UANA')
  const done = await browser.visit(back)
  expect(done).toMatchObject({ status: 303, to: '/' })
  for (const line of [...begun.set, ...done.set]) {
    expect(line).toMatch(/^__Host-clew_(?:session|sign_in)=/)
    expect(line).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  }
  expect(await listed(browser.headers())).toBe(200)
  const { body: page } = await get(url, '/', browser.headers())
  expect(page).toContain(
    '<html lang="en" data-session="member" data-home="web:dm" data-person="UANA" data-name="Ana">',
  )
  const me = await get(url, '/api/session', browser.headers())
  expect(me.body).toEqual({
    kind: 'member',
    platform: 'slack',
    person: { id: 'UANA', name: 'Ana' },
    open: false,
  })
  const secrets = [new URL(back).searchParams.get('code'), ...browser.jar.values(), token]
  for (const secret of secrets) expect(lines.join()).not.toContain(secret)
})

it('takes an answer of the platform once, in the browser that began, from its own client (S25)', async () => {
  const { url, listed } = await open()
  const { authorizations } = slack.state
  const victim = browserAt(url)
  const mine = browserAt(url)
  const begun = await mine.visit('/sign-in/slack')
  const back = authorizations.agree(begun.to, 'UANA')
  // Somebody else's link, with the attacker's code: it opens nothing in another browser, whether that began something or not.
  expect((await victim.visit(back)).status).toBe(400)
  await victim.visit('/sign-in/slack')
  const foreign = await victim.visit(back)
  expect(foreign).toMatchObject({ status: 400 })
  expect(foreign.text).toContain('This sign-in was started in another browser')
  expect(await listed(victim.headers())).toBe(401)
  const cookies = new Map(mine.jar)
  expect((await mine.visit(back)).status).toBe(303)
  for (const [name, value] of cookies) mine.jar.set(name, value)
  expect((await mine.visit(back)).status, 'the same once more').toBe(400)

  // A code that was given for another address, or another sign-in, is worth nothing.
  const swapped = browserAt(url)
  const { to } = await swapped.visit('/sign-in/slack')
  const state = new URL(to).searchParams.get('state') ?? ''
  const code = new URL(authorizations.agree(begun.to, 'UANA')).searchParams.get('code') ?? ''
  const injected = await swapped.visit(
    `/sign-in/slack/back?${new URLSearchParams({ state, code })}`,
  )
  expect(injected, 'its nonce is another’s').toMatchObject({ status: 502 })
  expect(await listed(swapped.headers())).toBe(401)
  expect((await browserAt(url).visit('/sign-in/nobody')).status).toBe(404)
})

it('says what went wrong in a sentence, and where to go on (S25)', async () => {
  const { url } = await open()
  const { authorizations } = slack.state
  const come = async (user: string | null, meanwhile = () => {}) => {
    const browser = browserAt(url)
    const { to } = await browser.visit('/sign-in/slack')
    const back = authorizations.agree(to, user)
    meanwhile()
    return await browser.visit(back)
  }
  const refused = await come(null)
  expect(refused.text).toContain('You did not allow the sign-in.')
  expect(refused.text).toContain('Sign in with Slack')
  const broken = await come('UANA', () => slack.fail('openid.connect.token', '500_before'))
  expect(broken).toMatchObject({ status: 502 })
  expect(broken.text).toContain('The sign-in did not work')
  slack.state.users.set('UXENA', {
    id: 'UXENA',
    name: 'Xena',
    locale: 'en-US',
    tz: 'Etc/UTC',
    team: 'T9',
  })
  const stranger = await come('UXENA')
  expect(stranger).toMatchObject({ status: 403 })
  expect(stranger.text).toContain('Clew is not in any of your workspaces or servers.')
})

it.each([
  ['a guest', { is_restricted: true }],
  ['a guest of one channel', { is_ultra_restricted: true }],
  ['a stranger', { is_stranger: true }],
])(
  'does not sign in %s, nor anybody of whom Slack does not tell who they are (S35, S38)',
  async (_, flags) => {
    const { url } = await open()
    const come = async (user: string) => {
      const browser = browserAt(url)
      const { to } = await browser.visit('/sign-in/slack')
      return await browser.visit(slack.state.authorizations.agree(to, user))
    }
    const guest = { id: 'UGUEST', name: 'Guest', locale: 'en-US', tz: 'Etc/UTC', ...flags }
    slack.state.users.set(guest.id, guest)
    expect(await come('UGUEST')).toMatchObject({ status: 403 })
    slack.fail('users.info', 'not_json')
    expect(await come('UANA')).toMatchObject({ status: 502 })
    expect(await come('UANA')).toMatchObject({ status: 303, to: '/' })
  },
)

/** Before the next beat of the stream, by which it would end at the latest. */
const soon = (ended: Promise<void>): Promise<string> =>
  Promise.race([ended.then(() => 'ended'), setTimeout(9_000, 'still open', { ref: false })])

it('ends a session on the server, here or everywhere, with the streams that it has open (S27)', async () => {
  const { url, listed } = await open()
  const [one, two] = [
    await signInWithSlack(url, slack, 'UANA'),
    await signInWithSlack(url, slack, 'UANA'),
  ]
  const ben = await signInWithSlack(url, slack, 'UBEN')
  const kept = one.headers()
  const tab = await listenTo(url, '', kept)
  await one.visit('/sign-out', 'POST', {})
  expect(await soon(tab.ended)).toBe('ended')
  expect(one.jar.size).toBe(0)
  expect(await listed(kept), 'the cookie alone opens nothing').toBe(401)
  expect(await listed(two.headers())).toBe(200)
  const three = await signInWithSlack(url, slack, 'UANA')
  const other = await listenTo(url, '', two.headers())
  await three.visit('/sign-out', 'POST', { everywhere: '1' })
  expect(await soon(other.ended)).toBe('ended')
  expect(await listed(two.headers())).toBe(401)
  expect(await listed(ben.headers())).toBe(200)
})

it('keeps cookies to TLS behind more than one proxy, too (S27)', async () => {
  const { url } = await open()
  const begun = async (proto: string) => {
    const answer = await fetch(`${url}/sign-in/slack`, {
      redirect: 'manual',
      headers: { 'x-forwarded-proto': proto },
    })
    return answer.headers.getSetCookie()[0] ?? ''
  }
  for (const proto of ['https', 'https, http', 'HTTPS,https'])
    expect(await begun(proto), proto).toMatch(/^__Host-clew_sign_in=.*; Secure/)
  expect(await begun('http, https')).toMatch(/^clew_sign_in=/)
})

it('signs out at once, with the streams that are open, whose traces an admin erases, by whichever way (S31, C118)', async () => {
  const admin = 'an-admin-token-of-24-signs'
  const { url, listed } = await open({ ADMIN_TOKEN: admin, ADMIN_USERS: 'UBEN' })
  const ben = await signInWithSlack(url, slack, 'UBEN')
  const byApi = () =>
    ask(`${url}/api/privacy/UANA?workspace=slack:T1`, 'DELETE', undefined, {
      authorization: `Bearer ${admin}`,
    })
  const byCommand = async () => void slack.people.mention('C1', 'UBEN', '/privacy erase UANA --yes')
  slack.people.mention('C1', 'UANA', 'Hello')
  for (const erase of [byApi, byCommand]) {
    const ana = await signInWithSlack(url, slack, 'UANA')
    const tab = await listenTo(url, '', ana.headers())
    expect(await listed(ana.headers())).toBe(200)
    await erase()
    expect(await soon(tab.ended)).toBe('ended')
    expect(await listed(ana.headers())).toBe(401)
    expect(await listed(ben.headers())).toBe(200)
  }
})

it('opens the stream of who signed in again where the one before was cut by signing out everywhere (S27)', async () => {
  const { url } = await open()
  const before = await signInWithSlack(url, slack, 'UANA')
  const cut = await listenTo(url, '', before.headers())
  const { id } = await cut.next(({ event }) => event === 'ready')
  await before.visit('/sign-out', 'POST', { everywhere: '1' })
  expect(await soon(cut.ended)).toBe('ended')
  const again = await signInWithSlack(url, slack, 'UANA')
  const tab = await listenTo(url, `?after=${id}`, again.headers())
  await ask(
    `${url}/api/conversations`,
    'POST',
    { text: 'Hello', clientMessageId: 'm1' },
    again.headers(),
  )
  const told = tab.next(({ event }) => event === 'changed').then(({ event }) => event)
  expect(await Promise.race([told, tab.ended.then(() => 'ended')])).toBe('changed')
  tab.close()
})

it('gives a browser another session each time, and an operator one that a new token ends (S27)', async () => {
  const { url, listed } = await open()
  const browser = browserAt(url)
  await browser.visit('/sign-in', 'POST', { token })
  const first = browser.headers()
  expect(await listed(first)).toBe(200)
  expect((await get(url, '/api/session', first)).body).toEqual({
    kind: 'operator',
    platform: null,
    person: null,
    open: false,
  })
  await browser.visit('/sign-in', 'POST', { token })
  expect(await listed(browser.headers())).toBe(200)
  expect(await listed(first), 'the one before is over').toBe(401)
  expect(await listed(operator)).toBe(200)
})

it('counts what two members use on the page each against a channel of their own (C263, S8)', async () => {
  slack = await startFakeSlack({ minuteMs: null })
  const model = createFakeModel()
  model.answer(({ contract }) => (contract === 'decision' ? decides.reply('At noon.') : null))
  // One answer of the scripted model takes 120.
  const { url } = await start(
    { ...slackSettings(slack), AGENT_CHANNEL_TOKENS_PER_DAY: '100' },
    { model },
  )
  const said = async (user: string, clientMessageId: string) => {
    const headers = (await signInWithSlack(url, slack, user)).headers()
    const { body } = await ask(
      `${url}/api/conversations`,
      'POST',
      { text: 'Lunch?', clientMessageId },
      headers,
    )
    const words = async () => {
      const shown = (await get(url, `/api/conversations/${(body as { id: string }).id}`, headers))
        .body
      return (shown as { messages: { text: string }[] }).messages[1]?.text ?? ''
    }
    await expect.poll(words, { timeout: 10_000 }).not.toBe('')
    return await words()
  }
  expect(await said('UANA', 'm1')).toBe('At noon.')
  expect(await said('UANA', 'm2')).toContain('This channel')
  expect(await said('UBEN', 'm3')).toBe('At noon.')
})

it('shows and does nothing on the page that Clew would not do in the channel (C26, S29)', async () => {
  const first = await open()
  const of = async (url: string, user: string) =>
    (await signInWithSlack(url, slack, user)).headers()
  const ana = await of(first.url, 'UANA')
  slack.people.mention('C1', 'UANA', 'Hello from C1')
  slack.people.mention('C2', 'UANA', 'Hello from C2')
  const titles = async (url: string, headers: Record<string, string>) => {
    const { body } = await get(url, '/api/conversations', headers)
    return (body as { conversations: { title: string }[] }).conversations
      .map(({ title }) => title.slice(-2))
      .toSorted()
  }
  await expect.poll(() => titles(first.url, ana)).toEqual(['C1', 'C2'])
  const path = await pathOf(first.url, ana, 'C1')
  await first.clew.stop()

  // Who is not on the list does not come in, and does not stay.
  const named = await start({ ...first.env, ALLOWED_USERS: 'UBEN' })
  expect((await get(named.url, '/api/conversations', ana)).status).toBe(401)
  const browser = browserAt(named.url)
  const { to } = await browser.visit('/sign-in/slack')
  const refused = await browser.visit(slack.state.authorizations.agree(to, 'UANA'))
  expect(refused).toMatchObject({ status: 403 })
  expect(refused.text).toContain(
    'You are not on the list of people who can use Clew. An admin can add you.',
  )
  expect(browser.jar.size).toBe(0)
  const ben = await of(named.url, 'UBEN')
  expect(await titles(named.url, ben)).toEqual(['C1', 'C2'])
  await named.clew.stop()

  // Of a channel in which Clew does not work, its threads are not there, and nothing is done outside of those in which it does.
  const placed = await start({ ...first.env, ALLOWED_CHANNELS: 'C2' })
  const again = await of(placed.url, 'UANA')
  expect(await titles(placed.url, again)).toEqual(['C2'])
  expect(await get(placed.url, path, again)).toMatchObject({ status: 404 })
  expect((await get(placed.url, await pathOf(placed.url, again, 'C2'), again)).status).toBe(200)
  const asked = [
    ['POST', '/api/conversations', { text: 'Hello', clientMessageId: 'm1' }],
    ['POST', '/api/conversations', {}],
    ['POST', '/api/todos', { text: 'prune the trees' }],
    ['POST', '/api/schedules', { text: 'tomorrow 9:00 water the trees' }],
    ['POST', '/api/memory', { text: '--scope me I like pears' }],
    ['PUT', `/api/uploads/${'0'.repeat(32)}?name=trees.json`, {}],
  ] as const
  for (const [method, at, body] of asked) {
    const answer = await ask(placed.url + at, method, body, again)
    expect({ at, ...answer }).toMatchObject({
      at,
      status: 403,
      body: { error: { code: 'not_allowed' } },
    })
  }
}, 60_000)

async function pathOf(
  url: string,
  headers: Record<string, string>,
  channel: string,
): Promise<string> {
  const { body } = await get(url, '/api/conversations', headers)
  const { conversations } = body as {
    conversations: { id: string; workspace: string; title: string }[]
  }
  const one = conversations.find(({ title }) => title.includes(channel))
  return `/api/conversations/${one?.id}?workspace=${one?.workspace}`
}
