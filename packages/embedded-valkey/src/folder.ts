import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { EmbeddedStoreError } from './errors.ts'

/** File names that Valkey uses; ours have to be the same. */
export const CONFIG_NAME = 'valkey.conf'
const SNAPSHOT_NAME = 'dump.rdb'
const LOG_FOLDER = 'appendonlydir'
const MANIFEST_NAME = 'appendonly.aof.manifest'
/** Advice for people whose files cannot be loaded as they are. */
export const WHAT_TO_DO =
  'Restore the whole folder from a backup; or set {acceptLoss} to start empty: the files are kept beside.'
const MANIFEST_LINE = /^file (\S+) seq (\d+) type ([bi])$/

interface ListedFile {
  name: string
  sequence: number
}

/** Contents of a manifest: the snapshot to load, then the increments to replay on it, in order. */
interface Manifest {
  base: ListedFile | undefined
  increments: ListedFile[]
}

/** The files of the embedded store. */
export type StoreFolder = ReturnType<typeof openStoreFolder>

/**
 * Opens (and creates) the store's folder. Every method leaves it loadable if the process dies
 * inside it.
 *
 * @throws EmbeddedStoreError `corrupt` when the manifest or a file that it names is missing.
 */
export function openStoreFolder(path: string) {
  const logs = join(path, LOG_FOLDER)
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const lastIncrement = () => readManifest(logs)?.increments.at(-1)
  return {
    path,
    /** Path of the append-only file in use; `undefined` before the very first start. */
    increment() {
      const last = lastIncrement()
      return last && join(logs, last.name)
    },
    /** Number of that file, which a compaction raises; 0 before the very first start. */
    sequence: () => lastIncrement()?.sequence ?? 0,
    /** Bytes of the snapshot that the increment builds on. */
    baseBytes() {
      const base = readManifest(logs)?.base
      return base ? statSync(join(logs, base.name)).size : 0
    },
    /**
     * Copies all data files into a folder of this name unless it exists already. Returns the
     * folder.
     */
    keepCopy(name: string) {
      const [copy, unfinished] = [join(path, name), join(path, `temp-${name}`)]
      if (existsSync(copy)) return copy
      rmSync(unfinished, { recursive: true, force: true })
      cpSync(logs, unfinished, { recursive: true, preserveTimestamps: true })
      renameSync(unfinished, copy)
      return copy
    },
    /** Removes what an interrupted first start or compaction left behind. */
    sweep() {
      const manifest = readManifest(logs)
      refuseLostManifest(logs, manifest)
      removeStrays(logs, manifest)
      for (const name of readdirSync(path)) {
        if (name === SNAPSHOT_NAME || /^temp-.*\.rdb$/.test(name)) rmSync(join(path, name))
      }
    },
    writeConfig(lines: readonly string[]) {
      const file = join(path, CONFIG_NAME)
      rmSync(file, { force: true }) // so that the mode below also applies to an older file
      writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    },
    installSnapshot: () => installSnapshot(join(path, SNAPSHOT_NAME), logs),
  }
}

/**
 * Makes the snapshot that SAVE has just written the new base, with a new empty increment, and
 * removes the older files. Renaming the manifest is the moment of the switch: before it the old
 * files are complete, after it they are not needed. Returns the new increment.
 */
function installSnapshot(snapshot: string, logs: string): string {
  const old = readManifest(logs)
  const base = fileAfter(old?.base, 'base.rdb')
  const next = fileAfter(old?.increments.at(-1), 'incr.aof')
  const manifest = { base, increments: [next] }

  renameSync(snapshot, join(logs, base.name))
  writeSynced(join(logs, next.name), '')
  syncFolder(logs)
  writeSynced(join(logs, `temp-${MANIFEST_NAME}`), manifestText(manifest))
  renameSync(join(logs, `temp-${MANIFEST_NAME}`), join(logs, MANIFEST_NAME))
  syncFolder(logs)
  removeStrays(logs, manifest)
  return join(logs, next.name)
}

/**
 * Moves files that cannot be loaded into a folder beside, so that the store is empty. Returns that
 * folder.
 */
export function setAside(path: string): string {
  let number = 1
  while (existsSync(join(path, `unloadable-${number}`))) number++
  const aside = join(path, `unloadable-${number}`)
  renameSync(join(path, LOG_FOLDER), aside)
  return aside
}

function readManifest(logs: string): Manifest | undefined {
  const file = join(logs, MANIFEST_NAME)
  if (!existsSync(file)) return undefined
  const manifest: Manifest = { base: undefined, increments: [] }
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, sequence, type] = MANIFEST_LINE.exec(line) ?? []
    if (name === undefined || !existsSync(join(logs, name))) {
      throw corrupt(`${file} has the line "${line}", which names no file that is here`)
    }
    // Valkey reads an empty snapshot as an empty store.
    if (type === 'b' && holdsData(name, 0) && statSync(join(logs, name)).size === 0) {
      throw corrupt(`${join(logs, name)} is empty, although a compaction wrote it`)
    }
    if (type === 'b') manifest.base = { name, sequence: Number(sequence) }
    else manifest.increments.push({ name, sequence: Number(sequence) })
  }
  return manifest
}

function corrupt(what: string): EmbeddedStoreError {
  return new EmbeddedStoreError('corrupt', `${what}. ${WHAT_TO_DO}`)
}

function fileAfter(previous: ListedFile | undefined, suffix: string): ListedFile {
  const sequence = (previous?.sequence ?? 0) + 1
  return { name: `appendonly.aof.${sequence}.${suffix}`, sequence }
}

function manifestText(manifest: Manifest): string {
  const lines = manifest.increments.map((file) => `file ${file.name} seq ${file.sequence} type i`)
  if (manifest.base)
    lines.unshift(`file ${manifest.base.name} seq ${manifest.base.sequence} type b`)
  return `${lines.join('\n')}\n`
}

/**
 * Refuses a folder whose manifest is missing: Valkey would start empty and leave the data unread.
 * No crash of ours leaves that state.
 */
function refuseLostManifest(logs: string, manifest: Manifest | undefined) {
  if (manifest) return
  const orphan = readdirSync(logs).find((name) => holdsData(name, statSync(join(logs, name)).size))
  if (orphan === undefined) return
  throw corrupt(`${join(logs, MANIFEST_NAME)} is missing although ${orphan} holds data`)
}

/**
 * True if the file holds data. Only the very first snapshot is empty; compactions made all later
 * ones.
 */
function holdsData(name: string, size: number): boolean {
  return name.endsWith('.incr.aof')
    ? size > 0
    : name.endsWith('.base.rdb') && name !== 'appendonly.aof.1.base.rdb'
}

function removeStrays(logs: string, manifest: Manifest | undefined) {
  const listed = new Set([
    MANIFEST_NAME,
    manifest?.base?.name,
    ...(manifest?.increments ?? []).map((file) => file.name),
  ])
  for (const name of readdirSync(logs)) {
    if (listed.has(name) || !/^(temp-)?appendonly\.aof|^temp-/.test(name)) continue
    truncateSync(join(logs, name)) // the engine may still hold the old increment open: free its space now
    rmSync(join(logs, name))
  }
}

function writeSynced(file: string, text: string) {
  const handle = openSync(file, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function syncFolder(path: string) {
  if (process.platform === 'win32') return // folders cannot be opened there; NTFS logs its own renames
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
