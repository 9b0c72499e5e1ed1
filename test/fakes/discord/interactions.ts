import { waitedFor } from '../../support/processor-time.ts'
import type { Message, User, World } from './world.ts'

/** One press, command or modal of a person, and what came back. */
export interface Interaction {
  id: string
  token: string
  /** 2 command, 3 component, 4 autocomplete, 5 modal. */
  type: number
  user: User
  channelId: string
  message: Message | null
  at: number
  /** For how long other programs have had the processors since then. */
  waited: () => number
  /** The callback's type once there was one; `afterMs` without that time. */
  answered: { type: number; afterMs: number; data: Record<string, unknown> } | null
  /** What only this person sees, oldest first; edits replace. */
  ephemeral: string[]
  /** Names of the files in it. */
  files: string[]
  /** The message that the callback made or the first follow-up filled in. */
  original: Message | null
  thinking: 'ephemeral' | 'public' | null
}

const deadlineMs = 3_000
const tokenMs = 15 * 60_000

export function createInteractions(world: World) {
  const byToken = new Map<string, Interaction>()
  return {
    all: byToken,
    open(part: Pick<Interaction, 'type' | 'user' | 'channelId' | 'message'>): Interaction {
      const interaction: Interaction = {
        id: world.nextId(),
        token: `aW50ZXJhY3Rpb246${world.nextId()}`,
        at: world.now(),
        waited: waitedFor(),
        answered: null,
        ephemeral: [],
        files: [],
        original: null,
        thinking: null,
        ...part,
      }
      byToken.set(interaction.token, interaction)
      return interaction
    },
    /** Null when it is unknown, too late, or was answered before: Discord then says 10062 or 40060. */
    mayAnswer(token: string): Interaction | 'unknown' | 'twice' {
      const interaction = byToken.get(token)
      if (
        interaction === undefined ||
        world.now() - interaction.at - interaction.waited() > deadlineMs
      )
        return 'unknown'
      return interaction.answered === null ? interaction : 'twice'
    },
    /** The interaction of a token that may still be used after the callback. */
    alive(token: string): Interaction | null {
      const interaction = byToken.get(token)
      if (interaction === undefined || interaction.answered === null) return null
      return world.now() - interaction.at > tokenMs ? null : interaction
    },
  }
}
export type Interactions = ReturnType<typeof createInteractions>
