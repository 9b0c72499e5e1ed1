import { QuietHours } from './domain/quiet.ts'
import type { ChannelTraits } from './ports/channel.ts'
import type { Effect, Setting } from './ports/effect.ts'
import type { Notes } from './ports/notes.ts'
import type { Privacy } from './ports/store.ts'

/** Owner of quiet hours: one person, or everybody in a channel. */
export type QuietOwner = { person: string } | { channel: string }

/**
 * Quiet hours as people set them (C490). A person's hold wherever the platform knows them.
 *
 * Contract: all of it throws when the store is away; done twice it equals once.
 */
export interface QuietStore {
  of(workspace: string, owner: QuietOwner): Promise<QuietHours | null>
  keep(workspace: string, owner: QuietOwner, hours: QuietHours, effect: Effect): Promise<void>
  drop(workspace: string, owner: QuietOwner, effect?: Effect): Promise<void>
}

type TraitsIn = (workspace: string) => Pick<ChannelTraits, 'peopleIn'>

export function createQuietStore(
  notes: Pick<Notes, 'get' | 'put' | 'drop'>,
  traitsIn: TraitsIn,
): QuietStore {
  const noteOf = (workspace: string, owner: QuietOwner): [string, string] =>
    'channel' in owner
      ? [workspace, `quiet:channel:${owner.channel}`]
      : [traitsIn(workspace).peopleIn ?? workspace, `quiet:person:${owner.person}`]
  return {
    async of(workspace, owner) {
      const note = await notes.get(...noteOf(workspace, owner))
      // Hours of a newer version hold nothing up: they count as none.
      return note === null ? null : (QuietHours.safeParse(JSON.parse(note)).data ?? null)
    },
    keep: (workspace, owner, hours, effect) =>
      notes.put(...noteOf(workspace, owner), JSON.stringify(hours), null, settingOf(owner, effect)),
    drop: (workspace, owner, effect) =>
      notes.drop(
        ...noteOf(workspace, owner),
        effect === undefined ? undefined : settingOf(owner, effect),
      ),
  }
}

const settingOf = (owner: QuietOwner, effect: Effect): Setting => {
  const scope = 'channel' in owner ? `channel:${owner.channel}` : `user:${owner.person}`
  return { name: 'quiet', scope, effect }
}

/** The hours that hold for a person in a channel: their own and the channel's. */
export async function hoursFor(
  quiet: Pick<QuietStore, 'of'>,
  { workspace, channel }: { workspace: string; channel: string },
  person: string | null,
): Promise<QuietHours[]> {
  const found = await Promise.all([
    quiet.of(workspace, { channel }),
    person === null ? null : quiet.of(workspace, { person }),
  ])
  return found.filter((hours) => hours !== null)
}

/** C490: a person's quiet hours are kept of them, and go when all of it goes. */
export function withQuietHours(privacy: Privacy, quiet: QuietStore): Privacy {
  const kept: Privacy['kept'] = async (workspace, person) => {
    const hours = await quiet.of(workspace, { person })
    if (hours === null) return []
    return [{ kind: 'quiet', at: null, conversationId: null, text: JSON.stringify(hours) }]
  }
  return {
    ...privacy,
    kept: async (...whose) => [...(await privacy.kept(...whose)), ...(await kept(...whose))],
    async erase(workspace, person) {
      const own = await kept(workspace, person)
      const others = await privacy.erase(workspace, person)
      await quiet.drop(workspace, { person })
      return [...others, ...own]
    },
  }
}
