import { numberIn } from './domain/audit-chain.ts'
import type { Audit } from './ports/audit.ts'

/** Rows that one round trip reads. */
const batch = 1_000

/** Texts of all rows of a workspace, oldest first, a part at a time. */
export async function* allRows(
  audit: Pick<Audit, 'rows'>,
  workspace: string,
): AsyncGenerator<readonly string[]> {
  for (let after = 0; ; ) {
    const rows = await audit.rows(workspace, after, batch)
    if (rows.length > 0) yield rows
    if (rows.length < batch) return
    // A number that somebody changed makes no endless loop.
    after = Math.max(after + rows.length, numberIn(rows.at(-1) ?? '') ?? 0)
  }
}
