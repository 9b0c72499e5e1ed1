import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  InvalidGrantError,
  InvalidTokenError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'
import { createSessions } from './http.ts'

export interface SignedServer {
  url: string
  /** Who is at the browser that comes to agree; `null`: declines. */
  visitor: string | null
  /** What calls noted, with whose token. */
  journal: string[]
  /** Tokens that hold now, with their person. */
  tokens: Map<string, string>
  /** Renewals that were granted. */
  renewals: number
  /** True once the server takes no refresh token any more. */
  isRevoked: boolean
  close(): Promise<void>
}

/** The protocol's own server with its own OAuth router, on loopback: each call says whose token it has. */
export async function startSigned(): Promise<SignedServer> {
  const app = createMcpExpressApp()
  const http = app.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const clients = new Map<string, OAuthClientInformationFull>()
  const codes = new Map<string, { person: string; challenge: string }>()
  const refresh = new Map<string, string>()
  const server: SignedServer = {
    url: `${origin}/mcp`,
    visitor: null,
    journal: [],
    tokens: new Map(),
    renewals: 0,
    isRevoked: false,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  const grant = (person: string) => {
    const [access_token, refresh_token] = [`a-${randomUUID()}`, `r-${randomUUID()}`]
    server.tokens.set(access_token, person)
    refresh.set(refresh_token, person)
    return { access_token, refresh_token, token_type: 'bearer', expires_in: 3_600 }
  }
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient(client) {
        const whole = { ...client, client_id: randomUUID(), client_id_issued_at: 0 }
        clients.set(whole.client_id, whole)
        return whole
      },
    },
    async authorize(_, params, response) {
      const back = new URL(params.redirectUri)
      if (params.state !== undefined) back.searchParams.set('state', params.state)
      if (server.visitor === null) back.searchParams.set('error', 'access_denied')
      else {
        const code = randomUUID()
        codes.set(code, { person: server.visitor, challenge: params.codeChallenge })
        back.searchParams.set('code', code)
      }
      response.redirect(back.href)
    },
    challengeForAuthorizationCode: async (_, code) => codes.get(code)?.challenge ?? '',
    async exchangeAuthorizationCode(_, code) {
      const found = codes.get(code)
      codes.delete(code)
      if (found === undefined) throw new InvalidGrantError('no such code')
      return grant(found.person)
    },
    async exchangeRefreshToken(_, token) {
      const person = refresh.get(token)
      refresh.delete(token)
      if (person === undefined || server.isRevoked) throw new InvalidGrantError('revoked')
      server.renewals += 1
      return grant(person)
    },
    async verifyAccessToken(token) {
      const person = server.tokens.get(token)
      if (person === undefined) throw new InvalidTokenError('no such token')
      const expiresAt = Date.now() / 1_000 + 3_600
      return { token, clientId: 'c', scopes: [], expiresAt, extra: { person } }
    },
    async revokeToken(_, { token }) {
      refresh.delete(token)
      server.journal.push('revoked')
    },
  }
  const tools = () => {
    const own = new McpServer({ name: 'signed', version: '1' })
    own.registerTool(
      'note',
      { description: 'Notes.', inputSchema: { line: z.string() } },
      async ({ line }, { authInfo }) => {
        server.journal.push(`${authInfo?.extra?.person}: ${line}`)
        return { content: [{ type: 'text', text: `noted as ${authInfo?.extra?.person}` }] }
      },
    )
    own.registerTool('grow', { description: 'Adds.' }, async () => {
      own.registerTool('extra', { description: 'New.' }, async () => ({ content: [] }))
      return { content: [{ type: 'text', text: 'grown' }] }
    })
    own.registerResource('Inbox', 'mail://inbox', {}, async ({ href: uri }, { authInfo }) => ({
      contents: [{ uri, text: `Of ${authInfo?.extra?.person}. `.repeat(5_000) }],
    }))
    return own
  }
  const resourceServerUrl = new URL(server.url)
  app.use(mcpAuthRouter({ provider, issuerUrl: new URL(origin), resourceServerUrl }))
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl)
  const sessions = createSessions(tools)
  app.all(
    '/mcp',
    requireBearerAuth({ verifier: provider, resourceMetadataUrl }),
    (request, response) => sessions.handle(request, response, request.body),
  )
  return server
}
