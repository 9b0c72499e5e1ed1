import { isOnPage, memberWorkspace, webWorkspace } from '../adapters/web/deps.ts'
import { type Address, directMessagesOf, isTeam, platformOf } from '../agent/domain/conversation.ts'
import type { Places, PlacesSource } from '../agent/ports/members.ts'
import type { Sights } from '../agent/ports/sight.ts'
import type { Sees } from '../agent/ports/store.ts'

export interface SightDeps {
  /** Platforms that say what people see. */
  sources: readonly Pick<PlacesSource, 'platform' | 'places'>[]
  /** True if Clew works for a person in a channel, or with null anywhere. */
  mayUse(person: string, channel: string | null): boolean
  isAlone(place: { workspace: string; channel: string }): boolean
  /** Every workspace of which something is kept. */
  workspaces(): Promise<readonly string[]>
}

/** Most teams that are looked at for somebody in direct messages. */
const teamsMost = 20

/**
 * Earlier threads by the rules of the page (S22, S26): operators see everything there, members
 * their own and what their platform shows them now. In a channel only what everybody there may read
 * is seen besides (S84).
 */
export function createSights({ sources, mayUse, isAlone, workspaces }: SightDeps): Sights {
  const sourceOf = (workspace: string) =>
    sources.find(({ platform }) => platform === platformOf(workspace))
  return {
    offers: (workspace) => isOnPage(workspace) || sourceOf(workspace) !== undefined,
    async of({ workspace, channel, person }) {
      const all = await workspaces()
      if (workspace === webWorkspace) {
        const known = [...new Set([workspace, ...all])]
        return { workspaces: known, sees: () => true, isShared: false, isAway: false }
      }
      if (!mayUse(person.id, null)) return null
      const home = workspace === memberWorkspace ? channel : workspace
      const teams = isTeam(workspace)
        ? [workspace]
        : all.filter((one) => isTheirs(one, home, person.id)).slice(0, teamsMost)
      const answers = await Promise.all(
        teams.map(
          async (one) => [one, (await sourceOf(one)?.places(one, person.id)) ?? null] as const,
        ),
      )
      const places = new Map<string, Places>()
      for (const [one, answer] of answers)
        if (answer !== null && answer !== 'away') places.set(one, answer)
      const isAway = answers.some(([, answer]) => answer === 'away')
      if (isTeam(workspace) && places.size === 0) return isAway ? 'away' : null
      const isShared = !isAlone({ workspace, channel })
      const inTeam = async ({ workspace: team, ...address }: Address) => {
        const own = places.get(team)
        if (own === undefined || !mayUse(person.id, address.channel)) return false
        if (!(await own.has(address.channel, address.thread))) return false
        return !isShared || (await own.isOpenTo(channel, address))
      }
      const sees: Sees = (address) =>
        address.workspace === workspace && !isTeam(workspace)
          ? address.channel === channel
          : inTeam(address)
      const direct = isTeam(workspace) ? [] : [workspace]
      return { workspaces: [...direct, ...places.keys()], sees, isShared, isAway }
    },
  }
}

/**
 * True if a team may be one of a person's who writes to Clew directly; their platform is asked
 * then.
 */
const isTheirs = (team: string, home: string, person: string) =>
  isTeam(team) &&
  (home.startsWith(`${team}:`) ||
    home === `${platformOf(team)}:${person}` ||
    home === directMessagesOf(platformOf(team)))
