import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBrave } from '../../../../src/agent/tools/search/brave.ts'
import type {
  SearchHit,
  SearchOutcome,
  SearchProvider,
} from '../../../../src/agent/tools/search/provider.ts'
import { createSearxng } from '../../../../src/agent/tools/search/searxng.ts'
import { createTavily } from '../../../../src/agent/tools/search/tavily.ts'
import { type Answer, startSearchServer } from './server.ts'

/*
 * The bodies are those of the services: SearXNG's `/search?format=json`, Brave's Web Search API with its
 * `ErrorResponse`, Tavily's `{detail: {error}}`.
 */

const key = 'canary-key-7f3a'
let server: Awaited<ReturnType<typeof startSearchServer>>
beforeAll(async () => {
  server = await startSearchServer()
})
afterAll(() => server.close())
afterEach(() => {
  server.asked.length = 0
})

interface Row {
  title: string
  url: string
  snippet: string | null
}

const services: Record<
  string,
  { provider: (timeoutMs?: number) => SearchProvider; found: (rows: Row[]) => unknown }
> = {
  searxng: {
    provider: (timeoutMs = 2000) => createSearxng({ fetch, timeoutMs, url: `${server.url}/searx` }),
    found: (rows) => ({
      query: 'venues',
      number_of_results: rows.length,
      results: rows.map(({ snippet, ...row }, index) => ({
        ...row,
        content: snippet,
        engine: 'duckduckgo',
        template: 'default.html',
        parsed_url: ['https', 'example.org', '/', '', '', ''],
        img_src: '',
        thumbnail: null,
        priority: '',
        engines: ['duckduckgo', 'brave'],
        positions: [index + 1],
        score: 1 / (index + 1),
        category: 'general',
        publishedDate: null,
      })),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: ['venues near me'],
      unresponsive_engines: [['google', 'timeout']],
    }),
  },
  brave: {
    provider: (timeoutMs = 2000) =>
      createBrave({ fetch, timeoutMs, key, url: `${server.url}/res/v1/web/search` }),
    found: (rows) => ({
      type: 'search',
      query: {
        original: 'venues',
        show_strict_warning: false,
        is_navigational: false,
        more_results_available: true,
      },
      mixed: {
        type: 'mixed',
        main: rows.map((_, index) => ({ type: 'web', index, all: false })),
        top: [],
        side: [],
      },
      ...(rows.length === 0
        ? {}
        : {
            web: {
              type: 'search',
              family_friendly: true,
              results: rows.map(({ snippet, ...row }) => ({
                ...row,
                description: snippet,
                is_source_local: false,
                is_source_both: false,
                profile: { name: 'Example', long_name: 'example.org', url: row.url, img: '' },
                language: 'en',
                family_friendly: true,
                type: 'search_result',
                subtype: 'generic',
                is_live: false,
                meta_url: {
                  scheme: 'https',
                  netloc: 'example.org',
                  hostname: 'example.org',
                  favicon: '',
                  path: '',
                },
                age: 'August 1, 2025',
              })),
            },
          }),
    }),
  },
  tavily: {
    provider: (timeoutMs = 2000) =>
      createTavily({ fetch, timeoutMs, key, url: `${server.url}/search` }),
    found: (rows) => ({
      query: 'venues',
      follow_up_questions: null,
      answer: null,
      images: [],
      results: rows.map(({ snippet, ...row }) => ({
        ...row,
        content: snippet,
        score: 0.81,
        raw_content: null,
      })),
      response_time: 1.09,
      request_id: '123e4567-e89b-12d3-a456-426614174111',
    }),
  },
}

const row = (n: number): Row => ({
  title: `Venue ${n}`,
  url: `https://example.org/${n}`,
  snippet: `About ${n}`,
})
const names = Object.keys(services)

async function ask(
  name: string,
  answer: Answer,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  server.answers(answer)
  const service = services[name]
  if (service === undefined) throw new Error(name)
  const signal = options.signal ?? new AbortController().signal
  return await service
    .provider(options.timeoutMs)
    .search({ text: 'venues in Lisbon 场地', limit: 3, signal })
}
const found = (name: string, rows: Row[]) => ({ json: services[name]?.found(rows) })
const hitsOf = (outcome: SearchOutcome): SearchHit[] => (outcome.ok ? outcome.hits : [])

describe.each(names)('%s', (name) => {
  it('gives the top 3, in order (F1)', async () => {
    expect(await ask(name, found(name, [1, 2, 3, 4, 5].map(row)))).toEqual({
      ok: true,
      hits: [1, 2, 3].map(row),
    })
  })

  it('gives nothing when nothing was found', async () => {
    const nothing = found(name, [])
    const json = {
      ...(nothing.json as object),
      ...(name === 'searxng' ? { unresponsive_engines: [] } : {}),
    }
    expect(await ask(name, { json })).toEqual({ ok: true, hits: [] })
  })

  it('cleans titles and excerpts, and drops what is no web page or there twice (S4)', async () => {
    const rows = [
      { title: 'x', url: 'javascript:alert(1)', snippet: null },
      { title: 'x', url: 'file:///etc/passwd', snippet: null },
      { title: 'x', url: 'https://me:secret@example.org/', snippet: null },
      {
        title: '<b>Fish &amp; chips</b>',
        url: 'https://example.org/a',
        snippet: 'a <strong>b</strong>\n&lt;c&gt; &#39;d&#x27;',
      },
      { title: 'again', url: 'https://example.org/a', snippet: null },
      { title: '', url: 'https://example.org/b', snippet: null },
      { title: '长'.repeat(500), url: 'https://example.org/c', snippet: 'y'.repeat(5000) },
    ]
    const hits = hitsOf(await ask(name, found(name, rows)))
    expect(hits.slice(0, 2)).toEqual([
      { title: 'Fish & chips', url: 'https://example.org/a', snippet: "a b <c> 'd'" },
      { title: 'example.org', url: 'https://example.org/b', snippet: '' },
    ])
    expect(Array.from(hits[2]?.title ?? '')).toHaveLength(120)
    expect(hits[2]?.snippet).toHaveLength(300)
  })

  it('says how long it takes no more requests, if it is told', async () => {
    const error = { status: 429, text: 'Too Many Requests' }
    expect(await ask(name, { ...error, headers: { 'retry-after': '42' } })).toEqual({
      ok: false,
      problem: { code: 'limited', retryAfterSeconds: 42 },
    })
    for (const after of [undefined, 'Wed, 21 Oct 2026 07:28:00 GMT', '-1']) {
      const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after }
      expect(await ask(name, { ...error, headers })).toEqual({
        ok: false,
        problem: { code: 'limited', retryAfterSeconds: null },
      })
    }
  })

  it.each([
    ['an HTML page', { text: '<!doctype html><title>Log in</title>' }],
    [
      'JSON that is cut off',
      {
        text: '{"type":"search","results":[{"url":"https://exam',
        headers: { 'content-type': 'application/json' },
      },
    ],
    ['another shape', { json: { data: [] } }],
    ['a list', { json: [] }],
    ['null', { json: null }],
    ['an empty body', { text: '' }],
    ['too much', { text: `{"type":"search","results":[],"x":"${'x'.repeat(3_000_000)}"}` }],
  ])('cannot read %s', async (_, answer) => {
    expect(await ask(name, answer)).toEqual({ ok: false, problem: { code: 'unreadable' } })
  })

  it('skips rows that are not as they should be', async () => {
    const body = JSON.stringify(services[name]?.found([row(1), row(2)])).replace(
      '"Venue 1"',
      '[17]',
    )
    expect(hitsOf(await ask(name, { text: body }))).toEqual([row(2)])
  })

  const outOfOrder: [string, Answer][] = [
    ['an HTML error page', { status: 502, text: '<html><h1>Bad gateway</h1></html>' }],
    ['a failure in JSON', { status: 500, json: { detail: { error: 'Internal Server Error' } } }],
    ['a missing page', { status: 404, text: 'not found' }],
    ['a connection that breaks', (response) => void response.destroy()],
    [
      'a body that breaks off',
      (response) => {
        response
          .writeHead(200, { 'content-length': '1000' })
          .write('{"results":[', () => response.destroy())
      },
    ],
  ]
  it.each(outOfOrder)('is out of order: %s', async (_, answer) => {
    expect(await ask(name, answer)).toEqual({ ok: false, problem: { code: 'unavailable' } })
  })

  it('follows no redirect, so that no key travels (S7)', async () => {
    const headers = { location: `${server.url}/elsewhere` }
    expect(await ask(name, { status: 302, headers, text: '' })).toEqual({
      ok: false,
      problem: { code: 'moved' },
    })
    expect(server.asked).toHaveLength(1)
  })

  it('stops waiting at its time-out', async () => {
    expect(await ask(name, () => {}, { timeoutMs: 50 })).toEqual({
      ok: false,
      problem: { code: 'timed_out' },
    })
    const slow: Answer = (response) => void response.writeHead(200).write('{')
    expect(await ask(name, slow, { timeoutMs: 50 })).toEqual({
      ok: false,
      problem: { code: 'timed_out' },
    })
  })

  it('stops when it is told to, before and while it waits', async () => {
    const stopped = { ok: false, problem: { code: 'stopped' } }
    expect(await ask(name, found(name, [row(1)]), { signal: AbortSignal.abort() })).toEqual(stopped)
    const controller = new AbortController()
    expect(await ask(name, () => controller.abort(), { signal: controller.signal })).toEqual(
      stopped,
    )
  })

  it('cannot be reached where nobody listens', async () => {
    const nowhere = { fetch, url: 'http://127.0.0.1:1/', key }
    const create = { searxng: createSearxng, brave: createBrave, tavily: createTavily }[name]
    const outcome = await create?.(nowhere).search({
      text: 'x',
      limit: 3,
      signal: new AbortController().signal,
    })
    expect(outcome).toEqual({ ok: false, problem: { code: 'unavailable' } })
  })

  it('gives its key to nobody but the service (S7)', async () => {
    const echo = { detail: { error: `bad key ${key}` }, error: { code: key, detail: key } }
    const outcomes = []
    for (const status of [400, 401, 403, 422, 429, 500])
      outcomes.push(await ask(name, { status, json: echo }))
    expect(JSON.stringify(outcomes)).not.toContain(key)
    expect(
      server.asked.some(({ path, query }) => JSON.stringify([path, query]).includes(key)),
    ).toBe(false)
  })
})

describe('SearXNG', () => {
  it('is asked below its own path', async () => {
    await ask('searxng', found('searxng', []))
    expect(server.asked[0]).toMatchObject({
      method: 'GET',
      path: '/searx/search',
      query: { q: 'venues in Lisbon 场地', format: 'json', categories: 'general' },
    })
  })

  it('refuses JSON until its operator allows it: 403', async () => {
    const page = '<!doctype html><html lang=en><title>403 Forbidden</title><h1>Forbidden</h1>'
    expect(await ask('searxng', { status: 403, text: page })).toEqual({
      ok: false,
      problem: { code: 'format_off' },
    })
  })

  it('is out of order when no engine of it answered', async () => {
    const json = {
      query: 'x',
      number_of_results: 0,
      results: [],
      unresponsive_engines: [['google', 'Suspended: CAPTCHA']],
    }
    expect(await ask('searxng', { json })).toEqual({ ok: false, problem: { code: 'unavailable' } })
  })
})

describe('Brave', () => {
  const error = (status: number, code: string, component: string) => ({
    type: 'ErrorResponse',
    error: {
      id: '5d832250-9396-4f6e-b84a-2a1fe524cd7d',
      status,
      code,
      detail: 'a detail',
      meta: { component },
    },
    time: 1_663_072_993,
  })

  it('is asked with its header', async () => {
    await ask('brave', found('brave', []))
    expect(server.asked[0]).toMatchObject({
      method: 'GET',
      path: '/res/v1/web/search',
      query: {
        q: 'venues in Lisbon 场地',
        count: '3',
        search_lang: 'zh-hans',
        text_decorations: 'false',
      },
      headers: { 'x-subscription-token': key, accept: 'application/json' },
    })
  })

  it('answers a wrong key with 422', async () => {
    const refused = { ok: false, problem: { code: 'key_refused' } }
    const body = error(422, 'SUBSCRIPTION_TOKEN_INVALID', 'authentication')
    expect(await ask('brave', { status: 422, json: body })).toEqual(refused)
    const { error: one, ...rest } = body
    expect(await ask('brave', { status: 422, json: { ...rest, errors: [one] } })).toEqual(refused)
    expect(await ask('brave', { status: 401, json: body })).toEqual(refused)
    const invalid = error(422, 'VALIDATION', 'validation')
    expect(await ask('brave', { status: 422, json: invalid })).toEqual({
      ok: false,
      problem: { code: 'refused' },
    })
  })

  it('tells by its headers whether the second or the month is used up', async () => {
    const limited = (remaining: string) =>
      ask('brave', {
        status: 429,
        json: error(429, 'RATE_LIMITED', 'rate_limiter'),
        headers: {
          'x-ratelimit-limit': '1, 15000',
          'x-ratelimit-policy': '1;w=1, 15000;w=2592000',
          'x-ratelimit-remaining': remaining,
          'x-ratelimit-reset': '1, 1419704',
        },
      })
    expect(await limited('0, 1000')).toEqual({
      ok: false,
      problem: { code: 'limited', retryAfterSeconds: 1 },
    })
    expect(await limited('0, 0')).toEqual({ ok: false, problem: { code: 'spent' } })
  })
})

describe('Tavily', () => {
  it('is asked by POST with a bearer key', async () => {
    await ask('tavily', found('tavily', []))
    expect(server.asked[0]).toMatchObject({
      method: 'POST',
      path: '/search',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({
      query: 'venues in Lisbon 场地',
      max_results: 3,
      search_depth: 'basic',
    })
  })

  it.each([
    [400, 'refused', 'Query is too long. Max query length is 400 characters.'],
    [401, 'key_refused', 'Unauthorized: missing or invalid API key.'],
    [432, 'spent', "This request exceeds your plan's set usage limit."],
    [433, 'spent', 'This request exceeds the pay-as-you-go limit.'],
  ])('answers %i: %s', async (status, code, message) => {
    const outcome = await ask('tavily', { status, json: { detail: { error: message } } })
    expect(outcome).toEqual({ ok: false, problem: { code } })
  })
})
