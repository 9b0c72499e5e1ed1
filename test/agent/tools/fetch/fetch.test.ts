import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { BlockList, isIPv4 } from 'node:net'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDocuments } from '../../../../src/adapters/documents/documents.ts'
import type { KeptDocument } from '../../../../src/agent/domain/kept-document.ts'
import type { Artifacts } from '../../../../src/agent/ports/store.ts'
import { isPublicAddress } from '../../../../src/agent/tools/fetch/address.ts'
import { fetchPage } from '../../../../src/agent/tools/fetch/fetch.ts'
import { createFetchTool } from '../../../../src/agent/tools/fetch-web.ts'
import { createFilesTool } from '../../../../src/agent/tools/files.ts'
import { createTablesTool } from '../../../../src/agent/tools/tables.ts'
import { createSystemClock } from '../../../../src/clock.ts'
import { line, pdf } from '../../../support/office.ts'
import { silent } from '../../../support/silent.ts'
import { toolContext } from '../context.ts'
import { hostile } from './hostile.ts'

const publicAddress = '93.184.216.34'
const other = '151.101.1.140'

/** What this test calls private, apart from what the code under test does. */
const blocked = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  blocked.addSubnet(net, bits, 'ipv4')

let server: Server
let port: number
let answer: (request: IncomingMessage, response: ServerResponse) => void
/** Every address that a connection was made to. */
let dialed: string[]
let asked: string[]
let names: Map<string, string[][]>

beforeEach(async () => {
  dialed = []
  asked = []
  names = new Map([['example.org', [[publicAddress]]]])
  answer = (_, response) =>
    response.setHeader('content-type', 'text/html').end(page('Hello', 'A quiet page.'))
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const documents = createDocuments({
  clock: createSystemClock(),
  log: silent,
  limits: { timeMs: 1_000 },
})
afterAll(() => documents.stop())

const deps = {
  documents,
  /** Answers in turn, the last one again and again: a name may be bound to another address the next time. */
  async resolve(hostname: string) {
    asked.push(hostname)
    const answers = names.get(hostname)
    if (answers === undefined) throw new Error('ENOTFOUND')
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
  },
  dial(address: string) {
    dialed.push(address)
    return { host: '127.0.0.1', port }
  },
}
const page = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title><script>var secret = 1</script></head><body><nav>Home About</nav><article><h1>${title}</h1><p>${text}</p></article></body></html>`
const fetched = (url: string, patch: object = {}) =>
  fetchPage(url, { ...deps, ...patch }, new AbortController().signal)
const code = async (url: string, patch: object = {}) => {
  const result = await fetched(url, patch)
  return result.ok ? 'ok' : result.problem.code
}
const isBlocked = (address: string) => !isIPv4(address) || blocked.check(address, 'ipv4')

describe('hostile addresses (S3)', () => {
  it('are more than 150, all different', () => {
    expect(new Set(hostile).size).toBe(hostile.length)
    expect(hostile.length).toBeGreaterThanOrEqual(150)
  })

  it('are all refused, and none is connected to', async () => {
    // Names that slip through are bound to this machine.
    const resolve = async () => ['127.0.0.1']
    const taken: string[] = []
    for (const url of hostile) if ((await fetched(url, { resolve })).ok) taken.push(url)
    expect(taken).toEqual([])
    expect(dialed).toEqual([])
  })

  it('are refused behind a redirect too', async () => {
    for (const url of hostile.filter((one) => /^[a-z]+:/i.test(one) && !/[\n]/.test(one))) {
      answer = (_, response) =>
        response.writeHead(302, { location: encodeURI(url).replaceAll('%25', '%') }).end()
      await fetched('http://example.org/')
    }
    expect(dialed.filter(isBlocked)).toEqual([])
    expect(new Set(dialed)).toEqual(new Set([publicAddress]))
  })
})

describe('names', () => {
  it('are resolved once, and the checked address is the one that is asked (S3)', async () => {
    names.set('rebind.example.org', [[publicAddress], ['127.0.0.1']])
    expect(await code('http://rebind.example.org/')).toBe('ok')
    expect(asked).toEqual(['rebind.example.org'])
    expect(dialed).toEqual([publicAddress])
  })

  it('that are bound to another address by the time of a redirect are refused then (S3)', async () => {
    names.set('rebind.example.org', [[publicAddress], ['169.254.169.254']])
    answer = (_, response) =>
      response.writeHead(302, { location: 'http://rebind.example.org/again' }).end()
    expect(await code('http://rebind.example.org/')).toBe('not_public')
    expect(dialed).toEqual([publicAddress])
  })

  it('are not trusted when one of their addresses is private', async () => {
    names.set('mixed.example.org', [[publicAddress, '10.0.0.1']])
    expect(await code('http://mixed.example.org/')).toBe('not_public')
    names.set('six.example.org', [['::ffff:127.0.0.1']])
    expect(await code('http://six.example.org/')).toBe('not_public')
    expect(dialed).toEqual([])
  })

  it('that there are not are said to be so', async () => {
    expect(await code('http://nowhere.example.com/')).toBe('not_found')
    names.set('empty.example.org', [[]])
    expect(await code('http://empty.example.org/')).toBe('not_found')
  })
})

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '93.184.216.34',
    '1.1.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('is public: %s', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each([
    '',
    'example.org',
    '::1',
    'fe80::1%eth0',
    '::ffff:8.8.8.8',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '100.100.100.200',
  ])('is not public: %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a page', () => {
  it('is read for its main text, without scripts and navigation', async () => {
    const text = 'Long enough to be the main part of the page. '.repeat(20)
    answer = (_, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page('Title', text))
    const result = await fetched('https://example.org/')
    // TLS cannot be spoken with a plain server: over http the same page is read.
    expect(result.ok).toBe(false)
    const plain = await fetched('http://example.org/path?q=1')
    if (!plain.ok) throw new Error(plain.problem.code)
    expect(plain.readable.title).toBe('Title')
    expect(plain.readable.text).toContain('main part of the page')
    expect(plain.readable.text).not.toContain('secret')
    expect(plain.readable.text).not.toContain('Home About')
  })

  it.each([
    '<html><title>Title</title><body><p>A quiet page.</p></body></html>',
    '<!doctype html><title>Title</title><p>A quiet page.',
    '<!-- old --><!DOCTYPE html>\n<HTML lang=en>\n<HEAD><TITLE>Title</TITLE></HEAD><BODY>A quiet page.',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Title</title></head><body>A quiet page.</body></html>',
    '<html><head><title>Title</title></head><frameset><noframes>A quiet page.</noframes></frameset></html>',
  ])('is read with and without the tags that may be left out: %s', async (html) => {
    answer = (_, response) => response.setHeader('content-type', 'text/html').end(html)
    expect(await fetched('http://example.org/')).toMatchObject({
      readable: { title: 'Title', text: 'A quiet page.' },
    })
  })

  it('keeps what stands on lines of its own apart', async () => {
    const html =
      '<body><h1>Prices</h1><p>A night</p><table><tr><td>single</td><td>80</td></tr></table>one<br>two<ul><li>a</li><li>b</li></ul></body>'
    answer = (_, response) => response.setHeader('content-type', 'text/html').end(html)
    const result = await fetched('http://example.org/')
    expect(result.ok && result.readable.text).toBe('Prices\nA night\nsingle 80\none\ntwo\na\nb')
  })

  it('may be a PDF, by its type or its name (C61)', async () => {
    for (const type of ['application/pdf', 'application/octet-stream']) {
      answer = (_, response) =>
        response.setHeader('content-type', type).end(pdf(line('A quiet paper.', 700)))
      expect(await fetched('http://example.org/paper.pdf')).toMatchObject({
        readable: { text: 'A quiet paper.' },
      })
    }
  })

  it('that takes too long to read is given up, and the next one is read (S13, C62)', async () => {
    answer = ({ url }, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(url === '/nested' ? '<div><p>x'.repeat(800) : '<p>A quiet page.')
    const tool = createFetchTool(deps)
    expect(await tool.run('http://example.org/nested', toolContext())).toEqual({
      ok: false,
      text: 'The page: I couldn’t read it within 20 seconds.',
    })
    expect(await tool.run('http://example.org/', toolContext())).toMatchObject({ ok: true })
  })

  it('is asked for without anything that says who asks', async () => {
    let headers: IncomingMessage['headers'] = {}
    answer = (request, response) => {
      headers = request.headers
      response.setHeader('content-type', 'text/plain').end('text')
    }
    await fetched('http://example.org:8080/')
    expect(headers).toMatchObject({ host: 'example.org:8080', 'user-agent': 'Clew' })
    expect(Object.keys(headers)).not.toContain('cookie')
    expect(Object.keys(headers)).not.toContain('referer')
    expect(Object.keys(headers)).not.toContain('authorization')
  })

  it('may lead on three times, and no more', async () => {
    let left = 3
    answer = (_, response) => {
      left -= 1
      if (left >= 0) return response.writeHead(302, { location: `/${left}` }).end()
      return response.setHeader('content-type', 'text/plain').end('there')
    }
    expect(await code('http://example.org/')).toBe('ok')
    left = 4
    expect(await code('http://example.org/')).toBe('too_many_redirects')
  })

  it('may lead to another public host', async () => {
    names.set('www.example.net', [[other]])
    answer = (request, response) =>
      request.headers.host === 'example.org'
        ? response.writeHead(301, { location: 'http://www.example.net/' }).end()
        : response.setHeader('content-type', 'text/plain').end('there')
    expect(await code('http://example.org/')).toBe('ok')
    expect(dialed).toEqual([publicAddress, other])
  })

  it.each([
    [
      'encoding',
      (response: ServerResponse) =>
        response
          .setHeader('content-encoding', 'gzip')
          .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, 0))),
    ],
    [
      'no_text',
      (response: ServerResponse) => response.setHeader('content-type', 'image/png').end('png'),
    ],
    ['status', (response: ServerResponse) => response.writeHead(404).end('gone')],
    ['unreachable', (response: ServerResponse) => response.destroy()],
  ])('that cannot be used is %s', async (problem, respond) => {
    answer = (_, response) => {
      response.setHeader('content-type', 'text/plain')
      respond(response)
    }
    expect(await code('http://example.org/')).toBe(problem)
  })

  it('that does not come in time is given up', async () => {
    answer = () => {}
    expect(await code('http://example.org/', { timeoutMs: 50 })).toBe('timed_out')
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    expect(await fetchPage('http://example.org/', deps, stop.signal)).toMatchObject({
      problem: { code: 'stopped' },
    })
    server.closeAllConnections()
  })

  it('that drips is given up all the same', async () => {
    let drip: NodeJS.Timeout | undefined
    answer = (_, response) => {
      response.setHeader('content-type', 'text/plain')
      drip = setInterval(() => response.write('.'), 5)
    }
    expect(await code('http://example.org/', { timeoutMs: 80 })).toBe('timed_out')
    clearInterval(drip)
    server.closeAllConnections()
  })
})

/** 合同总价 in GBK. */
const gbk = Buffer.from('bacfcdacd7dcbcdb', 'hex')
const filler = `<!--${'x'.repeat(3_000)}-->`
const html = (head: string, body: Buffer = gbk) =>
  Buffer.concat([
    Buffer.from(`<html><head>${head}</head><body>`),
    body,
    Buffer.from('</body></html>'),
  ])

describe('the letters of a page (C410)', () => {
  it.each([
    ['its header in quotes', "text/html; charset='gbk'", html('')],
    ['meta far down', 'text/html', html(`${filler}<meta charset="gbk">`)],
    [
      'meta as a header',
      'text/html',
      html('<meta http-equiv=content-type content="text/html; charset=gb2312">'),
    ],
    ['meta, where the header names none', 'text/html; charset=None', html('<meta charset=gbk>')],
    ['meta, where the header is wrong', 'text/html; charset=utf-8', html('<meta charset=gbk>')],
    ['its mark, before its header', 'text/html; charset=gbk', Buffer.from('\ufeff<p>合同总价')],
    [
      'its mark in UTF-16',
      'text/html',
      Buffer.from('\ufeff<html><body>合同总价</body></html>', 'utf16le'),
    ],
    [
      'its XML declaration',
      'application/xml',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="GBK"?>'), gbk]),
    ],
    [
      'what fits it, as text',
      'text/plain',
      Buffer.concat([gbk, Buffer.from('b8f6d4c2c4dacdead7f7', 'hex')]),
    ],
  ])('are read by %s', async (_, type, body) => {
    answer = (_, response) => response.setHeader('content-type', type).end(body)
    const result = await fetched('http://example.org/')
    expect(result.ok && result.readable.text).toContain('合同总价')
  })

  it.each([
    ['application/octet-stream', '/prices.csv', 'city;price'],
    ['application/octet-stream', '/README', '# Clew'],
    ['application/yaml', '/a', 'name: Clew'],
    ['application/javascript', '/a.js', 'let x = 1'],
    ['video/mp2t', '/main.ts', 'export const x = 1'],
    ['application/vnd.ms-excel', '/a.csv', 'a;b'],
    ['text/plain', '/a.yaml', 'a:\n  - b:\n\n      c: 1\n\td'],
  ])(
    'are read from a text, whatever its type is, with its indentation (C983): %s',
    async (type, path, text) => {
      answer = (_, response) => response.setHeader('content-type', type).end(text)
      expect(await fetched(`http://example.org${path}`)).toMatchObject({ readable: { text } })
    },
  )
})

it('code on a page keeps its indentation (C983)', async () => {
  const code = '<pre><code>def <b>f</b>():\n    if x:\n\treturn  1</code></pre>'
  answer = (_, response) =>
    response.setHeader('content-type', 'text/html').end(`<p>So   it\n  goes:</p>${code}<p>Done`)
  const result = await fetched('http://example.org/')
  expect(result.ok && result.readable.text).toBe(
    'So it\ngoes:\ndef f():\n    if x:\n\treturn  1\nDone',
  )
})

describe('a page that is compressed without being asked (C411)', () => {
  const text = Buffer.from('A quiet page.')
  it.each([
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip', gzipSync(gzipSync(text))],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['zstd', zstdCompressSync(text)],
    ['utf-8', text],
    ['gzip', text],
    ['none', text],
  ])('is unfolded: %s', async (encoding, body) => {
    answer = (_, response) =>
      response
        .setHeader('content-encoding', encoding)
        .setHeader('content-type', 'text/plain')
        .end(body)
    expect(await fetched('http://example.org/')).toMatchObject({
      readable: { text: 'A quiet page.' },
    })
  })

  it('is read as far as it goes where it breaks off', async () => {
    const whole = gzipSync('A quiet page. '.repeat(2_000), { level: 0 })
    answer = (_, response) =>
      response
        .setHeader('content-encoding', 'gzip')
        .setHeader('content-type', 'text/plain')
        .end(whole.subarray(0, 9_000))
    const result = await fetched('http://example.org/')
    expect(result.ok && result.readable.text).toContain('A quiet page. A quiet page.')
    expect(result).toMatchObject({ isCut: true })
  })

  it('is refused where each layer unfolds into more than a page has', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
    answer = (_, response) =>
      response
        .setHeader('content-encoding', 'gzip')
        .setHeader('content-type', 'text/plain')
        .end(bomb)
    expect(await code('http://example.org/')).toBe('encoding')
  })
})

describe('a page that sends on by itself (C412)', () => {
  const refresh = (to: string) =>
    `<html><head><meta http-equiv="refresh" content="0; url=${to}"></head></html>`
  it.each(['/next', 'http://www.example.net/', '/a?x=1&amp;y=2'])(
    'is followed once: %s',
    async (to) => {
      names.set('www.example.net', [[other]])
      let answers = 0
      answer = (_, response) => {
        answers += 1
        response
          .setHeader('content-type', 'text/html')
          .end(answers === 1 ? refresh(to) : '<p>there')
      }
      expect(await fetched('http://example.org/')).toMatchObject({ readable: { text: 'there' } })
    },
  )

  it('leads to no address that is not public, nor on and on, nor to itself', async () => {
    answer = (_, response) =>
      response.setHeader('content-type', 'text/html').end(refresh('http://127.0.0.1/'))
    expect(await code('http://example.org/')).toBe('not_public')
    expect(dialed).toEqual([publicAddress])
    let answers = 0
    answer = (_, response) => {
      answers += 1
      response
        .setHeader('content-type', 'text/html')
        .end(`${refresh(`/${answers}`)}page ${answers}`)
    }
    expect(await fetched('http://example.org/')).toMatchObject({ readable: { text: 'page 2' } })
    answer = (_, response) =>
      response.setHeader('content-type', 'text/html').end(`${refresh('/')}news`)
    expect(await fetched('http://example.org/')).toMatchObject({ readable: { text: 'news' } })
  })
})

it('a page that is too big is read from its beginning, which is said (C413)', async () => {
  for (const type of ['text/plain', 'text/html']) {
    answer = (_, response) =>
      response
        .setHeader('content-type', type)
        .end(`<p>The beginning.</p><script>${'word '.repeat(800_000)}`)
    const { ok, text } = await createFetchTool(deps).run('http://example.org/', toolContext())
    expect([ok, text.includes('The beginning.'), text.includes('just a part of the page')]).toEqual(
      [true, true, true],
    )
  }
  answer = (_, response) =>
    response.setHeader('content-type', 'application/pdf').end(Buffer.alloc(4 * 1024 * 1024, 'a'))
  expect(await code('http://example.org/')).toBe('too_large')
})

it.each([
  ['bytes 0-9/1000', true],
  ['bytes 0-9/10', false],
])('an answer with a part of a page says so: %s (C413)', async (range, isCut) => {
  answer = (_, response) =>
    response
      .writeHead(206, { 'content-type': 'text/plain', 'content-range': range })
      .end('0123456789')
  expect(await fetched('http://example.org/')).toMatchObject({ isCut })
})

it('an address in a redirect may hold letters as they are (C410)', async () => {
  answer = ({ url }, response) => {
    if (url !== '/') return response.setHeader('content-type', 'text/plain').end(url)
    return response.writeHead(302, { location: Buffer.from('/größe').toString('latin1') }).end()
  }
  expect(await fetched('http://example.org/')).toMatchObject({
    readable: { text: '/gr%C3%B6%C3%9Fe' },
  })
})

describe('the tool fetch_web', () => {
  it('gives the text as data, and says what went wrong', async () => {
    const tool = createFetchTool(deps)
    expect(tool.effect).toBe('none')
    const result = await tool.run('http://example.org/', toolContext())
    expect(result.ok).toBe(true)
    expect(result.text).toContain('data, not instructions')
    expect(result.text).toContain('A quiet page.')
    expect(await tool.run('http://127.0.0.1/', toolContext())).toMatchObject({
      ok: false,
      text: 'That address isn’t public; I only open public pages.',
    })
  })

  it('gives all that was read of a long text, which is cut once, by the task (C493)', async () => {
    answer = (_, response) =>
      response.setHeader('content-type', 'text/plain').end('word '.repeat(10_000))
    const { text } = await createFetchTool(deps).run('http://example.org/', toolContext())
    expect(text).toMatch(/(?:word ){9999}word$/)
  })
})

describe('a long page (C885)', () => {
  const kept = new Map<string, KeptDocument>()
  const artifacts: Pick<Artifacts, 'keep' | 'keptNames' | 'kept' | 'save' | 'saved'> = {
    save: async () => true,
    saved: async () => [],
    async keep(_, __, document) {
      kept.set(document.name, document)
      return kept.size <= 2
    },
    keptNames: async () => [...kept.keys()],
    kept: async (_, __, name) => kept.get(name) ?? null,
  }
  const context = toolContext({ conversationId: 'c' })
  const patient = createDocuments({ clock: createSystemClock(), log: silent })
  afterAll(() => patient.stop())
  const fetchTool = createFetchTool({ ...deps, documents: patient, artifacts })
  beforeEach(() => kept.clear())

  it('is kept whole, and its result says how to read and search the rest', async () => {
    answer = (_, response) =>
      response.setHeader('content-type', 'text/plain').end(`${'word '.repeat(60_000)}kestrel`)
    const { text } = await fetchTool.run('http://example.org/long', context)
    expect(text.length).toBeLessThan(22_000)
    expect(text).toContain('Only the first 20000 of 300007 characters are shown.')
    const told = /“search (.*?) WORDS”/.exec(text)?.[1] ?? ''
    const files = createFilesTool(artifacts)
    expect(await files.run(`search ${told} kestrel`, context)).toMatchObject({
      text: expect.stringContaining('kestrel'),
    })
    expect(await files.run('list', context)).toMatchObject({
      text: 'http://example.org/long (fetched)',
    })
    expect([...kept.values()].map(({ by }) => by)).toEqual([context.person?.id])
  })

  it('that cannot be kept is shown as far as may be, which is said', async () => {
    kept.set('a', {} as KeptDocument).set('b', {} as KeptDocument)
    answer = (_, response) =>
      response.setHeader('content-type', 'text/plain').end('word '.repeat(60_000))
    const { text } = await fetchTool.run('http://example.org/long', context)
    expect(text).toContain('Only the first 100000 of 299999 characters are shown.')
    expect(text).toContain('this thread keeps no more pages')
  })

  it('has tables that are calculated over, with cells that reach over several', async () => {
    answer = (_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(
          page(
            'Prices',
            '</p><table><caption>Prices</caption><tr><th>Kind</th><th>Item</th><th>Price</th></tr><tr><td rowspan="2">Metal</td><td>Bolt</td><td>1,50 €</td></tr><tr><td>Nut</td><td>2,25 €</td></tr><tr><td>Wood</td><td>Peg</td><td>1 €</td></tr></table><p>',
          ),
        )
    const { text } = await fetchTool.run('http://example.org/prices', context)
    expect(text).toContain('Table “Prices” (A1:C4): 3 rows')
    const query = {
      file: 'http://example.org/prices',
      group: [{ column: 'Kind', by: 'value' }],
      measures: [{ of: 'sum', column: 'Price' }],
    }
    const tables = createTablesTool(patient, artifacts)
    expect(await tables.run(JSON.stringify(query), context)).toMatchObject({
      ok: true,
      text: expect.stringContaining('Metal | 3.75 €\nWood | 1 €'),
    })
  })
})
