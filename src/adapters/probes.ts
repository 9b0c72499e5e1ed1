import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Longest time that a probe waits for its report, in ms. */
const withinMs = { '/healthz': 500, '/readyz': 2_000 } as const

/** Part of the health report that decides the status; the rest is only passed on. */
interface Report {
  ok: boolean
  /** `stuck`: only a new process can help. */
  store: { stuck?: boolean }
}

export interface ProbesDeps {
  host: string
  port: number
  /** Bearer that shows more than one word, and the metrics; null: nobody needs one. */
  token: string | null
  health(withinMs: number): Promise<Report>
  metrics(): Promise<string>
}

interface Answer {
  status: number
  type?: string
  body: string
}

/**
 * HTTP of a process without the page: `/healthz`, `/readyz` and `/metrics`, as the page's process
 * answers them (P19, C473).
 *
 * `listen` answers the address, or null when another process has the port: work does not wait for a
 * probe.
 */
export function createProbes(deps: ProbesDeps) {
  const server = createServer((request, response) => {
    void answerTo(deps, request)
      .catch(() => ({ status: 500, body: '' }))
      .then((answer) => write(response, answer))
  })
  return {
    async listen() {
      server.listen(deps.port, deps.host)
      try {
        await once(server, 'listening')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null
        throw error
      }
      const bound = server.address()
      const port = typeof bound === 'object' && bound !== null ? bound.port : deps.port
      return `http://${deps.host}:${port}`
    },
    async stop() {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answerTo(
  deps: ProbesDeps,
  { method, url, headers }: IncomingMessage,
): Promise<Answer> {
  const path = (url ?? '').split('?', 1)[0]
  const isOperator = deps.token === null || shows(headers.authorization, deps.token)
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: '' }
  if (path === '/metrics') {
    return isOperator
      ? {
          status: 200,
          type: 'text/plain; version=0.0.4; charset=utf-8',
          body: await deps.metrics(),
        }
      : { status: 401, body: '' }
  }
  if (path !== '/healthz' && path !== '/readyz') return { status: 404, body: '' }
  const report = await deps.health(withinMs[path])
  const isFit = path === '/readyz' ? report.ok : report.store.stuck !== true
  const shown = isOperator ? report : { ok: report.ok }
  return { status: isFit ? 200 : 503, type: 'application/json', body: JSON.stringify(shown) }
}

function write(response: ServerResponse, { status, type, body }: Answer): void {
  if (type !== undefined) response.setHeader('content-type', type)
  if (status === 401) response.setHeader('www-authenticate', 'Bearer')
  response.writeHead(status)
  response.end(body)
}

/**
 * True if the header is this bearer, compared in a time that says nothing about where the two
 * differ.
 */
function shows(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}
