import { createHmac } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../agent/ports/clock.ts'
import { limits } from './limits.ts'
import { refuse } from './problems.ts'

export const digest = (text: string): Buffer => createHmac('sha256', 'clew').update(text).digest()

/**
 * Wrong tokens, counted by the address that showed them, so that who guesses elsewhere locks nobody out (S14). Each guess of a token also
 * gives a guess of the cookie, so a wrong value counts as a try wherever it is sent.
 *
 * @param proxies how many of them stand before the page; without one, nobody's word for their address is taken.
 */
export function createWrongTokens({ clock, proxies }: { clock: Clock; proxies: number }) {
  const wrong = new LRUCache<string, Set<string>>({ max: limits.guessers })

  /** Of this minute. */
  function of(c: Context): Set<string> {
    const key = `${Math.floor(clock.now() / 60_000)} ${addressOf(c, proxies)}`
    const digests = wrong.get(key) ?? new Set()
    wrong.set(key, digests)
    return digests
  }

  return {
    /** Refuses who tried too often. */
    refuse(c: Context): void {
      if (of(c).size >= limits.guessesPerMinute) refuse({ code: 'too_many_attempts' })
    },
    /** One that was wrong. The same again is no new guess: a client with an old token tries no other. */
    note: (c: Context, what: string): void => void of(c).add(digest(what).toString('base64')),
  }
}

/** One owner usually has a whole /64 of IPv6, so its addresses count as one. */
function addressOf(c: Context, proxies: number): string {
  const heard = (c.req.header('x-forwarded-for') ?? '').split(',').map((one) => one.trim())
  const said = proxies === 0 ? undefined : heard.at(-proxies)
  const text = said || (getConnInfo(c).remote.address ?? '')
  if (!ipaddr.isValid(text)) return text.slice(0, 100)
  const address = ipaddr.process(text)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}
