import { execFile } from 'node:child_process'
import { rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { exists } from '../folder.ts'

/**
 * Working copy of a mission: a clone of its own, so that nothing in it reaches the team's
 * repository.
 */
export interface Checkout {
  tree: string
  branch: string
  /** Commit at which it stood. */
  head: string
}

/** A repository or git itself cannot be used. The message says what to do. */
class NoCheckout extends Error {
  readonly code = 'no_checkout'
}

type Env = Readonly<Record<string, string | undefined>>

const run = promisify(execFile)
const cloneMs = 10 * 60_000
const commandMs = 60_000
/** Most of git's output that is read, in bytes. */
const outputMost = 8 * 1024 * 1024

/**
 * Hooks and watchers that an agent may have set up in its clone do not run when Clew uses git
 * there.
 */
const safely = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/**
 * Runs git without a terminal, an editor or a question.
 *
 * @throws NoCheckout with git's last words.
 */
async function git(cwd: string, env: Env, args: readonly string[], ms = commandMs) {
  const quiet = { ...env, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', LC_ALL: 'C' }
  const options = { cwd, env: quiet, timeout: ms, maxBuffer: outputMost }
  try {
    return (await run('git', [...safely, ...args], options)).stdout.trim()
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new NoCheckout(`git ${args[0]}: ${withoutSecrets(said || String(error))}`)
  }
}

/** Text without the names and passwords of addresses. */
export const withoutSecrets = (text: string): string =>
  text.replaceAll(/(\w{2,12}:\/\/)[^\s/@]{1,500}@/g, '$1')

const isAddress = (repo: string) => /^\w{2,12}:\/\/|^[\w.-]{1,200}@[\w.-]{1,200}:/.test(repo)

/**
 * Looks if git is there and a folder is a repository with a commit. An address is only tried by the
 * first mission.
 *
 * @throws NoCheckout if not.
 */
export async function checkRepository(repo: string, env: Env): Promise<void> {
  await git('.', env, ['--version']).catch(() => {
    throw new NoCheckout('git is not installed here; a coding agent gets a clone, never a copy')
  })
  if (isAddress(repo)) return
  if (!(await stat(repo).catch(() => null))?.isDirectory())
    throw new NoCheckout(`there is no folder ${resolve(repo)}`)
  await git(repo, env, ['rev-parse', '--verify', 'HEAD']).catch(() => {
    throw new NoCheckout(
      `${resolve(repo)} is no git repository with a commit; a coding agent gets a clone, never a copy: run git init and commit there first`,
    )
  })
}

/**
 * Opens the mission's clone, or makes it: from the repository, or with the branch of the mission
 * that this one goes on with.
 */
export async function openCheckout(
  tree: string,
  {
    repo,
    env,
    branch,
    earlier,
  }: { repo: string; env: Env; branch: string; earlier: string | null },
): Promise<Checkout> {
  if (!(await exists(tree))) {
    const from = isAddress(repo) ? repo : resolve(repo)
    const partial = `${tree}.partial`
    await rm(partial, { recursive: true, force: true })
    await git('.', env, ['clone', '--quiet', '--no-hardlinks', '--', from, partial], cloneMs)
    const start = earlier === null ? 'HEAD' : await fetched(partial, env, earlier)
    await git(partial, env, ['checkout', '--quiet', '-B', branch, start])
    await nameAuthor(partial, env)
    await rename(partial, tree)
  }
  return { tree, branch, head: await git(tree, env, ['rev-parse', 'HEAD']) }
}

async function fetched(tree: string, env: Env, earlier: string): Promise<string> {
  await git(tree, env, ['fetch', '--quiet', '--no-tags', earlier, 'HEAD'])
  return 'FETCH_HEAD'
}

/** Commits have an author also where nobody set up git. */
async function nameAuthor(tree: string, env: Env) {
  const name = await git(tree, env, ['config', 'user.name']).catch(() => '')
  if (name !== '') return
  await git(tree, env, ['config', 'user.name', 'Clew'])
  await git(tree, env, ['config', 'user.email', 'clew@localhost'])
}

/** Commits what is left over, and lets the branch name the newest commit. */
export async function commitAll(
  { tree, branch }: Checkout,
  env: Env,
  title: string,
): Promise<void> {
  await git(tree, env, ['add', '--all'])
  const open = await git(tree, env, ['status', '--porcelain'])
  const message = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '-m', title]
  if (open !== '') await git(tree, env, message)
  const at = await git(tree, env, ['symbolic-ref', '--short', 'HEAD']).catch(() => '')
  if (at !== branch) await git(tree, env, ['branch', '--force', branch, 'HEAD'])
}

export interface Changes {
  /** Commits since `head`, one a line, and files with their counts; blank: none. */
  log: string
  stat: string
  diff: string
}

export async function changesSince({ tree, head }: Checkout, env: Env): Promise<Changes> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', `${head}..HEAD`]
  const [log, stat, diff] = await Promise.all([
    git(tree, env, ['log', '--oneline', '-20', `${head}..HEAD`]),
    git(tree, env, ['diff', '--stat=100', ...plain]),
    git(tree, env, ['diff', ...plain]),
  ])
  return { log, stat, diff: diff === '' ? '' : `${diff}\n` }
}

/** Pushes the branch to the repository it was cloned from; again it is a no-op. */
export async function push({ tree, branch }: Checkout, env: Env, repo: string): Promise<void> {
  const to = isAddress(repo) ? repo : resolve(repo)
  await git(tree, env, ['push', '--quiet', '--', to, `HEAD:refs/heads/${branch}`], cloneMs)
}

/** `clew/<words of the goal>-<id>`. */
export function branchOf(goal: string, missionId: string): string {
  const words = goal.toLowerCase().match(/[a-z0-9]{1,40}/g) ?? []
  const slug = words.slice(0, 6).join('-').slice(0, 40)
  const id = missionId.replace(/[^a-z0-9]/gi, '').slice(-8)
  return `clew/${slug === '' ? id : `${slug}-${id}`}`
}
