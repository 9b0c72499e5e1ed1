import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from './limits.ts'

/**
 * S6: whether a request comes from Slack: the signature is over the bytes as they came, in constant time, and a request
 * that is older (or newer) than five minutes is a replay.
 *
 * @param now in milliseconds.
 */
export function isSigned(secret: string, headers: Headers, raw: string, now: number): boolean {
  const stamp = headers.get('x-slack-request-timestamp') ?? ''
  const given = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(now / 1_000 - Number(stamp)) > limits.signatureSeconds) return false
  return isSame(given, `v0=${createHmac('sha256', secret).update(`v0:${stamp}:${raw}`).digest('hex')}`)
}

/** Whether two secrets are one, in constant time for their length; never for what is blank. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}
