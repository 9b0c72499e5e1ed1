import type { PathContents, PhraseLines, SearchFolder } from '../../agent/ports/library.ts'
import { pathsIn, readInside, textFiles } from './files.ts'

/**
 * Finds the lines of a folder that hold a phrase, in any case; the first `most` of them are shown.
 */
export async function linesWith(
  { name, path: root }: SearchFolder,
  phrase: string,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<PhraseLines> {
  const wanted = phrase.toLowerCase()
  const found: PhraseLines = { hits: [], lines: 0, left: 0 }
  const leave = () => {
    found.left += 1
  }
  for await (const { path, text } of textFiles(root, signal, leave)) {
    for (const [at, line] of text.split('\n').entries()) {
      if (!line.toLowerCase().includes(wanted)) continue
      found.lines += 1
      if (found.hits.length < most)
        found.hits.push({ name, path, line: at + 1, excerpt: line.trim().slice(0, 300) })
    }
  }
  return found
}

/**
 * Reads a file of a folder, or lists a folder in it. Returns `null` if there is no such thing, or
 * it is not shown: secret, ignored, binary, too big.
 */
export async function shownIn(
  { path: root }: SearchFolder,
  path: string,
  signal: AbortSignal,
): Promise<PathContents | null> {
  const paths = await pathsIn(root, signal)
  if (paths.includes(path)) {
    const text = await readInside(root, path)
    return text === null ? null : { kind: 'file', text }
  }
  const prefix = path === '' ? '' : `${path}/`
  const names = paths
    .filter((one) => one.startsWith(prefix))
    .map((one) => one.slice(prefix.length).replace(/\/.*/s, '/'))
  return names.length === 0 ? null : { kind: 'folder', names: [...new Set(names)] }
}
