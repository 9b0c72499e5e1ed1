import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import MiniSearch, { type Options } from 'minisearch'
import type { Hit, Indexed, Library, PhraseLines, SearchFolder } from '../../agent/ports/library.ts'
import { withoutEnding } from '../../locales/sentence-end.ts'
import { filesIn, readInside, textFiles } from './files.ts'
import { linesWith, shownIn } from './reading.ts'
import { isLeftOut } from './secrets.ts'

/** Another one reads each folder again: words are split in another way. */
const indexVersion = 2
/** Lines of a file in one index entry, and lines of an excerpt. */
const linesPerEntry = 40
const excerptLines = 12
const excerptMost = 1_200
/** A place that fits so much worse than the best one is no hit. */
const shareOfBest = 0.25

interface Entry {
  id: string
  path: string
  line: number
  text: string
}

/** Words, single Chinese characters, and numbers that are one: versions, times and dates. */
const pieces = /\p{Script=Han}|\p{L}?\p{N}+(?:[.:/-]\p{N}+)+|[\p{L}\p{N}_]+/gu
const isNumber = (word: string) => /^\p{L}?\p{N}+[.:/-]/u.test(word)

/**
 * Splits a text for the index: also into parts of words (`readReport` is `read` and `report`) and
 * of numbers.
 */
function wordsIn(text: string): string[] {
  return asked(text).flatMap((word) => (isNumber(word) ? [word, ...word.split(/[.:/-]/)] : [word]))
}

/** Splits what is searched for: “4.19” is neither 4 nor 19, and the same as “v4.19”. */
function asked(text: string): string[] {
  return (text.match(pieces) ?? []).flatMap((word) => {
    if (isNumber(word)) return [word.replace(/^\p{L}/u, '')]
    const parts = word.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu) ?? []
    return parts.length > 1 ? [word, ...parts] : [word]
  })
}

const options: Options<Entry> = {
  fields: ['path', 'text'],
  storeFields: ['path', 'line'],
  tokenize: wordsIn,
  searchOptions: {
    tokenize: asked,
    boost: { path: 2 },
    prefix: (term) => term.length > 3,
    combineWith: 'OR',
  },
}

/**
 * Search library. Keeps one index file for each folder under `keptIn`, rebuilt by `index` or when
 * it is missing or damaged.
 */
export function createLibrary({
  folders,
  keptIn,
}: {
  folders: readonly SearchFolder[]
  keptIn: string
}): Library {
  const indexes = createIndexes(keptIn)

  function find(wanted: string) {
    const asked = withoutEnding(wanted.trim(), '/')
    if (asked === '') return folders.length === 1 ? (folders[0] ?? null) : null
    return (
      folders.find(
        ({ name, path }) => name.toLowerCase() === asked.toLowerCase() || path === resolve(asked),
      ) ?? null
    )
  }
  const chosenBy = (name: string | null) =>
    name === null ? folders : [find(name)].flatMap((folder) => folder ?? [])
  return {
    names: folders.map(({ name }) => name),
    async files(name, signal) {
      const folder = find(name)
      if (folder === null || !(await isFolder(folder.path))) return null
      return await filesIn(folder.path, signal)
    },
    async index(wanted, signal) {
      const folder = find(wanted)
      return folder === null
        ? { ok: false, problem: 'unknown' }
        : await indexes.build(folder, signal)
    },
    async search(words, { name, most }, signal) {
      const chosen = chosenBy(name)
      if (chosen.length === 0) return null
      const found: Scored[] = []
      for (const folder of chosen) {
        const index = await indexes.open(folder, signal)
        if (index !== null) found.push(...(await searchIn(index, folder, { words, most, signal })))
      }
      const best = found.sort((a, b) => b.score - a.score).slice(0, most)
      const least = (best[0]?.score ?? 0) * shareOfBest
      return best.filter(({ score }) => score >= least).map(({ score: _, ...hit }) => hit)
    },
    async phrase(text, { name, most }, signal) {
      const chosen = chosenBy(name)
      const found: PhraseLines = { hits: [], lines: 0, left: 0 }
      for (const folder of chosen) {
        const room = most - found.hits.length
        const { hits, lines, left } = await linesWith(folder, text, { most: room, signal })
        found.hits.push(...hits)
        found.lines += lines
        found.left += left
      }
      return chosen.length === 0 ? null : found
    },
    async read(path, signal) {
      const plain = withoutEnding(path.trim(), '/')
      const [name = '', ...rest] = plain.split('/')
      const folder = find(name)
      if (folder !== null && name !== '') return await shownIn(folder, rest.join('/'), signal)
      const [only, ...others] = folders
      return only === undefined || others.length > 0 ? null : await shownIn(only, plain, signal)
    },
  }
}

/** Manages the indexes of the folders. An index stays in memory until its file changes. */
function createIndexes(keptIn: string) {
  const known = new Map<string, { at: number; index: MiniSearch<Entry> }>()
  const fileOf = ({ name, path }: SearchFolder) => {
    const hash = createHash('sha256').update(`${indexVersion}${path}`).digest('hex').slice(0, 12)
    return join(keptIn, `${name.replace(/[^\w-]/g, '_')}-${hash}.json`)
  }

  async function build(folder: SearchFolder, signal: AbortSignal): Promise<Indexed> {
    const read = await indexOf(folder, signal)
    if (!read.ok) return read
    await keep(fileOf(folder), JSON.stringify(read.index))
    known.set(folder.name, { at: await changedAt(fileOf(folder)), index: read.index })
    return { ok: true, name: folder.name, files: read.files, left: read.left }
  }
  return {
    build,
    /**
     * Loads an index from its file, which another process may have rebuilt. Rebuilds it if that
     * fails.
     */
    async open(folder: SearchFolder, signal: AbortSignal) {
      const at = await changedAt(fileOf(folder))
      const last = known.get(folder.name)
      if (last?.at === at) return last.index
      try {
        const index = await MiniSearch.loadJSONAsync<Entry>(
          await readFile(fileOf(folder), 'utf8'),
          options,
        )
        known.set(folder.name, { at, index })
        return index
      } catch {
        await build(folder, signal)
        return known.get(folder.name)?.index ?? null
      }
    },
  }
}

async function indexOf({ path }: SearchFolder, signal: AbortSignal) {
  if (!(await isFolder(path))) return { ok: false, problem: 'missing' } as const
  const index = new MiniSearch<Entry>(options)
  let [files, left] = [0, 0]
  const leave = () => {
    left += 1
  }
  for await (const file of textFiles(path, signal, leave)) {
    files += 1
    await index.addAllAsync(entriesOf(file.path, file.text))
  }
  if (signal.aborted) return { ok: false, problem: 'stopped' } as const
  return files === 0
    ? ({ ok: false, problem: 'empty' } as const)
    : ({ ok: true, index, files, left } as const)
}

type Scored = Hit & { score: number }

async function searchIn(
  index: MiniSearch<Entry>,
  folder: SearchFolder,
  { words, most, signal }: { words: string; most: number; signal: AbortSignal },
): Promise<Scored[]> {
  const hits: Scored[] = []
  for (const { path, line, score } of index.search(words)) {
    if (hits.length >= most || signal.aborted) break
    // Excerpts are read now: a changed file is shown in its new state, a deleted one not at all.
    const text = isLeftOut(String(path)) ? null : await readInside(folder.path, String(path))
    const excerpt = text === null ? null : excerptOf(text, Number(line), words)
    if (excerpt !== null) hits.push({ name: folder.name, path: String(path), ...excerpt, score })
  }
  return hits
}

function entriesOf(path: string, text: string): Entry[] {
  const lines = text.split('\n')
  const count = Math.ceil(lines.length / linesPerEntry)
  return Array.from({ length: count }, (_, part) => {
    const line = part * linesPerEntry + 1
    return {
      id: `${path}:${line}`,
      path,
      line,
      text: lines.slice(line - 1, line - 1 + linesPerEntry).join('\n'),
    }
  })
}

/** Returns the lines of an entry around the first of those that contain the most search words. */
function excerptOf(
  text: string,
  line: number,
  words: string,
): { line: number; excerpt: string } | null {
  const lines = text.split('\n').slice(line - 1, line - 1 + linesPerEntry)
  if (lines.length === 0) return null
  const wanted = [...new Set(asked(words.toLowerCase()))]
  const counts = lines.map(
    (one) => wanted.filter((word) => one.toLowerCase().includes(word)).length,
  )
  const from = Math.max(0, counts.indexOf(Math.max(...counts)) - 2)
  const excerpt = lines.slice(from, from + excerptLines).join('\n')
  return { line: line + from, excerpt: excerpt.slice(0, excerptMost).toWellFormed() }
}

const isFolder = async (path: string) =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false

/** Returns the time of a file's last change in milliseconds, or 0 if it does not exist. */
const changedAt = async (path: string) => (await stat(path).catch(() => null))?.mtimeMs ?? 0

async function keep(path: string, text: string) {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomUUID()}.tmp`
  await writeFile(partial, text, { mode: 0o600 })
  await rename(partial, path)
}
