import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { anyText } from '../../agent/domain/text-bytes.ts'

/** Paths in the folder that Clew and a coding agent share (R127). */
export function placesIn(folder: string) {
  const runner = join(folder, 'runner')
  return {
    pending: join(folder, 'commands', 'pending'),
    processed: join(folder, 'commands', 'processed'),
    reports: join(folder, 'reports', 'pending'),
    /**
     * Path of a mission's MISSION.md. There is one for each mission, since several threads may
     * share the folder.
     */
    mission: (id: string) => join(folder, 'missions', id, 'MISSION.md'),
    /** Runner's own files: prompts, reports being written, tasks begun and missions ended. */
    prompt: (task: string) => join(runner, `prompt-${task}.md`),
    written: (task: string) => join(runner, `report-${task}.md`),
    begun: (task: string) => join(runner, `begun-${task}.json`),
    ended: (mission: string) => join(runner, `ended-${mission.replace(/[^\w-]/g, '_')}`),
  }
}
export type Places = ReturnType<typeof placesIn>

/** Creates the missing parts of the folder. */
export async function prepare(folder: string): Promise<void> {
  const { pending, processed, reports } = placesIn(folder)
  for (const path of [pending, processed, reports]) await mkdir(path, { recursive: true })
}

/**
 * Writes a file atomically, by renaming it into place. Concurrent writers of the same file do not
 * disturb each other.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const partial = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(partial, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (error) {
    await unlink(partial).catch(() => undefined)
    throw error
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Returns a file's size and its first bytes as text, or `null` if it does not exist. Links are not
 * followed, since they could lead out of the folder.
 */
export async function readStart(
  path: string,
  most: number,
): Promise<{ size: number; text: string } | null> {
  try {
    const file = await open(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    try {
      const status = await file.stat()
      if (!status.isFile()) return null
      const buffer = Buffer.alloc(Math.min(status.size, most))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
      return { size: status.size, text: anyText(buffer.subarray(0, bytesRead)) }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'ELOOP') return null
    throw error
  }
}

const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
