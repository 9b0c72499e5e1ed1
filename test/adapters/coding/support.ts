import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readCommand } from '../../../src/adapters/coding/command-line.ts'
import { type RunnerOptions, runTasks } from '../../../src/adapters/coding/runner.ts'
import { createSystemClock } from '../../../src/clock.ts'

export const agent = join(import.meta.dirname, '../../fixtures/coding/agent.mjs')

export async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-coding-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A git repository with a mistake in it, and nobody's settings of git. */
export async function repository(): Promise<{ cwd: string; git(...args: string[]): string }> {
  const cwd = await temporary()
  const env = {
    ...{
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b.c',
    },
    ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' },
  }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8' }).trim()
  git('init', '-q')
  mkdirSync(join(cwd, 'src'))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(cwd, 'src/add.js'), 'export const add = (a, b) => a - b\n')
  git('add', '.')
  git('commit', '-qm', 'begin')
  return { cwd, git }
}

/** The runner with the scripted agent; it stops with the test, or when `stop` is called. */
export function startRunner(over: Partial<RunnerOptions> & { folder: string; cwd: string }): {
  lines: string[]
  stop(): Promise<void>
} {
  const command = readCommand(`'${process.execPath}' '${agent}' {session_id}`)
  const env = {
    ...{ PATH: process.env.PATH, HOME: over.cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a' },
    ...{ GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' },
  }
  const options = {
    command,
    continueCommand: command,
    env,
    pollMs: 20,
    timeMs: 60_000,
    outputBytes: 1e6,
    ...over,
  }
  const lines: string[] = []
  const stop = new AbortController()
  const running = runTasks(
    options,
    { clock: createSystemClock(), say: (line) => void lines.push(line) },
    stop.signal,
  )
  const end = async () => {
    stop.abort()
    await running
  }
  onTestFinished(end)
  return { lines, stop: end }
}
