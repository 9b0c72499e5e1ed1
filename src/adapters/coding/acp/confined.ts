import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { RequestError } from '@agentclientprotocol/sdk'
import { codeOf } from '../folder.ts'

/** Largest file that is read or written for an agent, in bytes. */
const fileMost = 5 * 1024 * 1024

/**
 * Returns the real path of a place in the checkout, which need not exist yet (S90).
 *
 * @throws RequestError if it is outside, behind a link that leads outside or nowhere, or in `.git`.
 */
export async function confined(root: string, path: string): Promise<string> {
  const base = await realpath(root)
  const real = await realOf(resolve(base, path))
  const inside = real === null ? '..' : relative(base, real)
  const [first = ''] = inside.split(sep)
  if (real === null || first === '..' || isAbsolute(inside))
    throw refused(`${path} is outside of your checkout: use paths below ${base}`)
  if (first.toLowerCase() === '.git') throw refused(`${path} belongs to git: use git itself`)
  return real
}

const refused = (message: string) => RequestError.invalidParams(undefined, message)

/** Real path of the part that exists, with the rest behind it; `null` for a link to nowhere. */
async function realOf(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return null
  }
  if (await lstat(path).catch(() => null)) return null
  const parent = dirname(path) === path ? null : await realOf(dirname(path))
  return parent === null ? null : join(parent, basename(path))
}

/** Reads a text file of the checkout, or some of its lines: `line` counts from 1. */
export async function readConfined(
  root: string,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<string> {
  const how = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(await confined(root, path), how)
  try {
    const status = await file.stat()
    if (!status.isFile()) throw refused(`${path} is no file`)
    if (status.size > fileMost) throw refused(`${path} is larger than ${fileMost} bytes`)
    const text = await file.readFile('utf8')
    if (line == null && limit == null) return text
    const from = Math.max(0, (line ?? 1) - 1)
    return text
      .split('\n')
      .slice(from, limit == null ? undefined : from + limit)
      .join('\n')
  } finally {
    await file.close()
  }
}

export async function writeConfined(
  root: string,
  { path, content }: { path: string; content: string },
): Promise<void> {
  if (Buffer.byteLength(content) > fileMost)
    throw refused(`${path} would be larger than ${fileMost} bytes`)
  const real = await confined(root, path)
  await mkdir(dirname(real), { recursive: true })
  const how = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  const file = await open(real, how, 0o644)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}
