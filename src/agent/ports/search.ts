import type { Group } from '../domain/conversation.ts'
import type { Term } from '../domain/search-words.ts'

/** What is looked for (C200); all of it has to be so. Times are of the last thing that happened in a thread, in milliseconds. */
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
