import { fork, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { table } from '../table.ts'
import { names } from './measure.ts'
import type { Figure } from './world.ts'

/*
 * `npm run bench -- aims`: the table of aims, each beside what is measured, a miss printed as a miss; `-- aims crowd
 * start` only these of them. `--before <commit>` measures that commit in turn with this one: its own sources and packages in
 * a folder that goes again, under today's bench. What that version cannot do says so. Every figure is the median of three
 * rounds (`--rounds 1`), each in processes of its own; 10,000 runs take long enough once.
 */

const here = join(import.meta.dirname, '../../..')
type Column = Map<string, number[]>

export async function printAims(args: readonly string[]): Promise<void> {
  const rest = [...args]
  const option = (name: string) => {
    const at = rest.indexOf(`--${name}`)
    return at < 0 ? undefined : rest.splice(at, 2)[1]
  }
  const [commit, rounds] = [option('before'), Number(option('rounds') ?? 3)]
  const unknown = rest.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(`no aim is called ${unknown}; there are ${names.join(' ')}`)
  const tree = commit === undefined ? null : checkOut(commit)
  try {
    const rows = new Map<string, Figure>()
    const [before, now]: [Column, Column] = [new Map(), new Map()]
    for (const name of rest.length > 0 ? rest : names)
      for (let round = 0; round < (name === 'memory' ? 1 : rounds); round++) {
        console.error(`${name}, round ${round + 1}, load ${loadavg()[0]?.toFixed(1)}`)
        if (tree !== null)
          for (const { what, now: value } of await measured(tree, name)) add(before, what, value)
        for (const figure of await measured(here, name)) {
          rows.set(figure.what, figure)
          add(now, figure.what, figure.now)
        }
      }
    print([...rows.values()], commit, before, now)
  } finally {
    if (tree !== null) spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: here })
    if (tree !== null) rmSync(dirname(tree), { recursive: true, force: true })
  }
}

function add(column: Column, what: string, value: number): void {
  column.set(what, [...(column.get(what) ?? []), value])
}

/** An older version with its own packages, and today's bench in it. */
function checkOut(commit: string): string {
  const tree = join(mkdtempSync(join(tmpdir(), 'clew-before-')), 'clew')
  const must = (program: string, words: string[], cwd: string) => {
    if (spawnSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
      throw new Error(`${program} ${words.join(' ')} failed`)
  }
  must('git', ['worktree', 'add', '--detach', tree, commit], here)
  must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], tree)
  const filter = (path: string) => !path.includes('node_modules')
  cpSync(join(here, 'test/bench'), join(tree, 'test/bench'), { recursive: true, filter })
  // What puts the parts together was not yet in a folder of its own.
  if (!existsSync(join(tree, 'src/compose'))) symlinkSync('.', join(tree, 'src/compose'))
  return tree
}

/** One round of one measurement in a tree; nothing where it cannot be measured there. */
function measured(tree: string, name: string): Promise<readonly Figure[]> {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'ignore', tree === here ? 'inherit' : 'ignore', 'ipc'] as const
    // In a group of its own, which ends as a whole where an older version waits for what never comes.
    const options = { cwd: tree, stdio: [...stdio], detached: true }
    const child = fork(join(tree, 'test/bench/aims/measure.ts'), [name], options)
    const end = () => {
      try {
        process.kill(-Number(child.pid), 'SIGKILL')
      } catch {
        // Nobody of it is left.
      }
    }
    const late = setTimeout(end, (name === 'memory' ? 40 : 3) * 60_000)
    let figures: readonly Figure[] = []
    child.on('message', (message) => {
      figures = message as Figure[]
    })
    child.once('exit', (code) => {
      clearTimeout(late)
      if (code !== 0 && code !== null) end()
      resolve(figures)
    })
  })
}

function print(
  rows: readonly Figure[],
  commit: string | undefined,
  before: Column,
  now: Column,
): void {
  const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)))
  const middle = (column: Column, what: string) => {
    const values = (column.get(what) ?? []).toSorted((a, b) => a - b)
    return values[Math.floor(values.length / 2)]
  }
  const cells = rows.map(({ what, aim, unit, atLeast }) => {
    const [was, is] = [middle(before, what), middle(now, what) ?? Number.NaN]
    const met = atLeast ? is >= aim : is <= aim
    const old =
      commit === undefined ? [] : [was === undefined ? 'not there' : `${round(was)} ${unit}`]
    return [
      what,
      ...old,
      `${round(is)} ${unit}`,
      `${atLeast ? '≥' : '≤'} ${aim} ${unit}`,
      met ? 'met' : 'MISSED',
    ]
  })
  console.log(table(['', ...(commit === undefined ? [] : [commit]), 'now', 'aim', ''], cells))
}
