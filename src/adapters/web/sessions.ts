import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { Author } from '../../agent/domain/message.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Member } from '../../agent/ports/members.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { limits } from './limits.ts'

const SignedInMember = z.object({
  ...{ kind: z.literal('member'), platform: z.string(), key: z.string() },
  ...{ person: Author, workspaces: z.array(z.string()) },
})
/** Who is signed in. `token`: the digest of the token that an operator showed: another one ends the session. */
const Viewer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('operator'), token: z.string() }),
  SignedInMember,
])
export type SignedInViewer = z.infer<typeof Viewer>
const Stored = z.object({ version: z.literal(1), since: z.number(), viewer: Viewer })
export interface Session {
  /** The name under which it is stored: it opens nothing. */
  id: string
  viewer: SignedInViewer
}

/** Sessions lie beside the workspaces, in none of them. */
const drawer = 'web:sessions'
const hash = (value: string): string => createHash('sha256').update(value).digest('base64url')
/** Whether a cookie has the form of a session's value, which nobody can guess. */
export const isSessionValue = (text: string): boolean => /^[\w-]{43}$/.test(text)
export const ownerOf = (viewer: SignedInViewer): string =>
  viewer.kind === 'member' ? viewer.key : 'operator'
/** Everybody whose id on a platform this is, whichever that is. */
export const peopleWith = (id: string): string => `person:${id}`
/** By what names all of somebody's sessions can be ended at once. */
export const namesOf = (member: Pick<Member, 'key' | 'person'> | null): string[] =>
  member === null ? ['operator'] : [member.key, peopleWith(member.person.id)]
/** Ends all sessions of this name that were opened until now. */
export const endAll = (notes: Pick<Notes, 'put'>, name: string, now: number): Promise<void> =>
  notes.put(drawer, `ended:${name}`, String(now), limits.sessionMs)

/**
 * Who is signed in, kept in the store under the hash of a random value that the browser alone has (S27). A session ends 12 hours after it
 * was used last, after 7 days, or when somebody signs out. While the store is away those count that were seen a moment ago.
 */
export function createSessions({ notes, clock }: { notes: Notes; clock: Clock }) {
  const seen = new LRUCache<string, { at: number; session: Session }>({ max: limits.guessers })

  async function stored(id: string, isUse: boolean): Promise<Session | null> {
    const text = await notes.get(drawer, id, ...(isUse ? [limits.sessionIdleMs] : []))
    const read = text === null ? undefined : Stored.safeParse(JSON.parse(text)).data
    if (read === undefined) return null
    const ends = await Promise.all(
      namesOf(read.viewer.kind === 'member' ? read.viewer : null).map((name) =>
        notes.get(drawer, `ended:${name}`),
      ),
    )
    const isOver =
      read.since + limits.sessionMs <= clock.now() ||
      ends.some((at) => read.since <= Number(at ?? 0))
    if (!isOver) return { id, viewer: read.viewer }
    await notes.drop(drawer, id)
    return null
  }

  return {
    /** @returns the value for the browser's cookie. */
    async open(viewer: SignedInViewer): Promise<string> {
      const value = randomBytes(32).toString('base64url')
      const row = { version: 1, since: clock.now(), viewer } satisfies z.infer<typeof Stored>
      await notes.put(drawer, hash(value), JSON.stringify(row), limits.sessionIdleMs)
      return value
    },
    /** @param isUse whether it lives on because of this. */
    async read(id: string, isUse: boolean): Promise<Session | null> {
      try {
        const session = await stored(id, isUse)
        if (session === null) seen.delete(id)
        else seen.set(id, { at: clock.now(), session })
        return session
      } catch (error) {
        const last = seen.get(id)
        if (last === undefined || last.at + limits.sessionAwayMs <= clock.now()) throw error
        return last.session
      }
    },
    idOf: hash,
    async close(id: string): Promise<void> {
      await notes.drop(drawer, id)
      seen.delete(id)
    },
    /** Ends all of somebody's that were opened until now. */
    async closeAll(owner: string): Promise<void> {
      await endAll(notes, owner, clock.now())
      seen.clear()
    },
    /** True for the first who comes with it. */
    once: (name: string): Promise<boolean> =>
      notes.claim(drawer, `once:${hash(name)}`, limits.signInMs),
  }
}
export type Sessions = ReturnType<typeof createSessions>
