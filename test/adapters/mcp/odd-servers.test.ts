import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
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
    const type = habit.isStream ? 'text/event-stream' : 'application/json'
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
