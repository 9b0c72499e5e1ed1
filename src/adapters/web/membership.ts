import { LRUCache } from 'lru-cache'
import { atMost } from '../../agent/domain/at-most.ts'
import { isTeam } from '../../agent/domain/conversation.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Member, Members, Rooms } from '../../agent/ports/members.ts'
import { limits } from './limits.ts'

type Answer = Rooms | null | 'away'
/** True if Clew works for a person in a channel, or with null anywhere. */
export type MayUse = (person: string, channel: string | null) => boolean

/**
 * Places that members see, from their platforms. An answer is refreshed after 5 minutes. If the
 * platform does not answer, it is believed for 15, and then nothing is shown (S26). People who may
 * not use Clew see nothing, and nobody sees channels in which Clew does not work (S29).
 */
export function createMembership(platforms: readonly Members[], clock: Clock, mayUse?: MayUse) {
  const kept = new LRUCache<string, { rooms: Rooms | null; at: number }>(atMost(limits.guessers))
  const asking = new Map<string, Promise<Answer>>()
  const silentUntil = new Map<string, number>()

  async function ask(
    key: string,
    { platform, person }: Member,
    workspace: string,
  ): Promise<Answer> {
    const at = clock.now()
    const source = platforms.find((one) => one.platform === platform)
    const rooms = (await source?.rooms(workspace, person.id)) ?? null
    if (rooms !== 'away') kept.set(key, { rooms, at })
    else silentUntil.set(workspace, clock.now() + limits.membershipSilentMs)
    return rooms
  }

  /** Asks the platform, once for concurrent callers and with a time limit. */
  async function fresh(key: string, member: Member, workspace: string): Promise<Answer> {
    if ((silentUntil.get(workspace) ?? 0) > clock.now()) return 'away'
    const answer = asking.get(key) ?? ask(key, member, workspace).finally(() => asking.delete(key))
    asking.set(key, answer)
    const done = new AbortController()
    const late = clock.sleep(limits.membershipMs, done.signal).then((): Answer => 'away')
    return await Promise.race([answer, late]).finally(() => done.abort())
  }

  async function told(member: Member, workspace: string): Promise<Answer> {
    const key = `${workspace} ${member.key}`
    const known = kept.get(key)
    const age = clock.now() - (known?.at ?? 0)
    if (known !== undefined && age < limits.membershipFreshMs) return known.rooms
    const answer = await fresh(key, member, workspace)
    if (answer !== 'away' || known === undefined) return answer
    return age < limits.membershipMostMs ? known.rooms : 'away'
  }

  /** Places of a member; null if they are not in this workspace, or may not use Clew. */
  async function roomsOf(member: Member, workspace: string): Promise<Answer> {
    const { id } = member.person
    if (mayUse?.(id, null) === false) return null
    const rooms = await told(member, workspace)
    if (rooms === null || rooms === 'away' || mayUse === undefined) return rooms
    return {
      has: async (channel, thread) => mayUse(id, channel) && (await rooms.has(channel, thread)),
    }
  }

  return { roomsOf }
}
export type Membership = ReturnType<typeof createMembership>

/** Membership of a person: in any workspace with Clew, in none, or unknown now. */
export async function standingOf(
  { roomsOf }: Membership,
  member: Member,
): Promise<'here' | 'gone' | 'away'> {
  let isAway = false
  for (const workspace of member.workspaces.filter(isTeam)) {
    const rooms = await roomsOf(member, workspace)
    if (rooms === 'away') isAway = true
    else if (rooms !== null) return 'here'
  }
  return isAway ? 'away' : 'gone'
}
