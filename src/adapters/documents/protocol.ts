import type { DocumentKind, Readable } from '../../agent/domain/document.ts'

/*
 * Messages between Clew and the process that reads documents. A document's bytes go into that
 * process's standard input. Everything else travels over the IPC channel as JSON, which is the only
 * format decoded.
 */

/** Announces one document of `bytes` bytes on the standard input. */
export interface Request {
  kind: DocumentKind
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
