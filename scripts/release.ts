/**
 * Makes a release: `npm run release -- 0.2.0`. With `--notes v0.2.0` it prints that version's section of the changelog.
 *
 * Dates the changelog's [Unreleased] section, sets the version in `package.json` and the lock file, commits and tags. It
 * pushes nothing: look at the commit, then `git push --follow-tags`. Refuses an unclean tree, a version that is not newer
 * and a changelog with nothing in it.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const changelogPath = join(root, 'CHANGELOG.md')

/** What is said instead of a stack trace. */
class Refused extends Error {
  readonly code = 'refused'
}

/**
 * The changelog with its [Unreleased] section under the version and day, and an empty [Unreleased] above it.
 *
 * @param day ISO, such as `2026-11-22`
 * @throws Refused where [Unreleased] is missing or holds nothing
 */
export function dated(changelog: string, version: string, day: string): string {
  const heading = '## [Unreleased]\n'
  const at = changelog.indexOf(heading)
  if (at < 0) throw new Refused('CHANGELOG.md has no [Unreleased] section')
  const rest = changelog.slice(at + heading.length)
  const end = rest.indexOf('\n## [')
  if (!(end < 0 ? rest : rest.slice(0, end)).includes('\n- '))
    throw new Refused('[Unreleased] in CHANGELOG.md is empty')
  return `${changelog.slice(0, at)}${heading}\n## [${version}] - ${day}\n${rest}`
}

/**
 * Returns a version's section of the changelog, without its heading.
 *
 * @param tag such as `v0.2.0`
 * @throws Refused where the changelog has no such section
 */
export function notesOf(changelog: string, tag: string): string {
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${tag.replace(/^v/, '')}] `))
  if (section === undefined) throw new Refused(`CHANGELOG.md has no section for ${tag}`)
  return section.slice(section.indexOf('\n')).trim()
}

/** Whether `next` is a version of three numbers that is above `current`. */
export function isNewer(next: string, current: string): boolean {
  const numbers = (version: string) =>
    /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version)?.slice(1).map(Number)
  const [a, b] = [numbers(next), numbers(current)]
  if (a === undefined || b === undefined) return false
  const at = a.findIndex((number, index) => number !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

function release(version: string) {
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const current: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  if (!isNewer(version, String(current)))
    throw new Refused(`say a version above ${current}: npm run release -- 1.2.3`)
  if (run('git', 'status', '--porcelain') !== '')
    throw new Refused('commit or put away your changes first')
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(changelogPath, dated(readFileSync(changelogPath, 'utf8'), version, day))
  for (const prefix of ['.', 'create-clew'])
    run('npm', 'version', version, '--no-git-tag-version', '--prefix', prefix)
  const chart = join(root, 'deploy/helm/clew/Chart.yaml')
  const text = readFileSync(chart, 'utf8')
  writeFileSync(chart, text.replaceAll(`ersion: ${current}`, `ersion: ${version}`))
  run('git', 'commit', '--all', '--message', `chore: release ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Clew ${version}`)
  console.log(`v${version} is committed and tagged. Look at it, then: git push --follow-tags`)
}

if (import.meta.main) {
  try {
    const [word = '', tag = ''] = process.argv.slice(2)
    if (word === '--notes') console.log(notesOf(readFileSync(changelogPath, 'utf8'), tag))
    else release(word)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
