import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import type { LocalConnection } from './sockets.ts'

const COUNTS_NAME = 'counts'
const LINE = /^version 1, sequence (\d+), bytes (\d+), conversations (\d+), runs (\d+)$/

/**
 * Script that counts the rows that people would miss. The keys are those of `redis/keys.ts`, which
 * this thread does not import.
 */
const SCRIPT = `
local conversations, runs = 0, 0
for _, workspace in ipairs(redis.call('SMEMBERS', 'clew:workspaces')) do
  conversations = conversations + redis.call('ZCARD', 'clew:{' .. workspace .. '}:conversations')
  runs = runs + redis.call('ZCARD', 'clew:{' .. workspace .. '}:runs')
end
return conversations .. ' ' .. runs
`

/** Numbers of the rows that people would miss. */
export interface Census {
  conversations: number
  runs: number
}

/** Counts the conversations and runs that the store holds now. Read-only. */
export function takeCensus(engine: Engine, local: LocalConnection): Census {
  const answer = engine.command(local, 'EVAL', SCRIPT, '0')
  const [, conversations = 0, runs = 0] = /\b(\d+) (\d+)\r\n$/.exec(answer)?.map(Number) ?? []
  return { conversations, runs }
}

/** Counts at a moment when all of it was on the disk. */
export interface Counts extends Census {
  /** Number of the append-only file; every compaction raises it. */
  sequence: number
  /** Bytes of that file that were on the disk. */
  bytes: number
}

/**
 * Reads the record that lies beside the append-only file.
 *
 * @returns null if there is none, as in a folder written by an older Clew; `unreadable` if it is
 * damaged or a newer Clew wrote it.
 */
export function readCounts(path: string): Counts | 'unreadable' | null {
  const file = countsFile(path)
  if (!existsSync(file)) return null
  const [line = '', checksum] = readFileSync(file, 'utf8').split('\n')
  const match = LINE.exec(line)
  if (match === null || checksum !== sha256(line)) return 'unreadable'
  const [sequence = 0, bytes = 0, conversations = 0, runs = 0] = match.slice(1).map(Number)
  return { sequence, bytes, conversations, runs }
}

/** Replaces the record on the disk, atomically. One call at a time. */
export async function writeCounts(path: string, counts: Counts): Promise<void> {
  const { sequence, bytes, conversations, runs } = counts
  const line = `version 1, sequence ${sequence}, bytes ${bytes}, conversations ${conversations}, runs ${runs}`
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
