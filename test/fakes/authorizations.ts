import { createHash, randomBytes } from 'node:crypto'

interface Code {
  user: string
  redirectUri: string
  nonce: string | null
  challenge: string | null
  scope: string
  until: number
}

/** How a platform hands out and takes back codes: once, for ten minutes, to the client and address that asked (RFC 6749, 7636). */
export function createAuthorizations(
  client: { id: string; secret: string },
  now: () => number = Date.now,
) {
  const codes = new Map<string, Code>()
  /** Addresses that the app is registered with. */
  const redirects = new Set<string>()
  const bearers = new Map<string, { user: string; scope: string }>()

  return {
    client,
    redirects,
    /** Who is at a browser that comes here by itself, and agrees; null: refuses. */
    visitor: { id: null as string | null },
    /** What a browser that was sent there comes back with, when its person agrees, or not (null). */
    agree(address: string, user: string | null): string {
      const asked = new URL(address).searchParams
      const of = (name: string) => asked.get(name) ?? ''
      const redirectUri = of('redirect_uri')
      if (of('client_id') !== client.id || of('response_type') !== 'code' || of('state') === '')
        throw new Error('the platform shows an error: not a request of this app')
      if (!redirects.has(redirectUri))
        throw new Error(`the platform shows an error: ${redirectUri} is not registered`)
      if (asked.has('code_challenge') && of('code_challenge_method') !== 'S256')
        throw new Error('only S256 is taken')
      const back = new URL(redirectUri)
      back.searchParams.set('state', of('state'))
      if (user === null) {
        back.searchParams.set('error', 'access_denied')
        return back.href
      }
      const code = randomBytes(16).toString('hex')
      codes.set(code, {
        ...{ user, redirectUri, nonce: asked.get('nonce'), challenge: asked.get('code_challenge') },
        ...{ scope: of('scope'), until: now() + 10 * 60_000 },
      })
      back.searchParams.set('code', code)
      return back.href
    },
    /** What the app gets for a code. Showing one twice takes back what it gave. */
    exchange(form: Record<string, string>): (Code & { accessToken: string }) | { error: string } {
      const code = codes.get(form.code ?? '')
      codes.delete(form.code ?? '')
      if (form.client_id !== client.id || form.client_secret !== client.secret)
        return { error: 'invalid_client' }
      const verifier = createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url')
      const isRight =
        code !== undefined &&
        form.grant_type === 'authorization_code' &&
        code.until > now() &&
        code.redirectUri === form.redirect_uri &&
        (code.challenge === null ? form.code_verifier === undefined : code.challenge === verifier)
      if (!isRight) return { error: 'invalid_grant' }
      const accessToken = randomBytes(16).toString('hex')
      bearers.set(accessToken, { user: code.user, scope: code.scope })
      return { ...code, accessToken }
    },
    /** Whose bearer it is, if it was granted that. */
    bearer(authorization: string, scope: string): string | null {
      const known = bearers.get(authorization.replace(/^Bearer /, ''))
      return known?.scope.split(' ').includes(scope) ? known.user : null
    },
  }
}
