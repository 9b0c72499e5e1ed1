import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter } from 'vitest/node'

interface Noted {
  platform: string
  checked: number
  wrong: readonly string[]
}

/** Notes how many requests a stand-in of a platform has checked, and what was wrong with them, for the sum of the whole run. */
export function tally(noted: Noted): void {
  const file = process.env.CLEW_TALLY
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(noted)}\n`)
}

/** One line a platform: the sum of what was noted. */
export function sumOf(notes: readonly Noted[]): { lines: string[]; wrong: string[] } {
  const platforms = [...new Set(notes.map(({ platform }) => platform))].sort()
  const lines = platforms.map((platform) => {
    const own = notes.filter((one) => one.platform === platform)
    const checked = own.reduce((sum, one) => sum + one.checked, 0)
    const wrong = own.reduce((sum, one) => sum + one.wrong.length, 0)
    return `${platform}: ${checked} requests of this run were checked against its own description, ${wrong} were wrong.`
  })
  return {
    lines,
    wrong: notes.flatMap((one) => one.wrong.map((problem) => `${one.platform}: ${problem}`)),
  }
}

/** A reporter that prints the sums at the end of a run, and fails it when a platform would have refused anything. */
export function sumUp(): Reporter {
  const folder = mkdtempSync(join(tmpdir(), 'clew-tally-'))
  const file = join(folder, 'notes')
  return {
    onInit() {
      process.env.CLEW_TALLY = file
    },
    onTestRunEnd() {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      rmSync(folder, { recursive: true, force: true })
      const { lines, wrong } = sumOf(
        text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
      )
      for (const line of lines) console.log(line)
      for (const problem of wrong) console.error(`refused: ${problem}`)
      if (wrong.length > 0) process.exitCode = 1
    },
  }
}
