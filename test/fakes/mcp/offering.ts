import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { type Serving, serveMcp } from './http.ts'

export interface OfferingServer extends Serving {
  /** Effects outside, and calls that were cancelled, in order. */
  journal: string[]
}

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
const handbook = `${'word '.repeat(60_000)}The kestrel nests in the tower.`
const prices = 'Item,Price\nBolt,1.50\nNut,2.25\n'
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The protocol's own server with resources, prompts and a call that takes long. */
export async function startOffering(): Promise<OfferingServer> {
  const journal: string[] = []
  const serving = await serveMcp(() => offeringOf(journal))
  return Object.assign(serving, { journal })
}

function offeringOf(journal: string[]): McpServer {
  const server = new McpServer({ name: 'offering', version: '1' })
  const about = { description: 'How we work', mimeType: 'text/plain' }
  server.registerResource('Handbook', 'shelf://handbook', about, async ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: handbook }],
  }))
  server.registerResource('Prices', 'shelf://prices', {}, async ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/csv', text: prices }],
  }))
  server.registerResource('Logo', 'shelf://logo.png', {}, async ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: png }],
  }))
  const notes = new ResourceTemplate('note://{name}', { list: undefined })
  server.registerResource('Notes', notes, {}, async ({ href: uri }, { name }) => ({
    contents: [{ uri, text: `The note of ${String(name)}.` }],
  }))
  const reads = { annotations: { readOnlyHint: true } }
  server.registerTool('find', { description: 'Finds.', ...reads }, async () => ({
    content: [
      { type: 'resource_link' as const, uri: 'note://ana', name: 'Ana’s note' },
      { type: 'resource' as const, resource: { uri: 'shelf://handbook', text: handbook } },
    ],
  }))
  server.registerTool(
    'work',
    { description: 'Works long.', inputSchema: { steps: z.number() } },
    async ({ steps }, { signal, sendNotification, _meta }) => {
      const progressToken = _meta?.progressToken
      for (let progress = 1; progress <= steps && progressToken !== undefined; progress += 1) {
        const params = { progressToken, progress, total: steps, message: `Page ${progress}` }
        await sendNotification({ method: 'notifications/progress', params })
      }
      journal.push('works')
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      journal.push('cancelled')
      return text('never')
    },
  )
  server.registerTool('grow', { description: 'Adds.' }, async () => {
    server.registerTool('extra', { description: 'New.' }, async () => text('extra'))
    server.registerResource('New', 'shelf://new', {}, async () => ({ contents: [] }))
    return text('grown')
  })
  server.registerPrompt(
    'review',
    {
      title: 'Review',
      description: 'Reviews a text.',
      argsSchema: { topic: z.string().describe('What it is about'), tone: z.string().optional() },
    },
    ({ topic, tone = 'plain' }) => ({
      messages: [
        {
          role: 'user' as const,
          content: { type: 'text' as const, text: `Review ${topic} in a ${tone} tone.` },
        },
      ],
    }),
  )
  return server
}
