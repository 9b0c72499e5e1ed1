/** Data that the document passes to its script; empty in tests, which run without a document. */
const said: DOMStringMap = globalThis.document?.documentElement.dataset ?? {}
const { home = 'web:local', person, name = '', session } = said

/**
 * The signed-in viewer, from the document. `member` is null for operators, who choose a name of
 * their own (C241).
 */
export const signedIn = {
  /** Workspace of the page in which this person begins threads. */
  home,
  member: person === undefined ? null : { id: person, name },
  /** True if there is a session to end. */
  canSignOut: session !== undefined,
} as const
