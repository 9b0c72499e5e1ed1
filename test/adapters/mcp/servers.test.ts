/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files are written so. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readServersFile } from '../../../src/adapters/mcp/servers-file.ts'
import { createFakeMcpServer } from '../../fakes/mcp/tools.ts'
import { type Bench, context, isAlive, reference, until, useBench, withPid } from './support.ts'

const open = useBench()
const tool = ({ servers }: Bench, name: string) => {
  const found = servers.tools().find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

/** A server over HTTP that answers `tools/list` with what `list` returns; null: never. */
async function served(name: string, list: () => object | null) {
  const web = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse((await text(request)) || '{}')
    if (id === undefined) return void response.writeHead(202).end()
    const about = {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name, version: '1' },
    }
    const result = method === 'tools/list' ? list() : about
    if (result === null) return
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void web.close().closeAllConnections())
  await once(web, 'listening')
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`
  const file = JSON.stringify({ mcpServers: { [name]: { url } } })
  return readServersFile(file, { file: 'mcp.json', env: {} }).servers
}

describe('a server of the reference set', () => {
  it('lists its tools under stable names, with what they may do (C40, S4)', async () => {
    const bench = await open()
    await bench.use({ everything: reference.everything() })
    const names = bench.servers.tools().map(({ name }) => name)
    expect(names).toContain('everything__echo')
    expect(names).toEqual([...names].sort())
    expect(tool(bench, 'everything__echo')).toMatchObject({
      ...{ effect: 'none', approval: 'always', sources: { interactive: true, unattended: true } },
      origin: { server: 'everything', schema: { type: 'object', required: ['message'] } },
    })
    expect(await tool(bench, 'everything__echo').run('{"message":"hello"}', context())).toEqual({
      ok: true,
      text: 'Echo: hello',
    })
    expect(await tool(bench, 'everything__get-tiny-image').run('{}', context())).toMatchObject({
      text: expect.stringMatching(/\[image, image\/png, \d+ bytes\]/),
      files: [{ name: expect.stringMatching(/^image-\d\.png$/), type: 'image/png' }],
    })
  })

  it('is started again when it is killed; meanwhile its tools say that they are away', async () => {
    const bench = await open()
    await bench.use({ everything: withPid(reference.everything(), `${bench.folder}/pid`) })
    const echo = tool(bench, 'everything__echo')
    const first = await bench.pid()
    process.kill(first, 'SIGKILL')
    await until(() => bench.servers.health()[0]?.ok === false)
    expect(bench.servers.tools()).toContain(echo)
    expect(await echo.run('{"message":"hello"}', context())).toEqual({
      ok: false,
      text: 'not done: the server "everything" is away just now and is being started again',
    })
    expect(bench.logs.join()).toContain('the MCP server is away: it ended')
    await until(() => bench.servers.health()[0]?.ok === true)
    expect(await bench.pid()).not.toBe(first)
    expect(await echo.run('{"message":"again"}', context())).toMatchObject({
      ok: true,
      text: 'Echo: again',
    })
  })
})

describe('a tool of a server', () => {
  it('has the effect that it is annotated with, or that the team says it has (rule 5)', async () => {
    const bench = await open()
    const clew = {
      approval: 'first',
      tools: { fail: { effect: 'none' }, hang: { approval: 'never' } },
      unattended: ['n*'],
    }
    await bench.use({ fake: { ...bench.fake(), clew } })
    const rules = bench.servers
      .tools()
      .map(({ name, effect, approval, sources }) => [
        name.replace('fake__', ''),
        effect,
        approval,
        sources?.unattended,
      ])
    expect(rules).toEqual([
      ['die', 'unkeyed', 'first', false],
      ['fail', 'none', 'never', true],
      ['flood', 'none', 'first', true],
      ['grow', 'unkeyed', 'first', false],
      ['hang', 'unkeyed', 'never', false],
      ['look', 'none', 'first', true],
      ['note', 'unkeyed', 'first', true],
      ['set', 'keyed', 'first', false],
    ])
  })

  it('is free of approval only by the team’s file, whatever its server says (S16)', async () => {
    const bench = await open()
    const approvals = () => {
      const tools = bench.servers.tools().filter(({ name }) => /look|flood|set/.test(name))
      return Object.fromEntries(
        tools.map(({ name, approval }) => [name.replace('fake__', ''), approval]),
      )
    }
    await bench.use({ fake: { ...bench.fake(), clew: { tools: { look: { effect: 'none' } } } } })
    expect(approvals()).toEqual({ flood: 'always', look: 'never', set: 'always' })
    await bench.use({
      fake: {
        ...bench.fake(),
        clew: { trustReadOnly: true, tools: { look: { approval: 'first' } } },
      },
    })
    expect(approvals()).toEqual({ flood: 'never', look: 'first', set: 'always' })
  })

  it('checks its input before anybody is asked about it, and takes a lone text for its one field', async () => {
    const bench = await open()
    await bench.use({ fake: bench.fake() })
    const set = tool(bench, 'fake__set')
    expect(set.check?.('{"key":"a","value":"b"}')).toMatch(
      /^the input of set does not fit its schema: .*number/,
    )
    expect(set.check?.('a=b')).toBe('the input of set is not one JSON object that fits its schema')
    expect(set.check?.('{"key":"a","value":1}')).toBeNull()
    expect(await tool(bench, 'fake__note').run('Call Ana', context())).toMatchObject({
      text: 'noted Call Ana',
    })
  })

  it('answers failures as results, and much output cut', async () => {
    const bench = await open()
    await bench.use({ fake: bench.fake() })
    expect(await tool(bench, 'fake__fail').run('{}', context())).toEqual({
      ok: false,
      text: 'no such thing',
    })
    const { text } = await tool(bench, 'fake__flood').run('{}', context())
    expect(text.length).toBeLessThan(60_100)
    expect(text).toMatch(/… \[cut: 240000 of 300000 characters are not shown\]$/)
  })

  it('whose server is lost, or that is cut off, has an unknown outcome and is not sent again (C13, rule 5)', async () => {
    const bench = await open()
    await bench.use({ fake: bench.fake() })
    expect(await tool(bench, 'fake__die').run('{}', context())).toEqual({
      ...{ ok: false, unknown: true },
      text: 'outcome unknown: the server "fake" was lost during the call. Look before doing it again.',
    })
    await until(() => bench.servers.health()[0]?.ok === true)
    const cut = new AbortController()
    const hanging = tool(bench, 'fake__hang').run('{}', context(cut.signal))
    await until(async () => (await bench.journal()).includes('hangs'))
    cut.abort()
    expect(await hanging).toMatchObject({ ok: false, unknown: true })
    expect(bench.servers.health()).toMatchObject([{ ok: true }])
    expect(await bench.journal()).toEqual(['died', 'hangs'])
  })

  it('is there as soon as the server has it', async () => {
    const bench = await open()
    await bench.use({ fake: bench.fake() })
    await tool(bench, 'fake__grow').run('{}', context())
    await until(() => bench.servers.tools().some(({ name }) => name === 'fake__extra'))
    expect(await tool(bench, 'fake__extra').run('{}', context())).toMatchObject({ text: 'extra' })
  })
})

describe('a server', () => {
  it('gets its own variables and none of Clew’s; no secret is in a log (S7)', async () => {
    const bench = await open()
    process.env.WEB_TOKEN = 'clews-own-token'
    onTestFinished(() => void delete process.env.WEB_TOKEN)
    const entry = { ...bench.fake(), env: { FAKE_SECRET: '${SECRET}' } }
    await bench.use({ fake: entry }, { SECRET: 's3cret-value' })
    const { text } = await tool(bench, 'fake__look').run('here', context())
    expect(text).toBe('saw here; s3cret-value; no token')
    await until(() => bench.logs.some((line) => line.includes('started with')))
    expect(bench.logs.join()).not.toContain('s3cret-value')
  })

  it('that cannot be started is tried again and says why', async () => {
    const bench = await open()
    await bench.use({ gone: { command: '/nowhere/at-all' } })
    expect(bench.servers.health()).toMatchObject([
      { name: 'gone', ok: false, tools: 0, detail: /ENOENT/ },
    ])
  })

  it('is stopped, changed and left alone as the file says', async () => {
    const bench = await open()
    await bench.use({ fake: bench.fake() })
    const first = await bench.pid()
    await bench.use({ fake: bench.fake(), everything: reference.everything() })
    expect(await bench.pid()).toBe(first)
    await bench.use({ fake: { ...bench.fake(), clew: { approval: 'never' } } })
    expect(isAlive(first)).toBe(false)
    expect(bench.servers.health().map(({ name }) => name)).toEqual(['fake'])
    expect(tool(bench, 'fake__note').approval).toBe('never')
  })

  it('that tells of one more page for ever is listened to for so long', async () => {
    const bench = await open()
    let pages = 0
    const endless = await served('endless', () => {
      pages += 1
      return { tools: [], nextCursor: `${pages}` }
    })
    await bench.servers.use(endless)
    await until(() => bench.servers.health()[0]?.ok === true)
    expect(pages).toBe(50)
  })

  it('that never lists its tools keeps nobody who stops it', async () => {
    const bench = await open()
    const asked = Promise.withResolvers<void>()
    const mute = await served('mute', () => {
      asked.resolve()
      return null
    })
    await bench.servers.use(mute)
    await asked.promise
    await bench.servers.use([])
    expect(bench.servers.health()).toEqual([])
  })

  it('ends with Clew even when it does not want to', async () => {
    const bench = await open()
    await bench.use({ fake: bench.fake('stubborn') })
    const pid = await bench.pid()
    await bench.servers.stop()
    await until(() => !isAlive(pid))
  })

  it('ends with a Clew that is killed with -9', async () => {
    const bench = await open()
    const specs = await bench.use({ fake: bench.fake('stubborn') })
    await bench.servers.stop()
    const holder = fork(
      fileURLToPath(new URL('../../fakes/mcp/holder.ts', import.meta.url)),
      [JSON.stringify(specs)],
      {
        execArgv: [],
      },
    )
    await once(holder, 'message')
    const pid = await bench.pid()
    expect(isAlive(pid)).toBe(true)
    holder.kill('SIGKILL')
    await until(() => !isAlive(pid))
  })

  it('over HTTP is called, lost and found again', async () => {
    const bench = await open()
    const journal = `${bench.folder}/journal`
    const http = createServer(async (request, response) => {
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
      // The SDK declares its own fields more loosely than the interface that it implements.
      await createFakeMcpServer(journal).connect(
        transport as Parameters<ReturnType<typeof createFakeMcpServer>['connect']>[0],
      )
      seen.push(request.headers.authorization)
      await transport.handleRequest(request, response)
    })
    const seen: (string | undefined)[] = []
    const listen = async (port: number) => {
      http.listen(port, '127.0.0.1')
      await once(http, 'listening')
      return (http.address() as AddressInfo).port
    }
    const port = await listen(0)
    onTestFinished(() => void http.close())
    const url = `http://127.0.0.1:${port}/mcp`
    await bench.use(
      { remote: { url, headers: { Authorization: 'Bearer ${KEY}' } } },
      { KEY: 'key-of-the-team' },
    )
    expect(await tool(bench, 'remote__note').run('{"line":"a"}', context())).toMatchObject({
      ok: true,
    })
    expect(new Set(seen)).toEqual(new Set(['Bearer key-of-the-team']))
    http.closeAllConnections()
    http.close()
    expect(await tool(bench, 'remote__note').run('{"line":"b"}', context())).toMatchObject({
      ok: false,
      unknown: true,
    })
    await until(() => bench.servers.health()[0]?.ok === false)
    await listen(port)
    await until(() => bench.servers.health()[0]?.ok === true)
    expect(await tool(bench, 'remote__note').run('{"line":"c"}', context())).toMatchObject({
      ok: true,
    })
    expect(await bench.journal()).toEqual(['a', 'c'])
  })
})
