/** Tests of the page's own rules run without a document. */
const said: DOMStringMap = globalThis.document?.documentElement.dataset ?? {}
const { home = 'web:local', person, name = '', session } = said

/** Who is signed in, as the document says; `member` is null for operators, who give a name of their own (C241). */
export const signedIn = {
  /** The workspace of the page in which this person begins threads. */
  home,
  member: person === undefined ? null : { id: person, name },
  /** There is a session that can be ended. */
  canSignOut: session !== undefined,
} as const
