import { z } from 'zod'

/** An entry of the event log. Ids are two numbers, `<ms>-<n>`, and only rise. */
export interface LoggedEvent {
  id: string
  body: string
}

/**
 * Log of what was shown in the web channel, in order, kept long enough for a browser to catch up
 * after a disconnect.
 *
 * Contract: appending with a key that was used in the last 24 h is a no-op that returns the first
 * id. `read` returns as soon as there is an entry behind `after`, at the latest after `waitMs` or
 * when the signal aborts. `lost` means that entries behind `after` were trimmed. Everything throws
 * while the store fails.
 */
export interface EventLog {
  append(key: string | null, body: string): Promise<string>
  /** Id under which a key was appended, or null. */
  find(key: string): Promise<string | null>
  read(options: {
    after: string
    limit: number
    waitMs: number
    signal: AbortSignal
  }): Promise<{ events: LoggedEvent[]; lost: boolean }>
  /**
   * Says that pages are served here, and for a minute if one is open (C557). Absent: always shown.
   */
  watch?(isOpen: boolean): Promise<void>
  /** Id of the newest entry; reading behind it waits for new ones. */
  position(): Promise<string>
  close(): Promise<void>
}

/** Fields that every entry has; the rest is passed on to the client as it is. */
const Envelope = z.looseObject({
  kind: z.enum(['delivery', 'progress', 'changed']),
  conversationId: z.string(),
  /** Workspace; defaults to the operators' own. */
  workspace: z.string().optional(),
  /** Only person who may see it. */
  to: z.string().optional(),
})
export type WebEvent = z.infer<typeof Envelope>

/** End of a session, or of all of a person's. It is not sent to pages; it ends their streams. */
const SignedOut = z.object({ kind: z.literal('signed_out'), session: z.string() })
export const signedOut = (session: string): string =>
  JSON.stringify({ kind: 'signed_out', session } satisfies z.infer<typeof SignedOut>)
export const endedIn = (body: string): string | null =>
  body.startsWith('{"kind":"signed_out"')
    ? (SignedOut.safeParse(JSON.parse(body)).data?.session ?? null)
    : null

/** Parses an entry; null for an event of another version that this one does not know. */
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
