import type { Drafts } from '../ports/drafts.ts'
import type { Written } from '../ports/model.ts'

/** What a thread shows of a text while a model writes it. */
export interface DraftLine {
  /** For `Model.call`. */
  written: Written
  /** What was shown is not what people will read: it vanishes. */
  gone(): void
}

/** Null where nobody can see it: then no answer is asked for in pieces. */
export function openDraft(
  { drafts }: { drafts?: Drafts | undefined },
  { workspace, conversationId }: { workspace: string; conversationId: string | null },
): DraftLine | null {
  if (conversationId === null || drafts?.shownIn(workspace) !== true) return null
  let isShown = false
  return {
    written(text) {
      isShown = true
      drafts.tell({ conversationId, text })
    },
    gone() {
      if (isShown) drafts.tell({ conversationId, text: null })
      isShown = false
    },
  }
}
