import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
}

/** What the server answers next: a status, headers and a body, or anything that needs the bare response. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | ((response: ServerResponse) => void)

/** A search service on a loopback port that speaks whatever it is told to and remembers what it was asked. */
export async function startSearchServer() {
  const asked: Asked[] = []
  let answer: Answer = {}

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://localhost')
    asked.push({
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    if (typeof answer === 'function') return answer(response)
    const { status = 200, headers = {}, json, text = JSON.stringify(json) } = answer
    const type = json === undefined ? 'text/html; charset=utf-8' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answers(next: Answer) {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
