import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import type { Census } from './host.ts'
import type { LocalConnection } from './sockets.ts'

const COUNTS_NAME = 'counts'

/** Counts the rows that the store holds now. */
export function takeCensus(
  engine: Engine,
  local: LocalConnection,
  { script, nouns }: Census,
): readonly number[] {
  const answer = engine.command(local, 'EVAL', script, '0')
  const [text = ''] = answer.startsWith('$') ? answer.split('\r\n').slice(1) : []
  const counts = text.split(' ')
  return nouns.map((_, index) => Number(counts[index] ?? 0))
}

/** Counts at a moment when all of it was on the disk. */
export interface Counts {
  /** Number of the append-only file; every compaction raises it. */
  sequence: number
  /** Bytes of that file that were on the disk. */
  bytes: number
  /** Counts of the census. */
  rows: readonly number[]
}

/**
 * Reads the record that lies beside the append-only file.
 *
 * @returns null if there is none, as in a folder written by an older version; `unreadable` if it is
 * damaged or a newer version wrote it.
 */
export function readCounts(path: string, { nouns }: Census): Counts | 'unreadable' | null {
  const file = countsFile(path)
  if (!existsSync(file)) return null
  const [line = '', checksum] = readFileSync(file, 'utf8').split('\n')
  const [, sequence = 0, bytes = 0, ...rows] = line.match(/\d+/g)?.map(Number) ?? []
  const counts = { sequence, bytes, rows }
  const isWhole = rows.length === nouns.length && line === lineOf(counts, nouns)
  return isWhole && checksum === sha256(line) ? counts : 'unreadable'
}

const lineOf = ({ sequence, bytes, rows }: Counts, nouns: readonly string[]) =>
  [
    'version 1',
    `sequence ${sequence}`,
    `bytes ${bytes}`,
    ...nouns.map((noun, index) => `${noun} ${rows[index] ?? 0}`),
  ].join(', ')

/** Replaces the record on the disk, atomically. One call at a time. */
export async function writeCounts(path: string, counts: Counts, { nouns }: Census): Promise<void> {
  const line = lineOf(counts, nouns)
  const temporary = `${countsFile(path)}.new`
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(`${line}\n${sha256(line)}\n`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(temporary, countsFile(path))
}

/** Time at which the record was written. */
export const writtenAt = (path: string): Date => statSync(countsFile(path)).mtime

const countsFile = (path: string) => join(path, COUNTS_NAME)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
