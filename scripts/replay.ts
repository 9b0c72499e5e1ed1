/**
 * `clew replay <file or folder> …`: does recorded threads and runs again, without store, network or clock, and names the first request of each that
 * differs (docs/replay.md). Exits 1 when one does, 2 when something cannot be read.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { requestTextOf } from '../src/agent/model/request-text.ts'
import { type Divergence, type ReplayOptions, replay } from '../src/agent/recording/player.ts'
import { recordingsIn } from '../src/compose/recordings.ts'
import { exitWith } from './exit-code.ts'
import { homeWords } from './home-words.ts'

const usage = `clew replay <recording or folder> …

  --home <folder>  with the instructions, skills and plans of this folder instead of the recorded ones
  --prompts <ref>  with the prompts of another version of Clew: a commit of this checkout, or the folder of another one`

/** @returns the exit code. */
export async function replayAll(
  args: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { home: { type: 'string' }, prompts: { type: 'string' } },
  })
  const paths = (await Promise.all(positionals.map(filesAt))).flat()
  if (paths.length === 0) {
    say(usage)
    return 2
  }
  const prompts = values.prompts === undefined ? null : await promptsOf(values.prompts)
  try {
    const team = values.home === undefined ? undefined : await homeWords(values.home)
    return await replayEach(paths, say, { team, textOf: prompts?.textOf })
  } finally {
    prompts?.remove()
  }
}

async function replayEach(
  paths: readonly string[],
  say: (line: string) => void,
  options: ReplayOptions,
): Promise<number> {
  let requests = 0
  let others = 0
  for (const path of paths) {
    const made = await replay(await readFile(path, 'utf8'), options).catch((error: unknown) => {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`)
    })
    requests += made.requests
    if (made.divergence === null) continue
    others += 1
    say(`${path}: ${told(made.divergence)}`)
  }
  say(
    others === 0
      ? `${paths.length} recordings, ${requests} requests: all the same, byte for byte.`
      : `${others} of ${paths.length} recordings differ.`,
  )
  return others === 0 ? 0 : 1
}

/** Length of what is shown before and behind the first character that differs. */
const around = 40

function told(found: Divergence): string {
  const request = `request ${found.number} (${found.contract})`
  if (found.kind !== 'differs')
    return `${request} ${found.kind === 'added' ? 'was not recorded' : 'is not made any more'}.`
  const { at, was, is } = found
  const piece = (text: string) => JSON.stringify(text.slice(Math.max(0, at - around), at + around))
  return `${request} differs from character ${at + 1} on.\n  was ${piece(was)}\n  is  ${piece(is)}`
}

async function filesAt(path: string): Promise<string[]> {
  if (!existsSync(path)) throw new Error(`there is no ${path}`)
  return statSync(path).isDirectory() ? await recordingsIn(path) : [path]
}

const Prompts = z.object({
  requestTextOf: z.custom<typeof requestTextOf>((value) => typeof value === 'function'),
})

/** The prompts of another version; of a commit they are unpacked beside this one's packages. */
async function promptsOf(ref: string) {
  const isFolder = existsSync(ref)
  const root = isFolder ? resolve(ref) : unpacked(ref)
  const remove = () => isFolder || rmSync(root, { recursive: true, force: true })
  const path = join(root, 'src/agent/model/request-text.ts')
  if (!existsSync(path)) {
    remove()
    throw new Error(`${ref} is no Clew that can replay: it has no src/agent/model/request-text.ts`)
  }
  const { requestTextOf: textOf } = Prompts.parse(await import(pathToFileURL(path).href))
  return { textOf, remove }
}

function unpacked(ref: string): string {
  const root = mkdtempSync(join(tmpdir(), 'clew-prompts-'))
  const here = resolve(import.meta.dirname, '..')
  const archive = execFileSync('git', ['archive', ref, 'src', 'package.json'], {
    cwd: here,
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  return root
}

export const main = (): Promise<void> => exitWith(replayAll)
