import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { EmbeddedStoreError, messageOf, orFullDisk } from './errors.ts'
import type { Names } from './host.ts'

const SQLITE_BUSY = 5

export interface LockOptions {
  names: Names
  /** True if several processes share the store already, so that sharing is no advice. */
  shared?: boolean
}

/**
 * Makes this process the only owner of a data folder, and creates the folder if it is missing.
 *
 * The lock is a kernel lock, taken through SQLite, which is part of Node and knows how each system
 * locks. The kernel drops it with the process, however the process ends. So kill -9 leaves nothing
 * stale, no process id can be mistaken for another, and containers that share the folder are kept
 * apart. A second lock within one process is refused as well.
 *
 * Nothing else may open `lock.db`: POSIX drops a process's locks on a file as soon as it closes any
 * handle of that file. This is why the owner's name is kept in a file of its own.
 *
 * It waits for nothing, so that the store starts before this thread is busy with loading the rest.
 *
 * @throws EmbeddedStoreError `locked`, `unusable` or `write_failed`.
 */
export function lockDataDir(dataDir: string, { names, shared = false }: LockOptions) {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const opened = new DatabaseSync(join(dataDir, 'lock.db'), { timeout: 0 })
    database = opened
    opened.exec('BEGIN EXCLUSIVE')
    writeFileSync(join(dataDir, 'lock-owner'), `process ${process.pid} on ${hostname()}\n`)
    return {
      /**
       * Name of this worker, the same after every restart on this folder, so that it recognises its
       * own leases.
       */
      workerId: stableWorkerId(dataDir),
      /** Unlocks the folder for the next process. Idempotent. */
      release() {
        if (opened.isOpen) opened.close()
      },
    }
  } catch (thrown) {
    database?.close()
    if (isBusy(thrown)) throw lockedBy(dataDir, names, shared)
    const message = `The data folder ${dataDir} cannot be used: ${messageOf(thrown)}. Set ${names.dataDir} to a folder on a local disk that this user may write.`
    throw orFullDisk(dataDir, new EmbeddedStoreError('unusable', message, { cause: thrown }))
  }
}

const isBusy = (thrown: unknown) =>
  thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY

function lockedBy(dataDir: string, names: Names, shared: boolean): EmbeddedStoreError {
  const named = join(dataDir, 'lock-owner')
  const owner = existsSync(named) ? readFileSync(named, 'utf8') : 'another process'
  const instead = shared
    ? `or set ${names.dataDir} to another folder: each process needs one of its own`
    : `set ${names.dataDir} to another folder, or set ${names.otherServer} to share one store between several processes`
  return new EmbeddedStoreError(
    'locked',
    `The data folder ${dataDir} is already in use by ${owner.trim()}. Stop that one first, ${instead}.`,
  )
}

function stableWorkerId(dataDir: string): string {
  const file = join(dataDir, 'worker-id')
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (known !== '') return known
  const fresh = `worker-${randomBytes(6).toString('hex')}`
  writeFileSync(file, `${fresh}\n`)
  return fresh
}
