/**
 * A text that is being written in a thread, from its beginning; null: it is not to be seen any
 * more.
 */
export interface Draft {
  conversationId: string
  text: string | null
}

/**
 * Shows texts while they are written, where there is a page that can (C150).
 *
 * Contract: a view and nothing else. Never throws, is never waited for, and may lose what it is
 * told: the next one makes up for it, and the message that is written to the store replaces all of
 * them.
 */
export interface Drafts {
  /** True if the people of this workspace see drafts. */
  shownIn(workspace: string): boolean
  tell(draft: Draft): void
}
