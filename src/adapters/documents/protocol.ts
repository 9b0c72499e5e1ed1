import type { DocumentKind, Readable } from '../../agent/domain/document.ts'
import type { TableQuery } from '../../agent/domain/table-query.ts'
import type { DocumentRead } from '../../agent/ports/documents.ts'
import type { Drawing, TableSource } from '../../agent/ports/tables.ts'

/*
 * Messages between Clew and the process that reads documents. A document's bytes go into that
 * process's standard input. Everything else travels over the IPC channel as JSON, which is the only
 * format decoded.
 */

/** Work of the process: a document, or a calculation whose bytes are a `Calculation` in JSON. */
export type JobKind = DocumentKind | 'calculation'

export interface Job {
  kind: JobKind
  bytes: Uint8Array
}

/** Outcome of a job. */
export type JobDone =
  | DocumentRead
  | {
      calculated: { ok: boolean; text: string; image?: Drawing | undefined }
    }

export interface Calculation {
  sources: readonly TableSource[]
  query: TableQuery
}

/** Announces one job of `bytes` bytes on the standard input. */
export interface Request {
  kind: JobKind
  bytes: number
}

/**
 * Message from the process. `ready`: it runs. `begun`: the library is loaded, so the time limit
 * starts. All others end a document.
 */
export type Answer =
  | { said: 'ready' | 'begun' }
  | {
      said: 'unreadable' | 'too_big' | 'binary' | 'old_format' | 'encoding'
      encoding?: string | undefined
    }
  | ({ said: 'text' } & Readable)
  | { said: 'calculated'; ok: boolean; words: string; image?: Drawing | undefined }
