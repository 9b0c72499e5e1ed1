import type { Drafts } from '../ports/drafts.ts'

export type DraftLine = NonNullable<ReturnType<typeof openDraft>>

/** What a thread shows of a text while a model writes it. Null where nobody can see it: then no answer is asked for in pieces. */
export function openDraft(
  { drafts }: { drafts?: Drafts | undefined },
  { workspace, conversationId }: { workspace: string; conversationId: string | null },
) {
  if (conversationId === null || drafts?.shownIn(workspace) !== true) return null
  let isShown = false
  return {
    /** For `Model.call`. */
    written(text: string): void {
      isShown = true
      drafts.tell({ conversationId, text })
    },
    /** What was shown is not what people will read: it vanishes. */
    gone(): void {
      if (isShown) drafts.tell({ conversationId, text: null })
      isShown = false
    },
  }
}
