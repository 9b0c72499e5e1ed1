import { afterEach, expect, it } from 'vitest'
import { asks, createFakeModel, decides, plans } from '../../fakes/model.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { listenTo } from './event-stream.ts'
import { get, operator, signInWithSlack, slackSettings } from './members-support.ts'
import { ask } from './support.ts'

/*
 * Two members, two channels, a member who is in none of them, somebody who is not signed in, and the operator: every route is tried by
 * each of them, for what is Ana's channel's and for what is Ana's own on the page. A route that is not in this table fails the test.
 */

const start = useWholeClew()
const identities = ['ana', 'ben', 'stranger', 'nobody', 'operator'] as const
type Identity = (typeof identities)[number]
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What there is of one channel or person. */
interface Things {
  workspace: string
  conversation: string
  run: string
  question: string
}
const nothing: Omit<Things, 'workspace'> = { conversation: 'c_0', run: 'r_0', question: 'q_0' }

let slack: FakeSlack
let url: string
const headers = new Map<Identity, Record<string, string>>()
/** In channel C1, where Ana is and Ben is not; and in Ana's thread of the page. */
let inChannel: Things
let onPage: Things

const of = async <T>(identity: Identity, path: string) =>
  (await get(url, path, headers.get(identity) ?? {})).body as T
interface Lines {
  conversations: { id: string; workspace: string; title: string }[]
}
interface Needs {
  total: number
  needs: { conversationId: string; workspace: string; runId: string; question: { id: string } }[]
}

async function open() {
  slack = await startFakeSlack({ minuteMs: null })
  for (const [channel, user] of [
    ['C1', 'UBEN'],
    ['C2', 'UANA'],
  ] as const)
    slack.state.channels.get(channel)?.members.delete(user)
  for (const { members } of slack.state.channels.values()) members.delete('UWEI')
  const model = createFakeModel()
  model.answer(({ contract }) =>
    contract === 'decision'
      ? decides.run('Book the orchard', 'Book the orchard')
      : contract === 'plan'
        ? plans('Choose')
        : contract === 'thought'
          ? asks('Which orchard?', ['North', 'South'])
          : null,
  )
  const started = await start(slackSettings(slack), { model })
  url = started.url
  headers.set('operator', operator)
  headers.set('nobody', {})
  const users = { ana: 'UANA', ben: 'UBEN', stranger: 'UWEI' } as const
  for (const [identity, user] of Object.entries(users) as ['ana' | 'ben' | 'stranger', string][])
    headers.set(identity, (await signInWithSlack(url, slack, user)).headers())
  slack.people.mention('C1', 'UANA', 'Book the orchard of C1')
  slack.people.mention('C2', 'UBEN', 'Book the orchard of C2')
  slack.people.direct('UANA', 'Book the orchard, just me')
  const body = { text: 'Book the orchard on the page', clientMessageId: 'x1' }
  expect((await ask(`${url}/api/conversations`, 'POST', body, headers.get('ana'))).status).toBe(202)
  await expect
    .poll(() => of<Needs>('operator', '/api/needs-you'), { timeout: 20_000 })
    .toMatchObject({ total: 4 })
}

async function find(): Promise<void> {
  const { conversations } = await of<Lines>('operator', '/api/conversations')
  const { needs } = await of<Needs>('operator', '/api/needs-you')
  const thingsOf = (title: string): Things => {
    const line = conversations.find((one) => one.title.includes(title))
    const need = needs.find(({ conversationId }) => conversationId === line?.id)
    if (line === undefined || need === undefined) throw new Error(`there is no ${title}`)
    return {
      workspace: line.workspace,
      conversation: line.id,
      run: need.runId,
      question: need.question.id,
    }
  }
  inChannel = thingsOf('C1')
  onPage = thingsOf('on the page')
}

/**
 * A request for what is Ana's. `own`: where a member does not name it, it is of those who ask. `seen`: the statuses of Ana for her channel's
 * and for her own. Lists have `hides`: what nobody else may find in them.
 */
type Row =
  | {
      kind: 'thing'
      path: (things: Things) => string
      body?: unknown | ((things: Things) => unknown)
      channel: number
      page: number
    }
  | { kind: 'list'; path: string }
  | { kind: 'own'; path: string; body?: unknown; status: number }
  | { kind: 'operators'; path: string; body?: unknown }
  | { kind: 'all'; path: string }
const thing = (
  path: (things: Things) => string,
  channel: number,
  page = channel,
  body?: unknown,
): Row => ({
  ...{ kind: 'thing' as const, path, channel, page },
  ...(body === undefined ? {} : { body }),
})
const at = (path: string) => (things: Things) => `${path}?workspace=${things.workspace}`
const conversation =
  (rest = '') =>
  (things: Things) =>
    at(`/api/conversations/${things.conversation}${rest}`)(things)
const run =
  (rest = '') =>
  (things: Things) =>
    at(`/api/runs/${things.run}${rest}`)(things)
const own = (path: string, status: number, body?: unknown): Row => ({
  ...{ kind: 'own' as const, path, status },
  ...(body === undefined ? {} : { body }),
})
const line = { text: 'tomorrow 9:00 water the trees', clientMessageId: 'y1' }

/** In the order in which they are tried: what ends something stands last. */
const table: Record<string, Row> = {
  'get /healthz': { kind: 'all', path: '/healthz' },
  'get /readyz': { kind: 'all', path: '/readyz' },
  'post /hooks/{name}': { kind: 'all', path: '/hooks/none' },
  'get /api/session': own('/api/session', 200),
  'get /api/commands': own('/api/commands', 200),
  'get /api/conversations': { kind: 'list', path: '/api/conversations' },
  'get /api/needs-you': { kind: 'list', path: '/api/needs-you' },
  'get /api/runs': { kind: 'list', path: '/api/runs' },
  'get /api/memory': { kind: 'list', path: '/api/memory' },
  'get /api/todos': { kind: 'list', path: '/api/todos' },
  'get /api/schedules': { kind: 'list', path: '/api/schedules' },
  'get /api/calendar': {
    kind: 'list',
    path: `/api/calendar?from=${Date.now()}&to=${Date.now() + 86_400_000}`,
  },
  'get /api/figures': { kind: 'operators', path: '/api/figures' },
  'get /api/figures.csv': { kind: 'operators', path: '/api/figures.csv' },
  'get /api/health': { kind: 'operators', path: '/api/health' },
  'post /api/deliveries/{id}/again': {
    kind: 'operators',
    path: '/api/deliveries/d_1/again',
    body: {},
  },
  'get /api/feedback': { kind: 'operators', path: '/api/feedback' },
  'get /api/forecasts': { kind: 'operators', path: '/api/forecasts' },
  'get /api/audit': { kind: 'operators', path: '/api/audit' },
  'get /api/audit/lines': { kind: 'operators', path: '/api/audit/lines' },
  'get /api/setup': { kind: 'operators', path: '/api/setup' },
  'post /api/setup/check': { kind: 'operators', path: '/api/setup/check' },
  'get /api/setup/form': { kind: 'operators', path: '/api/setup/form' },
  'post /api/setup/form/{part}': {
    kind: 'operators',
    path: '/api/setup/form/model',
    body: { values: {} },
  },
  'post /api/setup/restart': { kind: 'operators', path: '/api/setup/restart' },
  'get /api/setup/sign-ins': { kind: 'operators', path: '/api/setup/sign-ins' },
  'post /api/setup/sign-ins/{server}': { kind: 'operators', path: '/api/setup/sign-ins/desk' },
  'delete /api/setup/sign-ins/{server}': { kind: 'operators', path: '/api/setup/sign-ins/desk' },
  'get /api/manual': own('/api/manual', 200),
  'get /api/manual/{name}': own('/api/manual/slack', 200),
  'get /api/times': own('/api/times?text=at%204', 200),
  'get /api/privacy/{person}': { kind: 'operators', path: '/api/privacy/UANA' },
  'delete /api/privacy/{person}': { kind: 'operators', path: '/api/privacy/UNOBODY' },
  'post /api/runs': {
    kind: 'operators',
    path: '/api/runs',
    body: { requestId: 'z', input: { goal: 'x' } },
  },
  'get /api/conversations/{id}': thing(conversation(), 200),
  'get /api/conversations/{id}/contents': thing(conversation('/contents'), 403, 200),
  'get /api/conversations/{id}/files/{name}': thing(conversation('/files/nothing.txt'), 404),
  'put /api/uploads/{id}': own(`/api/uploads/${'a'.repeat(32)}?name=a.json`, 200, {}),
  'get /api/uploads/{id}': thing(at(`/api/uploads/${'b'.repeat(32)}`), 404),
  'post /api/conversations/{id}/read': thing(conversation('/read'), 200),
  'patch /api/conversations/{id}': thing(conversation(), 403, 200, { pinned: true }),
  'get /api/runs/{id}': thing(run(), 200),
  'get /api/runs/{id}/trace': thing(run('/trace'), 200),
  'get /api/runs/{id}/history': thing(run('/history'), 200),
  'get /api/runs/{id}/plan.json': thing(run('/plan.json'), 404, 200),
  'post /api/runs/{id}/plan': thing(run('/plan'), 202, 202, {
    seen: ['Choose'],
    steps: ['Choose well'],
  }),
  'post /api/runs/{id}/feedback': thing(run('/feedback'), 202, 202, { good: true }),
  'post /api/runs/{id}/keep_test': thing(run('/keep_test'), 202, 202, { right: 'says: it' }),
  'post /api/runs/{id}/again': thing(run('/again'), 409, 409, {}),
  'post /api/runs/{id}/retry': thing(run('/retry'), 409, 409, {}),
  'post /api/runs/{id}/continue': thing(run('/continue'), 409, 409, {}),
  'delete /api/conversations/{id}': thing(conversation(), 403, 409),
  'post /api/questions/{id}/answer': thing(
    (things) => at(`/api/questions/${things.question}/answer`)(things),
    202,
    202,
    {
      choice: 'North',
    },
  ),
  'post /api/conversations/{id}/messages': thing(
    ({ conversation: id }) => `/api/conversations/${id}/messages`,
    404,
    202,
    { text: 'And soon', clientMessageId: 'm2' },
  ),
  'patch /api/conversations/{id}/messages/{clientMessageId}': thing(
    ({ conversation: id }) => `/api/conversations/${id}/messages/m2`,
    404,
    202,
    { text: 'And later', clientMessageId: 'e1' },
  ),
  'delete /api/conversations/{id}/messages/{clientMessageId}': thing(
    ({ conversation: id }) => `/api/conversations/${id}/messages/m2`,
    404,
    202,
  ),
  'post /api/runs/{id}/cancel': thing(run('/cancel'), 202, 202, {}),
  'post /api/conversations': own('/api/conversations', 201, {}),
  'post /api/todos': own('/api/todos', 201, { text: 'prune', clientMessageId: 't1' }),
  'patch /api/todos/{id}': own('/api/todos/1', 200, { done: true }),
  'delete /api/todos/{id}': own('/api/todos/1', 200),
  'post /api/schedules': own('/api/schedules', 201, line),
  'patch /api/schedules/{id}': own('/api/schedules/1', 200, { paused: true }),
  'get /api/schedules/{id}/slots': own('/api/schedules/1/slots', 200),
  'post /api/schedules/{id}/dry': own('/api/schedules/1/dry', 200, {}),
  'post /api/schedules/{id}/run': own('/api/schedules/1/run', 202, {}),
  'delete /api/schedules/{id}': own('/api/schedules/1', 200),
  'post /api/memory': own('/api/memory', 201, { text: '--scope me I like pears' }),
  'patch /api/memory/{name}': own('/api/memory/me-1', 200, { text: 'I like plums' }),
  'get /api/memory/{name}/history': own('/api/memory/me-1/history', 200),
  'get /api/events': { kind: 'all', path: '/api/events' },
}
for (const verb of ['accept', 'reject', 'forget', 'archive', 'restore'])
  table[`post /api/memory/{name}/${verb}`] = thing(
    ({ workspace }) => `/api/memory/thread-9/${verb}?workspace=${workspace}`,
    200,
    200,
    ({ conversation: conversationId }: Things) => ({ conversationId }),
  )

async function answer(identity: Identity, name: string, path: string, body?: unknown) {
  const method = name.split(' ')[0]?.toUpperCase() as Method
  const { status, body: said } = await ask(
    url + path,
    method,
    method === 'GET' ? undefined : body,
    headers.get(identity),
  )
  return { status, said: JSON.stringify(said) }
}
const others = ['ben', 'stranger'] as const
const members = ['ana', ...others] as const
const notSignedIn = (said: string) =>
  expect(JSON.parse(said)).toMatchObject({ error: { code: 'not_signed_in' } })

afterEach(() => slack.stop())

it('shows every route of the API to each as much as they may see, and all else as if it were not there (S24, S26, C239, C240)', async () => {
  await open()
  await find()
  const { paths } = await of<{ paths: Record<string, object> }>('ana', '/api/openapi.json')
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((one) => `${one} ${path}`),
  )
  expect(routes.toSorted(), 'every route is in the table').toEqual(Object.keys(table).toSorted())
  expect(onPage.workspace).toBe('web:dm')
  const tab = await listenTo(url, '', headers.get('ben'))
  for (const [name, row] of Object.entries(table)) await tryRow(name, row)
  await lookAround()

  // What was done was done by Ana, under her own name.
  const { answered, pinned } = await of<{ answered: { author: object }[]; pinned: boolean }>(
    'operator',
    conversation()(inChannel),
  )
  expect({ answered, pinned }).toMatchObject({
    answered: [{ author: { id: 'UANA', name: 'Ana' } }],
    pinned: false,
  })
  const { needs } = await of<Needs>('ben', '/api/needs-you')
  const path = `/api/questions/${needs[0]?.question.id}/answer?workspace=slack:T1`
  expect(await answer('ben', 'post', path, { choice: 'South' })).toMatchObject({ status: 202 })
  await tab.next(
    ({ event, data }) => event === 'news' && data.conversationId === needs[0]?.conversationId,
  )
  const heard = JSON.stringify(tab.heard)
  for (const { conversation: id, run: runId } of [inChannel, onPage]) {
    expect(heard).not.toContain(id)
    expect(heard).not.toContain(runId)
  }
  tab.close()

  // Who reads the log from its beginning hears no more of others than who was there.
  const before = await listenTo(url, '?after=0-0', headers.get('stranger'))
  await ask(
    `${url}/api/conversations`,
    'POST',
    { text: 'Hello', clientMessageId: 'w1' },
    headers.get('stranger'),
  )
  const { data } = await before.next(({ event }) => event === 'changed')
  const lines = (await of<Lines>('stranger', '/api/conversations')).conversations
  expect(lines.map(({ id }) => id)).toContain(data.conversationId)
  for (const { id } of (await of<Lines>('operator', '/api/conversations')).conversations)
    if (!lines.some((line) => line.id === id))
      expect(JSON.stringify(before.heard)).not.toContain(id)
  before.close()
}, 60_000)

async function tryRow(name: string, row: Row): Promise<void> {
  const [, path = ''] = name.split(' ')
  if (path.startsWith('/api/')) {
    const at = row.kind === 'thing' ? row.path(inChannel) : row.path
    const { status, said } = await answer('nobody', name, at, row.kind === 'thing' ? {} : undefined)
    expect({ name, status }).toEqual({ name, status: 401 })
    notSignedIn(said)
  }
  switch (row.kind) {
    case 'thing':
      for (const [things, status] of [
        [inChannel, row.channel],
        [onPage, row.page],
      ] as const)
        await tryThing(name, row, things, status)
      return
    case 'own':
      for (const identity of others)
        if (row.path.includes('1')) {
          const elsewhere = row.path.replace('1', '77')
          const unknown = await answer(identity, name, elsewhere, row.body)
          expect({ name, ...(await answer(identity, name, row.path, row.body)) }).toEqual({
            name,
            ...unknown,
          })
          expect(unknown.status).toBe(404)
        }
      expect({ name, ...(await answer('ana', name, row.path, row.body)) }).toMatchObject({
        name,
        status: row.status,
      })
      return
    case 'operators':
      for (const identity of members) {
        const unknown = await answer(identity, 'get', '/api/nothing-of-the-kind')
        expect({ name, ...(await answer(identity, name, row.path, row.body)) }).toEqual({
          name,
          ...unknown,
        })
      }
      return
    case 'list':
      for (const identity of others) {
        const { status, said } = await answer(identity, name, row.path)
        expect({ name, status }).toEqual({ name, status: 200 })
        for (const id of [...Object.values(inChannel), ...Object.values(onPage)])
          if (id !== inChannel.workspace && id !== onPage.workspace)
            expect({ name, said }).not.toContain(id)
      }
      expect((await answer('ana', name, row.path)).status).toBe(200)
      return
    case 'all':
      if (path === '/api/events') return
      for (const identity of members)
        expect(await answer(identity, name, row.path)).toEqual(
          await answer('nobody', name, row.path),
        )
  }
}

async function tryThing(
  name: string,
  row: Extract<Row, { kind: 'thing' }>,
  things: Things,
  status: number,
) {
  const request = (identity: Identity, of: Things) =>
    answer(identity, name, row.path(of), typeof row.body === 'function' ? row.body(of) : row.body)
  for (const identity of others) {
    const unknown = await request(identity, { ...nothing, workspace: things.workspace })
    expect({ name, identity, ...(await request(identity, things)) }).toEqual({
      name,
      identity,
      ...unknown,
    })
    expect({ name, status: unknown.status }).toEqual({ name, status: 404 })
  }
  expect({ name, ...(await request('ana', things)) }).toMatchObject({ name, status })
}

/** What counts, finds and measures. */
async function lookAround(): Promise<void> {
  const found = async (identity: Identity) =>
    (await of<Lines>(identity, '/api/conversations?q=book%20orchard')).conversations
      .map(({ title }) => title)
      .toSorted()
  const expected = {
    ana: ['Book the orchard of C1', 'Book the orchard on the page', 'Book the orchard, just me'],
    ben: ['Book the orchard of C2'],
    stranger: [],
  }
  for (const identity of members) {
    expect({ identity, found: await found(identity) }).toEqual({
      identity,
      found: expected[identity],
    })
    const unknown = await answer(identity, 'get', '/nothing')
    expect(await answer(identity, 'get', '/metrics')).toEqual(unknown)
    const elsewhere = await answer(
      identity,
      'get',
      `/api/conversations/${onPage.conversation}?workspace=web:local`,
    )
    expect(elsewhere).toEqual(
      await answer(identity, 'get', `/api/conversations/c?workspace=slack:T7`),
    )
  }
  expect(await found('operator')).toHaveLength(4)
}
