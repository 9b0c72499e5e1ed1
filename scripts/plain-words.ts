/**
 * Prints what is hard to read: doc comments that begin with a question word, lines of `docs/behaviours.md` that are too long, and
 * subjects of commits that are too long.
 *
 * Run as a part of `npm run check`; exits 1 when there is more than may be.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, scan } from './source.ts'

/** Share of doc comments that may begin with one of the words below. */
const openingsMost = 0.05
const wordsMost = 40
const subjectMost = 72
/** Commits that are looked at, the newest first. */
const commits = 50

const hardOpening = /^(?:what|who|how|of|one|whether)\b/i

/** First lines of the doc comments of a source, without the numbers of behaviours before them. */
export function openingsIn(source: string): string[] {
  return scan(source)
    .comments.filter((comment) => comment.startsWith('/**'))
    .map((comment) => comment.replaceAll(/^\/\*\*|\*\/$|^\s*\*/gm, '').trim())
    .map((text) => text.replace(/^(?:[RCFPSI]\d+[a-z]?[,;]? ?)+:? */, ''))
    .map((text) => text.split('\n', 1)[0] ?? '')
}

export const isHard = (opening: string): boolean => hardOpening.test(opening)

/** Lines of a list of behaviours with more than 40 words behind the number, as number and count. */
export function longLines(markdown: string): { number: string; words: number }[] {
  const lines = markdown.matchAll(/^- \*\*([RCFPSI]\d+[a-z]?)\*\* (.*)$/gm)
  return [...lines]
    .map(([, number = '', text = '']) => ({ number, words: text.split(/\s+/).length }))
    .filter(({ words }) => words > wordsMost)
}

export const longSubjects = (subjects: readonly string[]): string[] =>
  subjects.filter((subject) => subject.length > subjectMost)

/** Subjects of the newest commits; none where the source is no checkout. */
function subjectsOf(root: string): string[] {
  try {
    const log = execFileSync('git', ['log', `-${commits}`, '--no-merges', '--format=%s'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return log.trim().split('\n')
  } catch {
    return []
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const openings = filesIn(['src', 'packages'], /\.ts$/).flatMap(({ path, source }) =>
    openingsIn(source).map((text) => ({ path, text })),
  )
  const hard = openings.filter(({ text }) => isHard(text))
  const tooMany = hard.length > openings.length * openingsMost
  const long = longLines(readFileSync(join(root, 'docs/behaviours.md'), 'utf8'))
  const subjects = longSubjects(subjectsOf(root))
  for (const { path, text } of tooMany ? hard : []) console.log(`${path}: ${text}`)
  for (const { number, words } of long)
    console.log(`docs/behaviours.md: ${number} has ${words} words`)
  for (const subject of subjects)
    console.log(`a commit's subject has ${subject.length} characters: ${subject}`)
  console.log(`${hard.length} of ${openings.length} doc comments begin with a question word`)
  if (tooMany || long.length > 0 || subjects.length > 0) process.exitCode = 1
}
