import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  ElicitResultSchema,
  type ServerNotification,
  type ServerRequest,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type Serving, serveMcp } from './http.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
type Params = Record<string, unknown>

export interface AskingServer extends Serving {
  /** Effects outside, in order. */
  journal: string[]
  /** Addresses of pages that were opened. */
  opened: Set<string>
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

/** The protocol's own server with tools that ask. */
export async function startAsking(): Promise<AskingServer> {
  const shared = { journal: [] as string[], opened: new Set<string>() }
  const serving = await serveMcp((origin) => toolsOf(shared, origin))
  return Object.assign(serving, shared)
}
