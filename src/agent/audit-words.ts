import type { Texts } from '../locales/texts.ts'
import { assertNever } from './domain/assert.ts'
import type { AuditRow } from './domain/audit.ts'

type Call = Extract<AuditRow, { run: string }>
type Outcome = Extract<AuditRow, { kind: 'outcome' }>

/** Names of people for a reader, by their ids. */
export type NameOf = (person: string) => string

/** Title of what a row says was changed; null where it is gone, or not for the reader. */
export type TitleOf = (row: Extract<AuditRow, { kind: 'kept' }>) => string | null

/** A row, or a call of two, in words. */
export interface AuditLine {
  row: AuditRow
  text: string
}

/**
 * Rows in words, in their order. An intent and its outcome are one line, at the place of the
 * intent; an outcome whose intent is not among the rows has a line of its own.
 */
export function auditLines(
  rows: readonly AuditRow[],
  words: Texts['audit'],
  nameOf: NameOf,
  titleOf: TitleOf = () => null,
): AuditLine[] {
  const nameFor = (person: string | null) => (person === null ? words.nobody : nameOf(person))
  const ended = new Map<string, Outcome>()
  const begun = new Set<string>()
  for (const row of rows) {
    if (row.kind === 'outcome') ended.set(callName(row), row)
    if (row.kind === 'intent') begun.add(callName(row))
  }
  return rows.flatMap((row): AuditLine[] => {
    switch (row.kind) {
      case 'intent':
        return [{ row, text: callLine(row, ended.get(callName(row)), words, nameFor) }]
      case 'outcome': {
        if (begun.has(callName(row))) return []
        const parts = [
          words.call(row.tool, words.results[row.result]),
          words.asked(nameFor(row.by)),
        ]
        return [{ row, text: parts.join(' · ') }]
      }
      case 'approval':
        return [{ row, text: words.approval(nameFor(row.by), row.granted, row.tool) }]
      case 'kept': {
        const change = words.changes[row.change] ?? row.change
        const by = row.by === null ? words.clew : nameOf(row.by)
        const title = titleOf(row)
        const kind = words.kinds[row.what]
        // The id of a thread says nothing to people.
        const what = row.what === 'thread' ? kind : `${kind} ${row.id}`
        const about = title === null ? what : words.titled(what, title)
        return [{ row, text: words.kept(about, change, by) }]
      }
      case 'trimmed':
        return [{ row, text: words.trimmed(row.to) }]
      default:
        return assertNever(row)
    }
  })
}

const callName = ({ run, step }: Call) => `${run} ${step}`

function callLine(
  row: Extract<AuditRow, { kind: 'intent' }>,
  outcome: Outcome | undefined,
  words: Texts['audit'],
  nameFor: (person: string | null) => string,
): string {
  const from = Object.entries(row.origin).flatMap(([argument, origin]) =>
    origin === 'asker' ? [] : [words.from(argument, words.origins[origin])],
  )
  return [
    words.call(row.tool, words.results[outcome?.result ?? 'open']),
    words.asked(nameFor(row.by)),
    words.rules[row.rule](nameFor(row.approvedBy)),
    words.as[row.as],
    ...from,
  ].join(' · ')
}
