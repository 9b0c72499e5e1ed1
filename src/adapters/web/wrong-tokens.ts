import { createHmac } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../agent/domain/at-most.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import { limits } from './limits.ts'
import { refuse } from './problems.ts'

export const digest = (text: string): Buffer => createHmac('sha256', 'clew').update(text).digest()

/**
 * Counts wrong tokens by address, so that guessing from elsewhere locks nobody out (S14). Guessing
 * a token also guesses the cookie, so a wrong value counts wherever it is sent.
 *
 * @param proxies number of proxies before the page; without one, X-Forwarded-For is ignored.
 */
export function createWrongTokens({ clock, proxies }: { clock: Clock; proxies: number }) {
  const wrong = new LRUCache<string, Set<string>>(atMost(limits.guessers))

  /** Wrong values of this minute, from the request's address. */
  function of(c: Context): Set<string> {
    const key = `${Math.floor(clock.now() / 60_000)} ${addressOf(c, proxies)}`
    const digests = wrong.get(key) ?? new Set()
    wrong.set(key, digests)
    return digests
  }

  return {
    /** Refuses an address with too many attempts. */
    refuse(c: Context): void {
      if (of(c).size >= limits.guessesPerMinute) refuse('too_many_attempts')
    },
    /** Counts a wrong value, once per value: a client with an old token is not guessing. */
    note: (c: Context, what: string) => void of(c).add(digest(what).toString('base64')),
  }
}

/**
 * Address of the client. One owner usually has a whole /64 of IPv6, so its addresses count as one.
 */
function addressOf(c: Context, proxies: number): string {
  const heard = (c.req.header('x-forwarded-for') ?? '').split(',').map((one) => one.trim())
  const said = proxies === 0 ? undefined : heard.at(-proxies)
  const text = said || (getConnInfo(c).remote.address ?? '')
  if (!ipaddr.isValid(text)) return text.slice(0, 100)
  const address = ipaddr.process(text)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}
