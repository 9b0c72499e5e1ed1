import * as oauth from 'oauth4webapi'
import type { SignIn } from '../../agent/ports/members.ts'

/**
 * Sign-in settings of a platform for the OAuth 2 authorization code grant, with OpenID Connect
 * where it issues an `id_token`.
 */
export interface Provider {
  issuer: string
  authorize: string
  token: string
  clientId: string
  clientSecret: string
  scope: string
  /**
   * Protection of the code: `nonce` if the platform issues an `id_token`, which must name this
   * sign-in; else PKCE (RFC 7636).
   */
  binds: 'nonce' | 'pkce'
}

const answerMs = 10_000

export async function authorizeUrl(
  { authorize, clientId, scope, binds }: Provider,
  { redirectUri, state, nonce, verifier }: SignIn,
): Promise<string> {
  const challenge = {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  const to = new URL(authorize)
  to.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope,
    redirect_uri: redirectUri,
    state,
    ...(binds === 'nonce' ? { nonce } : challenge),
  }).toString()
  return to.href
}

export type Granted =
  | { kind: 'granted'; accessToken: string; claims: oauth.IDToken | undefined }
  | { kind: 'refused' | 'failed' }

/**
 * Exchanges the authorization code from the browser for a token. `refused`: the person declined.
 * Never throws and never reveals the code.
 */
export async function grantOf(provider: Provider, signIn: SignIn, back: URL): Promise<Granted> {
  const { issuer, authorize, token, clientId, clientSecret, binds } = provider
  const server = { issuer, authorization_endpoint: authorize, token_endpoint: token }
  const client = { client_id: clientId, [oauth.clockTolerance]: 60 }
  // Only a stand-in server on this machine has no TLS.
  const insecure = { [oauth.allowInsecureRequests]: token.startsWith('http:') }
  const signal = AbortSignal.timeout(answerMs)
  try {
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(clientSecret),
      oauth.validateAuthResponse(server, client, back, signIn.state),
      signIn.redirectUri,
      binds === 'pkce' ? signIn.verifier : oauth.nopkce,
      { ...insecure, signal },
    )
    const expected = binds === 'nonce' ? { expectedNonce: signIn.nonce, requireIdToken: true } : {}
    const granted = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
    return {
      kind: 'granted',
      accessToken: granted.access_token,
      claims: oauth.getValidatedIdTokenClaims(granted),
    }
  } catch (error) {
    const isRefused =
      error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied'
    return { kind: isRefused ? 'refused' : 'failed' }
  }
}
