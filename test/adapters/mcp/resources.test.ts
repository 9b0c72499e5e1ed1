import { expect, it, onTestFinished } from 'vitest'
import { startOffering } from '../../fakes/mcp/offering.ts'
import { value } from '../../fakes/openai/replies.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { listenTo } from '../web/event-stream.ts'
import { ask } from '../web/support.ts'
import { context, serversFile, until, useBench } from './support.ts'

const open = useBench()
const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }

async function shelf(clew = {}) {
  const [bench, server] = await Promise.all([open(), startOffering()])
  onTestFinished(() => server.close())
  await bench.use({ shelf: { url: server.url, clew } })
  const tool = (name: string) => {
    const found = bench.servers.tools().find((one) => one.name === `shelf__${name}`)
    if (found === undefined) throw new Error(`no tool ${name}`)
    return found
  }
  const read = (uri: string) => tool('read_resource').run(JSON.stringify({ uri }), context())
  return { bench, server, tool, read }
}

it('resources are read by one tool, which names and lists them with their templates (C920)', async () => {
  const { bench, tool, read } = await shelf()
  const { description } = tool('read_resource')
  expect(description).toContain('\n- shelf://handbook · Handbook · How we work\n')
  expect(description).toContain('\n- note://{name} · Notes')
  expect((await tool('read_resource').run('{}', context())).text.split('\n')).toHaveLength(4)
  expect(await read('note://ana')).toEqual({ ok: true, text: 'The note of ana.' })
  expect(await read('shelf://nothing')).toMatchObject({ ok: false, text: /not found/ })
  expect(bench.servers.health()).toMatchObject([{ ok: true, odd: [] }])
})

it('a link in a result names what can be read; long texts and tables are handed over as documents (C920)', async () => {
  const { tool, read } = await shelf()
  const found = await tool('find').run('{}', context())
  expect(found.text).toBe('[resource Ana’s note: note://ana]')
  expect(found.documents).toMatchObject([{ name: 'mcp://shelf/shelf://handbook' }])
  expect((await read('shelf://prices')).documents).toMatchObject([{ type: 'text/csv' }])
  const logo = await read('shelf://logo.png')
  expect(logo).toMatchObject({ files: [{ name: 'logo.png', type: 'image/png' }] })
  expect(logo.documents).toBeUndefined()
})

it('that they only read is the server’s word, which frees them from no approval (S16)', async () => {
  const rule = { read_resource: { effect: 'none' } }
  const asking = await shelf()
  expect(asking.tool('read_resource')).toMatchObject({ effect: 'none', approval: 'always' })
  const freed = await shelf({ tools: rule })
  expect(freed.tool('read_resource').approval).toBe('never')
})

it('resources and tools that come while the server runs are taken up (C921)', async () => {
  const { bench, tool } = await shelf()
  await tool('grow').run('{}', context())
  await until(() => tool('read_resource').description.includes('shelf://new'))
  expect(bench.servers.tools().map(({ name }) => name)).toContain('shelf__extra')
})

it('a long resource is kept in its thread, searched and calculated over like a page (C920)', async () => {
  const desk = await startOffering()
  onTestFinished(() => desk.close())
  const config = await serversFile({ shelf: { url: desk.url, clew: { approval: 'never' } } })
  const { server, url } = await start({ AGENT_STRATEGY: 'free', MCP_CONFIG: config })
  server.on('decision', decision('Read it'))
  const inputs = [
    ['shelf__read_resource', '{"uri":"shelf://handbook"}'],
    ['files', 'search mcp://shelf/shelf://handbook kestrel'],
    ['shelf__read_resource', '{"uri":"shelf://prices"}'],
  ]
  for (const [tool, input] of inputs)
    server.on('act', value({ text: '[Step] Do it', calls: [{ tool, input }] }))
  server.on('act', value({ text: 'It is over.', calls: [] }))
  const id = await tell(url, 'Read it', ana)
  await when(url, id, ({ run }) => run?.status === 'succeeded')
  const [, read, found, priced] = server.requests
    .filter(({ contract }) => contract === 'act')
    .map(({ body }) => JSON.stringify(body))
  expect(read).toContain('Only the first 20000 of 300031 characters are shown.')
  expect(read).toContain('search mcp://shelf/shelf://handbook WORDS')
  expect(read).not.toContain('The kestrel nests')
  expect(found).toContain('The kestrel nests in the tower.')
  expect(priced).toContain('comes from the tool tables (file mcp://shelf/shelf://prices)')
})

it('a call says how far it is, and is cancelled at its server by “stop” (C922, C923)', async () => {
  const desk = await startOffering()
  onTestFinished(() => desk.close())
  const config = await serversFile({ shelf: { url: desk.url, clew: { approval: 'never' } } })
  const { server, url } = await start({ AGENT_STRATEGY: 'free', MCP_CONFIG: config })
  const tab = await listenTo(url, '?after=0-0')
  onTestFinished(() => tab.close())
  server.on('decision', decision('Work 500 steps'))
  const call = { tool: 'shelf__work', input: '{"steps":500}' }
  server.on('act', value({ text: '[Step] Do it', calls: [call] }))
  const id = await tell(url, 'Work 500 steps', ana)
  await tab.next(({ data }) => JSON.stringify(data).includes('"input":"500/500 · Page 500"'))
  const lines = tab.heard.filter(({ data }) => JSON.stringify(data).includes(' · Page '))
  expect(lines.length).toBeLessThan(5)
  const stop = { text: 'stop', clientMessageId: 'stop', author: ana }
  await ask(`${url}/api/conversations/${id}/messages`, 'POST', stop)
  await until(() => desk.journal.at(-1) === 'cancelled')
  expect(desk.heard.map(({ method }) => method)).toContain('notifications/cancelled')
})

it('a call that takes too long is cancelled at its server (C923)', async () => {
  const { server, tool } = await shelf()
  const late = new AbortController()
  const running = tool('work').run('{"steps":1}', context(late.signal))
  await until(() => server.journal.includes('works'))
  late.abort()
  expect((await running).text).toContain('the server "shelf" was told so')
  await until(() => server.journal.includes('cancelled'))
})
