import type { Drafts } from '../ports/drafts.ts'

export type DraftLine = NonNullable<ReturnType<typeof openDraft>>

/**
 * Opens the live view of a text that a model writes. Null where nobody can see it: then no answer
 * is streamed.
 */
export function openDraft(
  { drafts }: { drafts?: Drafts | undefined },
  { workspace, conversationId }: { workspace: string; conversationId: string | null },
) {
  if (conversationId === null || drafts?.shownIn(workspace) !== true) return null
  let isShown = false
  return {
    /** For `Model.call`. */
    written(text: string) {
      isShown = true
      drafts.tell({ conversationId, text })
    },
    /** Removes the draft, as people will read something else. */
    gone() {
      if (isShown) drafts.tell({ conversationId, text: null })
      isShown = false
    },
  }
}
