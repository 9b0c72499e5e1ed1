import { splitWhen } from '../../commands/when.ts'
import type { Clause } from './request.ts'
import { readable, trimEnd } from './text.ts'

/** Rules name no day of their own, so any clock will do to find them. */
const frame = { now: 0, timeZone: 'UTC' }

/**
 * “Every weekday at nine, post what is due today”: a request with a rule in it is a schedule, whatever it asks for.
 *
 * @param plain takes the courtesies off.
 * @returns null when no rule stands at its beginning or end.
 */
export function readScheduling(text: string, plain: (text: string) => string): Clause | null {
  const line = trimEnd(plain(readable(text).replace(/\s+/g, ' ')))
  const split = splitWhen(line, frame)
  if (split === null || split.when.kind === 'once' || !/[\p{L}\p{N}]/u.test(split.rest)) return null
  return {
    kind: 'todos',
    text: line,
    object: split.rest,
    purpose: null,
    given: true,
    names: [],
    reminds: false,
    command: `add ${line}`,
    tool: 'schedule',
  }
}
