import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

type Params = Record<string, unknown>

export interface Serving {
  url: string
  /** Requests and notifications of clients, by method. */
  heard: { method: string; params: Params }[]
  /** Number of calls that the server has not ended. */
  answering(): number
  close(): Promise<void>
}

/** Sessions of the protocol's own server, one for each client. */
export function createSessions(serverFor: () => McpServer) {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return {
    async handle(request: IncomingMessage, response: ServerResponse, body: unknown) {
      const id = String(request.headers['mcp-session-id'] ?? '')
      let transport = sessions.get(id)
      if (transport === undefined) {
        const opening = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (fresh) => void sessions.set(fresh, opening),
        })
        transport = opening
        await serverFor().connect(opening as never)
      }
      await transport.handleRequest(request, response, body)
    },
    async close() {
      for (const one of sessions.values()) await one.close()
    },
  }
}

/** Serves the protocol's own server over HTTP on loopback; `serverFor` gets its origin. */
export async function serveMcp(serverFor: (origin: string) => McpServer): Promise<Serving> {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const heard: Serving['heard'] = []
  const sessions = createSessions(() => serverFor(origin))
  let answering = 0
  http.on('request', async (request, response) => {
    const body = request.method === 'POST' ? ((await json(request)) as Params) : undefined
    const { method, params = {} } = body ?? {}
    if (typeof method === 'string') heard.push({ method, params: params as Params })
    if (method === 'tools/call') {
      answering += 1
      response.once('close', () => {
        answering -= 1
      })
    }
    await sessions.handle(request, response, body)
  })
  return {
    heard,
    answering: () => answering,
    url: `${origin}/mcp`,
    async close() {
      await sessions.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
