import { splitWhen } from '../../commands/when.ts'
import type { Clause } from './request.ts'
import { readable, trimEnd } from './text.ts'

/** Whoever asks to be reminded wants to be told, and no work (F13). */
const reminds =
  /\bremind (?:me|us|everyone|everybody|the [a-z]+) (?:to|of|about|that) |(?:请|麻烦)?提醒(?:我们|我|大家|团队)?(?=\p{Script=Han})/iu

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
    command: reminds.test(split.rest) ? `add ${line.replace(reminds, '')} --note` : `add ${line}`,
    tool: 'schedule',
  }
}
