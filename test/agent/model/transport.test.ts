import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { leanFetch } from '../../../src/agent/model/transport.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
  return `127.0.0.1:${address.port}`
}
const serve = async (answer: RequestListener) => `http://${await listen(createServer(answer))}/v1`

const post = (url: string, signal?: AbortSignal) =>
  leanFetch(url, {
    method: 'post',
    headers: new Headers({ 'content-type': 'application/json', authorization: 'Bearer key' }),
    body: '{"said":"hé"}',
    ...(signal && { signal }),
  })

it('sends what fetch sends, answers what fetch answers, and keeps its connections (C216)', async () => {
  let connections = 0
  const server = createServer(async (request, response) => {
    const { headers, url, method } = request
    const told = {
      said: await text(request),
      url,
      method,
      key: headers.authorization,
      type: headers['content-type'],
    }
    response
      .writeHead(201, { 'content-type': 'application/json', 'x-request-id': '7' })
      .end(JSON.stringify(told))
  })
  server.on('connection', () => (connections += 1))
  const url = `http://${await listen(server)}/v1?a=b`
  const first = await post(url)
  expect([first.ok, first.status, first.headers.get('x-request-id')]).toEqual([true, 201, '7'])
  const told = {
    said: '{"said":"hé"}',
    url: '/v1?a=b',
    method: 'POST',
    key: 'Bearer key',
    type: 'application/json',
  }
  expect(await first.json()).toEqual(told)
  for (let asked = 0; asked < 5; asked++)
    expect(await (await post(url)).text()).toBe(JSON.stringify(told))
  // A second one is opened where the first is not yet free.
  expect(connections).toBeLessThanOrEqual(2)
})

it('answers the same where the server of the page has put a Response of its own in place of Node’s (C216)', async () => {
  const { Response, Request } = globalThis
  onTestFinished(() => void Object.assign(globalThis, { Response, Request }))
  getRequestListener(() => new Response())
  expect(globalThis.Response).not.toBe(Response)
  const url = await serve((_, response) =>
    response.writeHead(401, { 'x-request-id': '7' }).end('{"a":1}'),
  )
  const first = await post(url)
  expect([first.ok, first.status, first.headers.get('x-request-id')]).toEqual([false, 401, '7'])
  expect(await first.json()).toEqual({ a: 1 })
  expect(await (await post(url)).text()).toBe('{"a":1}')
})

it('reads an answer that was compressed unasked, and follows a redirect as fetch does (C216)', async () => {
  const url = await serve(async (request, response) => {
    const said = await text(request)
    if (request.url === '/v1') response.writeHead(307, { location: '/v2' }).end()
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(said))
  })
  expect(await (await post(url)).text()).toBe('{"said":"hé"}')
  expect(await (await post(url.replace('v1', 'v2'))).text()).toBe('{"said":"hé"}')
})

it.each<[string, (text: string) => string | Buffer]>([
  ['gzip', (text) => text],
  ['GZIP', gzipSync],
  ['gzip, gzip', (text) => gzipSync(gzipSync(text))],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['BR', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['utf-8', (text) => text],
  ['', (text) => text],
])('reads what is called %j, whole and in events, as it is (C992)', async (encoding, fold) => {
  const url = await serve(async (request, response) => {
    const said = await text(request)
    const type = request.url === '/v1' ? 'application/json' : 'text/event-stream'
    response.writeHead(200, { 'content-encoding': encoding, 'content-type': type }).end(fold(said))
  })
  expect(await (await post(url)).text()).toBe('{"said":"hé"}')
  expect(await (await post(url.replace('v1', 'v2'))).text()).toBe('{"said":"hé"}')
})

it('hands a stream on while it is written, and fails where an answer breaks off (C216)', async () => {
  let go = () => {}
  const url = await serve((request, response) => {
    response.writeHead(200, {
      'content-type': request.url === '/v1' ? 'text/event-stream' : 'application/json',
    })
    response.write('data: 1\n\n')
    if (request.url === '/v1') go = () => response.end('data: 2\n\n')
    else setImmediate(() => response.destroy())
  })
  const { body } = await post(url)
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('data: 1\n\n')
  go()
  expect((await reader?.read())?.value).toBe('data: 2\n\n')
  await expect(post(url.replace('v1', 'broken'))).rejects.toThrow()
})

it('ends with its signal, before the answer and in the middle of it (C216)', async () => {
  const cutOff = new AbortController()
  const gone: Promise<void>[] = []
  const url = await serve((request, response) => {
    gone.push(new Promise((resolve) => void response.once('close', resolve)))
    if (request.url !== '/v1')
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    if (gone.length === 2) cutOff.abort()
  })
  const both = [post(url, cutOff.signal), post(url.replace('v1', 'begun'), cutOff.signal)]
  for (const one of await Promise.allSettled(both)) expect(one.status).toBe('rejected')
  await Promise.all(gone)
  await expect(post(url, AbortSignal.abort())).rejects.toThrow(/abort/i)
})

/** Asks in a process of its own, which is told of its surroundings when it starts. */
async function askElsewhere(url: string, env: Record<string, string>): Promise<string> {
  const module = new URL('../../../src/agent/model/transport.ts', import.meta.url).href
  const script = `const { leanFetch } = await import(${JSON.stringify(module)})
    const answer = await leanFetch(${JSON.stringify(url)}, { method: 'POST', body: '{}' }).catch((error) => error)
    console.log(answer.code ?? await answer.text())
    process.exit()`
  const told = { PATH: process.env.PATH ?? '', ...env }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { env: told },
  )
  return stdout.trim()
}

it('trusts the authority of NODE_EXTRA_CA_CERTS and no other (C216)', async () => {
  const file = (name: string) => new URL(`../../fixtures/tls/${name}.pem`, import.meta.url).pathname
  const pair = { key: readFileSync(file('key')), cert: readFileSync(file('certificate')) }
  const url = `https://${await listen(createSecureServer(pair, (_, response) => void response.end('trusted')))}/v1`
  expect(await askElsewhere(url, { NODE_EXTRA_CA_CERTS: file('certificate') })).toBe('trusted')
  await expect(post(url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

it('goes through the proxy that the process is told to use (C216)', async () => {
  const proxy = await serve(
    (request, response) => void response.end(`by way of the proxy to ${request.url}`),
  )
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.replace('/v1', '') }
  expect(await askElsewhere('http://models.example/v1', env)).toBe(
    'by way of the proxy to http://models.example/v1',
  )
})
