import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import type { LocalConnection } from './sockets.ts'

const COUNTS_NAME = 'counts'
const LINE = /^version 1, sequence (\d+), bytes (\d+), conversations (\d+), runs (\d+)$/

/** Counts the rows that people would miss. The names are those of `redis/keys.ts`, which this thread has no use for otherwise. */
const SCRIPT = `
local conversations, runs = 0, 0
for _, workspace in ipairs(redis.call('SMEMBERS', 'clew:workspaces')) do
  conversations = conversations + redis.call('ZCARD', 'clew:{' .. workspace .. '}:conversations')
  runs = runs + redis.call('ZCARD', 'clew:{' .. workspace .. '}:runs')
end
return conversations .. ' ' .. runs
`

/** What people would miss. */
export interface Census {
  conversations: number
  runs: number
}

/** How many conversations and runs the store holds now. Reads only. */
export function takeCensus(engine: Engine, local: LocalConnection): Census {
  const answer = engine.command(local, 'EVAL', SCRIPT, '0')
  const [, conversations = 0, runs = 0] = /\b(\d+) (\d+)\r\n$/.exec(answer)?.map(Number) ?? []
  return { conversations, runs }
}

/** What was known to be on the disk at some time. */
export interface Counts extends Census {
  /** Which append-only file was written; every compaction begins the next one. */
  sequence: number
  /** How many bytes of it were on the disk. */
  bytes: number
}

/**
 * Reads the record that lies beside the append-only file.
 *
 * @returns null when there is none, as in a folder that an older Clew has written; `unreadable` when it is not as it was
 * written, or a newer Clew wrote it.
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

/** Puts the record on the disk as a whole, in the place of the one before. One call at a time. */
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

/** When the record was written. */
export const writtenAt = (path: string): Date => statSync(countsFile(path)).mtime

const countsFile = (path: string) => join(path, COUNTS_NAME)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
