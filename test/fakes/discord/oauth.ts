import type { IncomingMessage } from 'node:http'
import type { createAuthorizations } from '../authorizations.ts'
import type { World } from './world.ts'

/** What is asked for a person who signed in with Discord, not for the bot; null: it is none of that. */
export function answerPeople(
  {
    authorizations,
    world,
  }: { authorizations: ReturnType<typeof createAuthorizations>; world: World },
  {
    method,
    path,
    bytes,
    raw,
  }: { method: string; path: string; bytes: Buffer; raw: IncomingMessage },
): { status: number; body: unknown } | null {
  if (method === 'POST' && path === '/api/oauth2/token') {
    const granted = authorizations.exchange(
      Object.fromEntries(new URLSearchParams(bytes.toString())),
    )
    if ('error' in granted) return { status: 400, body: granted }
    const { accessToken: access_token, scope } = granted
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 604_800, scope } }
  }
  const authorization = raw.headers.authorization ?? ''
  if (!authorization.startsWith('Bearer ')) return null
  const scope = path === '/users/@me' ? 'identify' : path === '/users/@me/guilds' ? 'guilds' : ''
  const user = authorizations.bearer(authorization, scope)
  if (user === null) return { status: 401, body: { code: 0, message: '401: Unauthorized' } }
  if (scope === 'identify') return { status: 200, body: world.users.get(user) }
  const guilds = [...world.guilds.values()].filter(({ members }) => members?.has(user))
  return { status: 200, body: guilds.map(({ id, name }) => ({ id, name })) }
}
