import type { DocumentKind, Readable } from '../../agent/domain/document.ts'

/*
 * What Clew and the process that reads documents say to each other. The bytes of a document go into the input of that
 * process, everything else over its IPC channel as JSON: nothing that it sends is decoded as more than that.
 */

/** One document follows: so many bytes of its input. */
export interface Request {
  kind: DocumentKind
  bytes: number
}

/** `ready`: it runs. `begun`: its library is loaded, from now on the time counts. The others end a document. */
export type Answer =
  | { said: 'ready' | 'begun' }
  | {
      said: 'unreadable' | 'too_big' | 'binary' | 'old_format' | 'encoding'
      encoding?: string | undefined
    }
  | ({ said: 'text' } & Readable)

/** The most that is taken of one document, in characters; those who show it to a model take less. */
export const textMost = 100_000
