import type { DocumentProblem } from '../domain/document.ts'
import type { TableQuery } from '../domain/table-query.ts'

/** File with tables: cells as `Documents` packed them, or text whose columns marks divide. */
export type TableSource = { name: string } & ({ cells: string } | { text: string })

/** Answer of a calculation, in words for the model. */
export type Computed = { ok: boolean; text: string } | { problem: DocumentProblem }

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
