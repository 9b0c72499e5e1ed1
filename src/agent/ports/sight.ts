import type { Author } from '../domain/message.ts'
import type { Sees } from './store.ts'

/** What one person may be shown of earlier threads, at one moment and in one place. */
export interface Sight {
  /** Workspaces in which there may be something for them. */
  workspaces: readonly string[]
  sees: Sees
  /** Others read along where it is shown: only what all of them may read is seen. */
  isShared: boolean
  /** A platform does not say now what the person sees, so some places are left out. */
  isAway: boolean
}

/**
 * Looks up, anew for each call, what the asking person may see now (S83).
 *
 * Contract: whatever cannot be told is not seen. Null: nothing at all is. Never throws for a
 * platform that does not answer.
 */
export interface Sights {
  /** True if it can be told there. */
  offers(workspace: string): boolean
  of(asker: { workspace: string; channel: string; person: Author }): Promise<Sight | 'away' | null>
}
