import { hash } from 'node:crypto'
import { AuditRow, type ChainHead } from './audit.ts'

/** Fault of a chain, at the first row that shows it. `line` counts from 1. */
export type ChainFault = { workspace: string | null; line: number } & Fault

/**
 * Kind of fault. `changed`: not as it was written, or no row; `seq` where its number can be read.
 * `missing`: rows `from` to `to` are not there. `reordered`: it stands where another should.
 * `replaced`: whole, but not the row that followed the one before it, or that was noted elsewhere.
 */
type Fault =
  | { kind: 'changed'; seq: number | null }
  | { kind: 'missing'; from: number; to: number }
  | { kind: 'reordered'; seq: number; expected: number }
  | { kind: 'replaced'; seq: number }

/** Chains that were read: the newest row of each, by workspace, and the first fault. */
export interface ChainReport {
  rows: number
  heads: ReadonlyMap<string, ChainHead>
  fault: ChainFault | null
}

const form = /^(\{"seq":(\d{1,15}),.*),"hash":"([0-9a-f]{40})"\}$/

/**
 * SHA-1, the one hash that scripts of the store have; docs/security.md says what it is enough for.
 */
export const rowHash = (body: string): string => hash('sha1', body)

/**
 * Verifies exported rows, of one workspace or of several (C713): each must be whole, and follow the
 * one before it in number and by its hash.
 *
 * @param text lines as they were exported, oldest first within a workspace.
 * @param known rows that were noted elsewhere, by workspace: the chain must hold them.
 */
export function verifyChain(
  text: string,
  known: ReadonlyMap<string, ChainHead> = new Map(),
): ChainReport {
  const heads = new Map<string, ChainHead>()
  /**
   * First rows of chains that do not begin with number 1, until a row says that the retention did
   * that.
   */
  const cut = new Map<string, { line: number; seq: number; before: string }>()
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const report = (fault: ChainFault | null) => ({ rows: lines.length, heads, fault })
  for (const [index, line] of lines.entries()) {
    const row = readRow(line)
    const place = { workspace: row?.workspace ?? null, line: index + 1 }
    if (row === null) return report({ ...place, kind: 'changed', seq: numberIn(line) })
    const { workspace, seq, before } = row
    const last = heads.get(workspace)
    if (last === undefined && seq > 1) cut.set(workspace, { line: index + 1, seq, before })
    const fault = followFault(row, last)
    if (fault !== null) return report({ ...place, ...fault })
    const begun = cut.get(workspace)
    if (row.kind === 'trimmed' && begun?.seq === row.to + 1 && begun.before === row.last)
      cut.delete(workspace)
    const noted = known.get(workspace)
    if (noted?.seq === seq && noted.hash !== row.hash)
      return report({ ...place, kind: 'replaced', seq })
    heads.set(workspace, { seq, hash: row.hash })
  }
  return report(missingIn({ cut, known, heads, lines: lines.length }))
}

function followFault({ seq, before }: AuditRow, last: ChainHead | undefined): Fault | null {
  if (last === undefined) return seq === 1 && before !== '' ? { kind: 'replaced', seq } : null
  const expected = last.seq + 1
  if (seq > expected) return { kind: 'missing', from: expected, to: seq - 1 }
  if (seq < expected) return { kind: 'reordered', seq, expected }
  return before === last.hash ? null : { kind: 'replaced', seq }
}

/** Rows that are missing at the beginning or at the end of a chain. */
function missingIn({
  cut,
  known,
  heads,
  lines,
}: {
  cut: ReadonlyMap<string, { line: number; seq: number }>
  known: ReadonlyMap<string, ChainHead>
  heads: ReadonlyMap<string, ChainHead>
  lines: number
}): ChainFault | null {
  for (const [workspace, { line, seq }] of cut)
    return { workspace, line, kind: 'missing', from: 1, to: seq - 1 }
  for (const [workspace, { seq: to }] of known) {
    const from = (heads.get(workspace)?.seq ?? 0) + 1
    if (from <= to) return { workspace, line: lines, kind: 'missing', from, to }
  }
  return null
}

/** A line as a row that is as it was written; null: it is not. */
export function readRow(line: string): AuditRow | null {
  const [, body, , own] = form.exec(line) ?? []
  if (body === undefined || rowHash(body) !== own) return null
  return AuditRow.safeParse(jsonOf(line)).data ?? null
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Number of a row, also of one that is not as it was written. */
export function numberIn(line: string): number | null {
  const [, digits] = /"seq":(\d{1,15})/.exec(line) ?? []
  return digits === undefined ? null : Number(digits)
}
