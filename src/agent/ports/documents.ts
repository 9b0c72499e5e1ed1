import type { DocumentKind, DocumentProblem, Readable } from '../domain/document.ts'

export interface Document {
  kind: DocumentKind
  /** Bytes of the file; of HTML its text in UTF-8. */
  bytes: Uint8Array
}

export type DocumentRead =
  | { ok: true; readable: Readable }
  | { ok: false; problem: DocumentProblem; encoding?: string | undefined }

/**
 * Takes the text out of documents that others made.
 *
 * Contract: never throws and never blocks the process, whatever the document holds (S13); documents
 * are read one after the other, each within a limit of time and memory; when the signal aborts, the
 * answer is `stopped` at once.
 */
export interface Documents {
  read(document: Document, signal: AbortSignal): Promise<DocumentRead>
}
