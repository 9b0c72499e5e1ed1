import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bad, type Finding, good, note } from '../adapters/channel-kit/findings.ts'
import type { Config } from '../config.ts'

/** Folders that Clew reads or shares with a coding agent. */
export async function examineFolders({ INDEX_FOLDERS, CODING_FOLDER }: Config): Promise<Finding[]> {
  const indexed = INDEX_FOLDERS.map(async ({ name, path }): Promise<Finding> => {
    if (await isFolder(path, constants.R_OK)) return good((words) => words.folderRead(name))
    return bad((words) => [words.folderUnread(path), words.correct])
  })
  return await Promise.all([...indexed, ...(CODING_FOLDER === undefined ? [] : [examineShared(CODING_FOLDER)])])
}

async function examineShared(path: string): Promise<Finding> {
  const manual = 'coding'
  if (await isFolder(path, constants.R_OK | constants.W_OK)) return good((words) => words.codingWrites)
  if (!existsSync(path) && (await isFolder(dirname(path), constants.W_OK)))
    return note((words) => [words.codingFresh(path), words.codingFreshMend], { manual })
  return bad((words) => [words.codingLocked(path), words.codingLockedMend], { manual })
}

async function isFolder(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
