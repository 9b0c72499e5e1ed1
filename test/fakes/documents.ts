import type { Documents } from '../../src/agent/ports/documents.ts'

/** For suites in which nobody attaches a document. */
export const noDocuments: Documents = { read: async () => ({ ok: false, problem: 'not_started' }) }
