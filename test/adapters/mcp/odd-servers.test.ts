import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTeam } from '../../../src/compose/team.ts'
import { readConfig } from '../../../src/config.ts'
import { createFastClock } from '../../soak/clock.ts'
import { silent } from '../../support/silent.ts'
import { context, until, useBench } from './support.ts'

const open = useBench()

interface Habit {
  /** Members of the answer to a request; undefined where the usual one is sent. */
  answer?(method: string, params: Record<string, unknown>): object | undefined
  /** Refuses every request with this status. */
  status?(): number | null
  isStream?: boolean
  /** Writes the answer to a request by hand; false: the usual one is sent. */
  write?(method: string, response: ServerResponse, message: string): boolean
  /** Has sessions, as servers have that keep something between calls. */
  hasSessions?: boolean
}

const good = { name: 'good', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }

/** A server over HTTP that writes its messages by hand. */
async function serve(habit: Habit) {
  const asked: string[] = []
  const web = createServer(async (request, response) => {
    const { id, method = '', params = {} } = JSON.parse((await text(request)) || '{}')
    asked.push(method)
    const status = habit.status?.() ?? null
    if (status !== null) return void response.writeHead(status).end('no')
    if (id === undefined) return void response.writeHead(request.method === 'GET' ? 405 : 202).end()
    const usual: Record<string, object> = {
      initialize: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: {} },
      'tools/list': { tools: [good] },
      'tools/call': { content: [{ type: 'text', text: 'fine 42' }] },
    }
    const answer = habit.answer?.(method, params) ?? { result: usual[method] ?? {} }
    const message = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    if (habit.write?.(method, response, message) === true) return
    const type = habit.isStream ? 'text/event-stream' : 'application/json'
    if (habit.hasSessions) response.setHeader('mcp-session-id', `s${asked.length}`)
    response.writeHead(200, { 'content-type': type })
    response.end(habit.isStream ? `event: message\ndata: ${message}\n\n` : message)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void web.close().closeAllConnections())
  await once(web, 'listening')
  return { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`, asked }
}

it('that refuses a ping in any words is alive and is not started again (C369)', async () => {
  const bench = await open()
  const refusals: object[] = [
    { error: { code: -32601, message: 'Method not found' } },
    { error: { code: -32603, message: 'Method not supported: ping' } },
    { error: { code: -32000, message: null } },
    { result: 'pong' },
    { result: { ok: true } },
  ]
  const served = await Promise.all(
    refusals.map((refusal) =>
      serve({ answer: (method) => (method === 'ping' ? refusal : undefined) }),
    ),
  )
  await bench.use(Object.fromEntries(served.map(({ url }, index) => [`s${index}`, { url }])))
  await until(() => served.every(({ asked }) => asked.filter((one) => one === 'ping').length > 1))
  expect(bench.servers.health().map(({ ok }) => ok)).toEqual(refusals.map(() => true))
  for (const { asked } of served)
    expect(asked.filter((method) => method === 'initialize')).toHaveLength(1)
})

it('that writes null for nothing is read, whole and in a stream of events (C365)', async () => {
  const bench = await open()
  const content = [{ type: 'text', text: 'fine 42', annotations: null }]
  const answer = (method: string) =>
    method === 'tools/call'
      ? { result: { content, _meta: null, structuredContent: null }, error: null }
      : undefined
  const [whole, stream] = await Promise.all([serve({ answer }), serve({ answer, isStream: true })])
  await bench.use({ stream: { url: stream.url }, whole: { url: whole.url } })
  for (const tool of bench.servers.tools())
    expect(await tool.run('{}', context())).toEqual({ ok: true, text: 'fine 42' })
  expect(bench.servers.health()).toMatchObject([{ ok: true }, { ok: true }])
})

it('of whose list one page, entry or name is odd keeps the others, and health names it (C365)', async () => {
  const bench = await open()
  const answer = (method: string, { cursor }: Record<string, unknown>) => {
    if (method !== 'tools/list') return
    if (cursor === 'c') return { error: { code: -32602, message: 'Invalid cursor' } }
    if (cursor === 'b')
      return { result: { tools: [good, { ...good, name: 'more' }], nextCursor: 'c' } }
    return { result: { tools: [good, null], nextCursor: 'b' } }
  }
  const [odd, none, loop] = await Promise.all([
    serve({ answer }),
    serve({
      answer: (method) =>
        method === 'tools/list' ? { error: { code: -32601, message: 'no' } } : undefined,
    }),
    serve({
      answer: (method) =>
        method === 'tools/list' ? { result: { tools: [good], nextCursor: 'x' } } : undefined,
    }),
  ])
  await bench.use({ loop: { url: loop.url }, none: { url: none.url }, odd: { url: odd.url } })
  expect(bench.servers.health()).toMatchObject([
    { name: 'loop', ok: true, tools: 1 },
    { name: 'none', ok: true, tools: 0, odd: ['page 1 of its list: no'] },
    {
      ...{ name: 'odd', ok: true, tools: 2 },
      odd: [
        'entry 2 of its list is no tool with a name',
        'page 3 of its list: Invalid cursor',
        'good: is listed twice',
      ],
    },
  ])
  expect(loop.asked.filter((method) => method === 'tools/list')).toHaveLength(2)
})

it('that answers 401 wants a sign-in, for health, the model and who calls its tools (C366)', async () => {
  const bench = await open()
  let isLocked = false
  const { url } = await serve({ status: () => (isLocked ? 401 : null) })
  await bench.use({ remote: { url } })
  const [tool] = bench.servers.tools()
  isLocked = true
  expect(await tool?.run('{}', context())).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^not done: the server "remote" wants a sign-in/),
  })
  expect(bench.servers.health()).toMatchObject([{ ok: false, signIn: true }])
  const file = `${bench.folder}/mcp.json`
  await writeFile(file, `\uFEFF${JSON.stringify({ mcpServers: { remote: { url } } })}`)
  const clock = createFastClock(10)
  onTestFinished(async () => clock.end())
  const config = readConfig({ MCP_CONFIG: file })
  const team = await openTeam(config, { clock, log: silent, env: {} })
  onTestFinished(async () => team?.stop())
  expect(team?.health()).toMatchObject({
    problems: [],
    servers: [{ name: 'remote', ok: false, signIn: true, detail: 'it wants a sign-in (401)' }],
  })
  expect(team?.words().signIns).toEqual(['remote'])
  isLocked = false
  await until(() => team?.health().servers[0]?.ok === true)
  expect(team?.words().signIns).toBeUndefined()
})

/** A server whose first call is answered so, and every other as usual. */
async function answeredOnce(
  write: (response: ServerResponse, message: string) => void,
  hasSessions = false,
) {
  const bench = await open()
  let calls = 0
  const served = await serve({
    hasSessions,
    write(method, response, message) {
      if (method !== 'tools/call' || calls++ > 0) return false
      write(response, message)
      return true
    },
  })
  await bench.use({ desk: { url: served.url } })
  const [tool] = bench.servers.tools()
  const result = await tool?.run('{}', context())
  const starts = () => served.asked.filter((method) => method === 'initialize').length
  return { result, bench, starts }
}

const json =
  (status: number, body: unknown, type = 'application/json') =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': type })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
const events =
  (...written: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of written) response.write(one)
    response.end()
  }
const rpc = (message: string, code = -32000) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
})

describe('a call', () => {
  it.each([
    ['404', json(404, rpc('Not Found'))],
    ['400 in words', json(400, rpc('Bad Request: No valid session ID provided'))],
    ['503 in words', json(503, 'unknown session', 'text/plain')],
    ['500 in words', json(500, rpc('Session not found'))],
  ])('is made again in a new session where the old one is over: %s (C971)', async (_, write) => {
    const { result, bench, starts } = await answeredOnce(write, true)
    expect(result).toEqual({ ok: true, text: 'fine 42' })
    expect(starts()).toBe(2)
    expect(bench.servers.health()).toMatchObject([{ ok: true }])
  })

  it('is not made again where its session ended in the middle of it (C971)', async () => {
    const { result, starts } = await answeredOnce(json(500, rpc('session terminated')), true)
    expect(result).toMatchObject({ ok: false })
    expect(starts()).toBe(1)
  })

  it.each([
    [400, rpc('repo is required', -32602), '400 repo is required'],
    [403, { message: 'not in your plan' }, '403 not in your plan'],
    [404, 'no such route', '404 no such route'],
    [413, '<html><h1>Too Large</h1></html>', '413'],
    [429, { error: 'Too many requests' }, '429 Too many requests'],
    [500, rpc('database is locked'), '500 database is locked'],
  ])(
    'that is refused by a status is not done, and the server stays: %i %j (C972)',
    async (status, body, words) => {
      const { result, starts } = await answeredOnce(json(status, body))
      expect(result).toEqual({
        ok: false,
        text: `not done: the server "desk" refused it: ${words}`,
      })
      expect(starts()).toBe(1)
    },
  )

  it.each([
    [
      'text',
      (response: ServerResponse, message: string) => json(200, message, 'text/plain')(response),
    ],
    ['nothing', (response: ServerResponse, message: string) => void response.end(message)],
    [
      'a stream without its last line',
      (response: ServerResponse, message: string) => events(`data: ${message}`)(response),
    ],
  ])('is answered by JSON that is called %s (C972)', async (_, write) => {
    const { result } = await answeredOnce(write)
    expect(result).toEqual({ ok: true, text: 'fine 42' })
  })

  it.each([
    ['whole', json(200, rpc('boom'))],
    ['bare', json(200, { error: 'boom' })],
    ['in a stream', events(`data: ${JSON.stringify(rpc('boom'))}\n\n`)],
    ['bare in a stream', events('event: message\ndata: {"error":"boom"}\n\n')],
  ])('fails by an error that does not say whose it is: %s (C972)', async (_, write) => {
    const { result } = await answeredOnce(write)
    expect(result).toEqual({ ok: false, text: 'boom' })
  })

  it.each([
    ['ends', events(': hello\n\n')],
    [
      'breaks off',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('is not waited for when its stream %s without an answer (C972)', async (_, write) => {
    const { result } = await answeredOnce(write)
    expect(result).toMatchObject({ ok: false, unknown: true })
  })

  it.each(['json', 'event-stream'])('may take longer than fetch waits: %s (C973)', async (kind) => {
    const before = getGlobalDispatcher()
    setGlobalDispatcher(new Agent({ headersTimeout: 1, bodyTimeout: 1 }))
    onTestFinished(() => setGlobalDispatcher(before))
    const { result } = await answeredOnce((response, message) => {
      const isStream = kind === 'event-stream'
      if (isStream)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      else response.setHeader('content-type', 'application/json')
      setTimeout(() => response.end(isStream ? `data: ${message}\n\n` : message), 2_000)
    })
    expect(result).toEqual({ ok: true, text: 'fine 42' })
  })
})

const refusing = (version: string, answer: object) =>
  serve({
    answer: (method, { protocolVersion }) =>
      method === 'initialize' && protocolVersion !== version ? answer : undefined,
  })

describe('a server is spoken with as it can (C993)', () => {
  it.each<[string, object]>([
    ['2025-06-18', { message: 'Unsupported', data: { supported: ['2024-11-05', '2025-06-18'] } }],
    ['2025-03-26', { message: 'no', data: { expected: '2025-03-26' } }],
    ['2024-11-05', { message: 'no' }],
  ])('where it knows %s and refuses the newest by %j', async (version, error) => {
    const bench = await open()
    const words = { ...error, message: 'Unsupported protocol version', code: -32602 }
    const { url } = await refusing(version, { error: words })
    await bench.use({ desk: { url } })
    expect(await bench.servers.tools()[0]?.run('{}', context())).toMatchObject({ ok: true })
  })

  it('where it refuses the newest by a status', async () => {
    const bench = await open()
    let greetings = 0
    const { url } = await serve({
      write(method, response) {
        if (method !== 'initialize' || greetings++ > 0) return false
        response.writeHead(400).end('Unsupported protocol version (supported: 2025-06-18)')
        return true
      },
    })
    await bench.use({ desk: { url } })
    expect(bench.servers.health()).toMatchObject([{ ok: true }])
  })

  it('where it has the transport of old', async () => {
    const bench = await open()
    let stream: ServerResponse | undefined
    const web = createServer(async (request, response) => {
      if (request.method === 'GET') {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void response.write('event: endpoint\ndata: /messages\n\n')
      }
      if (request.url !== '/messages') return void response.writeHead(405).end()
      const { id, method, params } = JSON.parse(await text(request))
      response.writeHead(202).end()
      const greeting = { ...params, serverInfo: {} }
      const result = method === 'initialize' ? greeting : { tools: [good] }
      if (id !== undefined)
        stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void web.close().closeAllConnections())
    await once(web, 'listening')
    await bench.use({
      desk: { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp` },
    })
    expect(bench.servers.health()).toMatchObject([{ ok: true, tools: 1 }])
  })
})

describe('an answer counts', () => {
  const other = (message: string, id: unknown) => JSON.stringify({ ...JSON.parse(message), id })
  it.each<[string, (response: ServerResponse, message: string) => void]>([
    ['0', (response, message) => json(200, other(message, 0))(response)],
    ['null', (response, message) => json(200, other(message, null))(response)],
    ['another', (response, message) => events(`data: ${other(message, 777)}\n\n`)(response)],
  ])('under the id %s (C993)', async (_, write) => {
    const { result } = await answeredOnce(write)
    expect(result).toEqual({ ok: true, text: 'fine 42' })
  })

  it('under an event of another name (C993)', async () => {
    const { result } = await answeredOnce((response, message) =>
      events(`event: response\ndata: ${message}\n\n`)(response),
    )
    expect(result).toEqual({ ok: true, text: 'fine 42' })
  })

  it.each([
    ['an error', json(200, rpc('Session not found', -32001))],
    ['an event', events('event: message\ndata: {"error":"Session not found"}\n\n')],
  ])('for a lost session where %s says so under 200 (C971, C993)', async (_, write) => {
    const { result, starts } = await answeredOnce(write, true)
    expect(result).toEqual({ ok: true, text: 'fine 42' })
    expect(starts()).toBe(2)
  })

  it('not for that where a tool speaks of a session of its own (C971)', async () => {
    const about = rpc('The browser session 7 was not found; open one with browser_open')
    const { result, starts } = await answeredOnce(json(200, about), true)
    expect(result).toMatchObject({ ok: false })
    expect(starts()).toBe(1)
  })

  it.each([
    ['with details', { code: -32602, message: 'Invalid', data: { why: 'no date' } }, 'no date'],
    ['with details alone', { code: -32603, message: '', data: 'disk full' }, 'disk full'],
  ])('as an error %s (C972)', async (_, error, words) => {
    const { result } = await answeredOnce(json(200, { jsonrpc: '2.0', id: null, error }))
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining(words) })
  })

  it('as a refusal that wants more rights, and the server stays (C972)', async () => {
    const { result, bench } = await answeredOnce((response) => {
      const challenge = 'Bearer error="insufficient_scope", scope="write"'
      response.writeHead(403, { 'www-authenticate': challenge }).end('no')
    })
    expect(result).toEqual({ ok: false, text: expect.stringMatching(/^not done: /) })
    expect(bench.servers.health()).toMatchObject([{ ok: true }])
  })

  it.each([
    ['over many lines', 'JSON.stringify(m, null, 2)'],
    ['behind words', '"Loading 100% " + JSON.stringify(m)'],
    ['in colours', '"\\u001b[32m" + JSON.stringify(m) + "\\u001b[0m"'],
    [
      'behind another in its line',
      `'{"jsonrpc":"2.0","method":"notifications/x"}' + JSON.stringify(m)`,
    ],
  ])('of a program that writes it %s (C993)', async (_, written) => {
    const bench = await open()
    const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      const results = { initialize: { ...params, serverInfo: {} }, 'tools/list': { tools: [${JSON.stringify(good)}] } }
      const m = { jsonrpc: '2.0', id, result: results[method] ?? { content: 'fine 42' } }
      if (id !== undefined) console.log(${written})
    })`
    await bench.use({ desk: { command: process.execPath, args: ['-e', script] } })
    const [tool] = bench.servers.tools()
    expect(await tool?.run('{}', context())).toEqual({ ok: true, text: 'fine 42' })
  })
})

it('fails a call by an error without an id, where it is the only one that is open (C993)', async () => {
  const bench = await open()
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const results = { initialize: { ...params, serverInfo: {} }, 'tools/list': { tools: [${JSON.stringify(good)}] } }
    const error = { code: -32700, message: 'Parse error: boom' }
    const m = results[method] ? { id, result: results[method] } : { id: null, error }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', ...m }))
  })`
  await bench.use({ desk: { command: process.execPath, args: ['-e', script] } })
  const [tool] = bench.servers.tools()
  expect(await tool?.run('{}', context())).toEqual({ ok: false, text: 'Parse error: boom' })
})

it('takes no time for a pattern that would take for ever (C994)', async () => {
  const bench = await open()
  const x = { type: 'string', pattern: '^(a+)+$' }
  const inputSchema = { type: 'object', properties: { x, pattern: { type: 'number' } } }
  const { url } = await serve({
    answer: (method) =>
      method === 'tools/list' ? { result: { tools: [{ ...good, inputSchema }] } } : undefined,
  })
  await bench.use({ desk: { url } })
  const [tool] = bench.servers.tools()
  const input = (pattern: unknown) => JSON.stringify({ x: `${'a'.repeat(60)}!`, pattern })
  expect(tool?.check?.(input(1))).toBeNull()
  expect(tool?.check?.(input({}))).toMatch(/does not fit its schema/)
  expect(tool?.origin?.schema).toMatchObject({ properties: { x } })
})
