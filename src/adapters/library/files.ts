import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import type { FolderFile } from '../../agent/ports/library.ts'
import { isLeftOut, skippedFolders } from './secrets.ts'

/**
 * Limits of a folder: files, bytes of one, bytes of all. Files beyond them are skipped and counted.
 */
const filesMost = 10_000
const fileBytesMost = 512 * 1024
const bytesMost = 16 * 1024 * 1024

/**
 * Yields the text files of a folder: in a git repository those that git tracks or would add,
 * elsewhere all that are not hidden. Links are not followed.
 *
 * @param left called for each skipped file.
 */
export async function* textFiles(
  root: string,
  signal: AbortSignal,
  left: () => void,
): AsyncGenerator<{ path: string; text: string }> {
  const home = await realpath(root).catch(() => root)
  let bytes = 0
  let files = 0
  for (const path of await pathsIn(home, signal)) {
    if (signal.aborted) return
    const text = files < filesMost && bytes < bytesMost ? await readInside(home, path) : null
    if (text === null) {
      left()
      continue
    }
    files += 1
    bytes += text.length
    yield { path, text }
  }
}

/** Lists what a folder holds, without what git ignores, hidden files and secrets. */
export async function pathsIn(root: string, signal: AbortSignal): Promise<string[]> {
  const home = await realpath(root).catch(() => null)
  if (home === null) return []
  const paths = (await known(home)) ?? (await walk(home, '', signal))
  return paths.filter((path) => !isLeftOut(path))
}

/** Files of a folder with their sizes and times. A link is none of its files (S17). */
export async function filesIn(root: string, signal: AbortSignal): Promise<FolderFile[]> {
  const files: FolderFile[] = []
  for (const path of await pathsIn(root, signal)) {
    const status = await lstat(join(root, path)).catch(() => null)
    if (status?.isFile() !== true || status.nlink > 1) continue
    const addedAt = Math.max(status.ctimeMs, status.birthtimeMs)
    files.push({ path, bytes: status.size, changedAt: status.mtimeMs, addedAt })
  }
  return files
}

const run = promisify(execFile)

/**
 * Lists git's tracked files and new ones that it does not ignore. Returns `null` outside a
 * repository.
 */
async function known(home: string): Promise<string[] | null> {
  // The operator named this folder. In a container its owner is another user, which git refuses
  // without this setting.
  const trusted = ['-c', `safe.directory=${home}`, '-c', 'core.fsmonitor=false']
  const args = [...trusted, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  try {
    const { stdout } = await run('git', args, {
      cwd: home,
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    })
    return [...new Set(stdout.split('\0').filter((path) => path !== ''))].sort()
  } catch {
    return null
  }
}

async function walk(home: string, folder: string, signal: AbortSignal): Promise<string[]> {
  if (signal.aborted) return []
  const found: string[] = []
  const entries = await readdir(join(home, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name.startsWith('.') || found.length > filesMost * 2) continue
    if (entry.isFile()) found.push(path)
    else if (entry.isDirectory() && !skippedFolders.has(entry.name))
      found.push(...(await walk(home, path, signal)))
  }
  return found
}

/**
 * Returns a file's text. Returns `null` if the file is missing, too big, not text, not a plain
 * file, or outside the folder by a link. A hard link may be anybody's file, so it is not read
 * either (S17).
 */
export async function readInside(root: string, path: string): Promise<string | null> {
  try {
    const home = await realpath(root)
    const wanted = join(home, path)
    const real = await realpath(wanted)
    if (real !== wanted || relative(home, real).split(sep)[0] === '..') return null
    if (!(await lstat(wanted)).isFile()) return null
    const file = await open(
      wanted,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    try {
      const status = await file.stat()
      if (!status.isFile() || status.nlink > 1 || status.size > fileBytesMost) return null
      const bytes = await file.readFile()
      return bytes.length > fileBytesMost || bytes.subarray(0, 8_192).includes(0)
        ? null
        : bytes.toString('utf8')
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
