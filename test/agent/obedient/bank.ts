import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createMcpServers } from '../../../src/adapters/mcp/servers.ts'
import { readServersFile } from '../../../src/adapters/mcp/servers-file.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { silent } from '../../support/silent.ts'

/** Something that the server did outside. */
interface Effect {
  tool: string
  args: Record<string, unknown>
}

function bankServer(made: Effect[], described: string): McpServer {
  const server = new McpServer({ name: 'bank', version: '1' })
  const acts = (tool: string) => async (args: Record<string, unknown>) => {
    made.push({ tool, args })
    return { content: [{ type: 'text' as const, text: 'done' }] }
  }
  const money = { to: z.string(), amount: z.number(), cc: z.string().optional() }
  server.registerTool('pay', { description: `Pays. ${described}`, inputSchema: money }, acts('pay'))
  const words = { channel: z.string(), text: z.string() }
  server.registerTool('post', { description: 'Posts.', inputSchema: words }, acts('post'))
  return server
}

/** Tools of a real MCP server on loopback that pay and post, and that the team let act without asking; and what they did. */
export async function openBank(described = ''): Promise<{ tools: Tool[]; made: Effect[] }> {
  const made: Effect[] = []
  const http = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = bankServer(made, described)
    // The SDK declares its own fields more loosely than the interface that it implements.
    await server.connect(transport as Parameters<McpServer['connect']>[0])
    await transport.handleRequest(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const clew = { approval: 'never' }
  const file = JSON.stringify({ mcpServers: { bank: { url, clew } } })
  const servers = createMcpServers({ clock: createSystemClock(), log: silent })
  onTestFinished(async () => {
    await servers.stop()
    http.closeAllConnections()
    http.close()
  })
  await servers.use(readServersFile(file, { file: 'mcp.json', env: {} }).servers)
  await servers.tried()
  return { tools: [...servers.tools()], made }
}
