import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  ElicitResultSchema,
  type ServerNotification,
  type ServerRequest,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
type Params = Record<string, unknown>

export interface AskingServer {
  url: string
  /** Effects outside, in order. */
  journal: string[]
  /** Requests and notifications of clients, by method. */
  heard: { method: string; params: Params }[]
  /** Number of answers that the server has not ended. */
  answering(): number
  /** Addresses of pages that were opened. */
  opened: Set<string>
  close(): Promise<void>
}

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

/** What a booking wants to know: an option, a number, a text that may be left blank. */
const booking = {
  message: 'Which room?',
  requestedSchema: {
    type: 'object',
    properties: {
      room: { type: 'string', enum: ['red', 'blue'], enumNames: ['Red', 'Blue'] },
      seats: { type: 'integer', minimum: 1, maximum: 9, title: 'Seats' },
      note: { type: 'string' },
    },
    required: ['room', 'seats'],
  },
}

/** Form that asks for something of a person's own. */
const contact = {
  message: 'Where do we send the ticket?',
  requestedSchema: {
    type: 'object',
    properties: { email: { type: 'string', format: 'email' } },
    required: ['email'],
  },
}

/** Tools that ask their person something. Each notes what it did when it has the answer. */
function toolsOf({ journal, opened }: Pick<AskingServer, 'journal' | 'opened'>, url: string) {
  const server = new McpServer({ name: 'asking', version: '1' })
  const asks = async (params: Params, extra: Extra, timeout = 600_000) =>
    await extra.sendRequest(
      { method: 'elicitation/create', params } as unknown as ServerRequest,
      ElicitResultSchema,
      { timeout },
    )
  const tell = (name: string, line: string) => {
    journal.push(`${name} ${line}`)
    return text(`${name}: ${line}`)
  }
  const keyed = { annotations: { idempotentHint: true } }
  const forms = { book: booking, ticket: contact }
  for (const [name, form] of Object.entries(forms))
    for (const [prefix, more] of [['', {}] as const, ['again_', keyed] as const])
      server.registerTool(
        `${prefix}${name}`,
        { description: `Does ${name}.`, inputSchema: { who: z.string() }, ...more },
        async ({ who }, extra) => {
          journal.push(`${name} begun for ${who}`)
          const { action, content } = await asks(form, extra)
          return tell(name, `${who} ${action} ${JSON.stringify(content ?? null)}`)
        },
      )
  server.registerTool(
    'hasty',
    { description: 'Waits for a moment only.', inputSchema: { who: z.string() } },
    async ({ who }, extra) => {
      const { action } = await asks(booking, extra, 300)
      return tell('hasty', `${who} ${action}`)
    },
  )
  server.registerTool(
    'aside',
    { description: 'Asks beside its own stream.', inputSchema: { who: z.string() } },
    async ({ who }) => {
      const { action } = await server.server.elicitInput(contact as never, { timeout: 600_000 })
      return tell('aside', `${who} ${action}`)
    },
  )
  server.registerTool(
    'page',
    { description: 'Wants a page to be opened.', inputSchema: { who: z.string() } },
    async ({ who }, extra) => {
      const page = { mode: 'url', message: 'Sign the form.', elicitationId: who }
      const { action } = await asks({ ...page, url: `${url}/form?for=${who}` }, extra)
      return tell('page', `${who} ${action}`)
    },
  )
  server.registerTool(
    'page_first',
    { description: 'Wants it before anything.', inputSchema: { who: z.string() } },
    async ({ who }) => {
      const at = `${url}/form?for=${who}`
      if (opened.has(at)) return tell('page_first', who)
      const page = { mode: 'url' as const, message: 'Sign first.', elicitationId: who, url: at }
      throw new UrlElicitationRequiredError([page])
    },
  )
  return server
}

async function bodyOf(request: IncomingMessage): Promise<Params> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** The protocol's own server over HTTP on loopback, with a session for each client. */
export async function startAsking(): Promise<AskingServer> {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const shared = { journal: [] as string[], opened: new Set<string>() }
  const heard: AskingServer['heard'] = []
  let answering = 0
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  http.on('request', async (request, response) => {
    const body = await bodyOf(request)
    if (body.method === 'tools/call') {
      answering += 1
      response.once('close', () => {
        answering -= 1
      })
    }
    if (typeof body.method === 'string')
      heard.push({ method: body.method, params: (body.params ?? {}) as Params })
    const id = String(request.headers['mcp-session-id'] ?? '')
    let transport = sessions.get(id)
    if (transport === undefined) {
      const opening = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (fresh) => void sessions.set(fresh, opening),
      })
      transport = opening
      await toolsOf(shared, origin).connect(opening as never)
    }
    await transport.handleRequest(request, response, request.method === 'POST' ? body : undefined)
  })
  return {
    ...shared,
    heard,
    answering: () => answering,
    url: `${origin}/mcp`,
    async close() {
      for (const one of sessions.values()) await one.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
