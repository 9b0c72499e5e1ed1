import type { Group } from '../domain/conversation.ts'
import type { Term } from '../domain/search-words.ts'

/**
 * Criteria of a search (C200); all have to hold. Times are those of the last event in a thread, in
 * milliseconds.
 */
export interface Search {
  said: readonly Term[]
  /** In the names or ids of those who spoke. */
  people: readonly Term[]
  /** In the names of the platform, the workspace and the channel. */
  places: readonly Term[]
  group: Group | null
  only: 'archived' | 'pinned' | null
  from: number | null
  until: number | null
}
