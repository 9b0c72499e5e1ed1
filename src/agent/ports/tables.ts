import type { DocumentProblem } from '../domain/document.ts'
import type { TableQuery } from '../domain/table-query.ts'

/** File with tables: cells as `Documents` packed them, or text whose columns marks divide. */
export type TableSource = { name: string } & ({ cells: string } | { text: string })

/** Picture of a result as a PNG, and its text for those who do not see it. */
export interface Drawing {
  base64: string
  alt: string
}

/** Answer of a calculation, in words for the model; `image`: its chart. */
export type Computed =
  | { ok: boolean; text: string; image?: Drawing | undefined }
  | { problem: DocumentProblem }

/**
 * Calculates over tables that people handed in (C880).
 *
 * Contract: as for `Documents`, in the same process and queue: never throws, never blocks, within
 * limits of time and memory.
 */
export interface Tables {
  compute(
    request: { sources: readonly TableSource[]; query: TableQuery },
    signal: AbortSignal,
  ): Promise<Computed>
}
