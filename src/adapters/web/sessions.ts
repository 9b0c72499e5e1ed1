import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { atMost } from '../../agent/domain/at-most.ts'
import { Author } from '../../agent/domain/message.ts'
import { variant } from '../../agent/domain/variant.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Member } from '../../agent/ports/members.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { limits } from './limits.ts'

const SignedInMember = variant('member', {
  platform: z.string(),
  key: z.string(),
  person: Author,
  workspaces: z.array(z.string()),
})
/**
 * A signed-in viewer. `token` is the digest of the token that an operator showed; another token
 * ends the session.
 */
const Viewer = z.discriminatedUnion('kind', [
  variant('operator', { token: z.string() }),
  SignedInMember,
])
export type SignedInViewer = z.infer<typeof Viewer>
const Stored = z.object({ version: z.literal(1), since: z.number(), viewer: Viewer })

/** Namespace of sessions, which belong to no workspace. */
const drawer = 'web:sessions'
const hash = (value: string) => createHash('sha256').update(value).digest('base64url')
/** True if a cookie has the form of a session's value, which nobody can guess. */
export const isSessionValue = (text: string): boolean => /^[\w-]{43}$/.test(text)
export const ownerOf = (viewer: SignedInViewer): string =>
  viewer.kind === 'member' ? viewer.key : 'operator'
/** Name for everybody with this id, on whichever platform. */
export const peopleWith = (id: string): string => `person:${id}`
/** Names by which all of a person's sessions can be ended at once. */
export const namesOf = (member: Pick<Member, 'key' | 'person'> | null): string[] =>
  member === null ? ['operator'] : [member.key, peopleWith(member.person.id)]
/** Ends all sessions of this name that were opened until now. */
export const endAll = (notes: Pick<Notes, 'put'>, name: string, now: number): Promise<void> =>
  notes.put(drawer, `ended:${name}`, String(now), limits.sessionMs)

/**
 * Sessions, stored under the hash of a random value that only the browser has (S27). A session ends
 * after 12 idle hours, after 7 days, or by signing out. While the store fails, sessions seen a
 * moment ago still count.
 */
export function createSessions({ notes, clock }: { notes: Notes; clock: Clock }) {
  const seen = new LRUCache<string, { at: number; viewer: SignedInViewer }>(atMost(limits.guessers))

  async function stored(id: string, isUse: boolean) {
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
    if (!isOver) return read.viewer
    await notes.drop(drawer, id)
    return null
  }

  return {
    /**
     * Opens a session.
     *
     * @returns the value for the browser's cookie.
     */
    async open(viewer: SignedInViewer): Promise<string> {
      const value = randomBytes(32).toString('base64url')
      const row = { version: 1, since: clock.now(), viewer } satisfies z.infer<typeof Stored>
      await notes.put(drawer, hash(value), JSON.stringify(row), limits.sessionIdleMs)
      return value
    },
    /**
     * Reads the viewer of a session. `id` is the name under which it is stored; it opens nothing.
     *
     * @param isUse true if this counts as use, which keeps the session alive.
     */
    async read(id: string, isUse: boolean): Promise<SignedInViewer | null> {
      try {
        const viewer = await stored(id, isUse)
        if (viewer === null) seen.delete(id)
        else seen.set(id, { at: clock.now(), viewer })
        return viewer
      } catch (error) {
        const last = seen.get(id)
        if (last === undefined || last.at + limits.sessionAwayMs <= clock.now()) throw error
        return last.viewer
      }
    },
    idOf: hash,
    async close(id: string): Promise<void> {
      await notes.drop(drawer, id)
      seen.delete(id)
    },
    /** Ends all of a person's sessions that were opened until now. */
    async closeAll(owner: string): Promise<void> {
      await endAll(notes, owner, clock.now())
      seen.clear()
    },
    /** True for the first caller with this name only. */
    once: (name: string): Promise<boolean> =>
      notes.claim(drawer, `once:${hash(name)}`, limits.signInMs),
  }
}
export type Sessions = ReturnType<typeof createSessions>
