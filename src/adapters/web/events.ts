import { z } from 'zod'

/** An entry of the event log. Ids are two numbers, `<ms>-<n>`, and only rise. */
export interface LoggedEvent {
  id: string
  body: string
}

/**
 * What has been shown in the web channel, in order, kept long enough for a browser to catch up after a cut.
 *
 * Contract: appending with a key that was seen in the last 24 h changes nothing and answers the first id; `read` answers
 * as soon as there is something after `after`, at the latest after `waitMs` or when the signal aborts; `lost` says that
 * entries after `after` are no longer there. Everything throws when the store is away.
 */
export interface EventLog {
  append(key: string | null, body: string): Promise<string>
  /** The id under which a key was appended, or null. */
  find(key: string): Promise<string | null>
  read(options: {
    after: string
    limit: number
    waitMs: number
    signal: AbortSignal
  }): Promise<{ events: LoggedEvent[]; lost: boolean }>
  /** The id of the newest entry; reading after it waits for what is new. */
  position(): Promise<string>
  close(): Promise<void>
}

/** What every entry has; the rest is passed on to the client as it is. */
const Envelope = z.looseObject({
  kind: z.enum(['delivery', 'progress', 'changed']),
  conversationId: z.string(),
  /** Absent: the operators' own. */
  workspace: z.string().optional(),
  /** Only this person may see it. */
  to: z.string().optional(),
})
export type WebEvent = z.infer<typeof Envelope>

/** That a session ended, or all of a person's: no page is told, and the streams that it had end. */
const SignedOut = z.object({ kind: z.literal('signed_out'), session: z.string() })
export const signedOut = (session: string): string =>
  JSON.stringify({ kind: 'signed_out', session } satisfies z.infer<typeof SignedOut>)
export const endedIn = (body: string): string | null =>
  body.startsWith('{"kind":"signed_out"')
    ? (SignedOut.safeParse(JSON.parse(body)).data?.session ?? null)
    : null

/** An entry as an event, or null for one that another version wrote and this one does not know. */
export function eventOf(body: string): WebEvent | null {
  try {
    return Envelope.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}

export function isEventId(text: string): boolean {
  return /^\d{1,15}-\d{1,15}$/.test(text)
}

/** Negative when `a` came before `b`. */
export function compareEventIds(a: string, b: string): number {
  const [aMs = 0, aSeq = 0] = a.split('-').map(Number)
  const [bMs = 0, bSeq = 0] = b.split('-').map(Number)
  return aMs - bMs || aSeq - bSeq
}
