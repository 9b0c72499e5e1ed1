import { z } from 'zod'
import { createWebClient } from './api.ts'
import type { SlackAccess, SlackDeps } from './deps.ts'
import type { Installation } from './installations.ts'

/** Time before expiry at which a token is renewed. Rotating tokens last twelve hours. */
const beforeMs = 2 * 60 * 60 * 1_000
/**
 * Time that one process has for a renewal. The old token still works; afterwards the next process
 * tries.
 */
export const renewalMs = 30_000

const Renewed = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Lifetime in seconds. */
  expires_in: z.number(),
})

export const isEnding = ({ expiresAt }: Installation, now: number) =>
  expiresAt !== undefined && expiresAt - now < beforeMs

/** Returns the installation with its next token. @throws Error if Slack does not grant one. */
export async function renewed(
  installation: Installation,
  { apiUrl, clock }: Pick<SlackDeps, 'apiUrl' | 'clock'>,
  { clientId, clientSecret }: Extract<SlackAccess, { kind: 'oauth' }>,
): Promise<Installation> {
  const access = Renewed.parse(
    await createWebClient(undefined, apiUrl).oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: installation.refreshToken ?? '',
    }),
  )
  return {
    ...installation,
    botToken: access.access_token,
    refreshToken: access.refresh_token,
    expiresAt: clock.now() + access.expires_in * 1_000,
  }
}
