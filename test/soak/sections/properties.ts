import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Section, seconds, some } from '../section.ts'

const test = join(import.meta.dirname, '../..')
const vitest = join(test, '../node_modules/vitest/vitest.mjs')

/** 10,000 histories of every property test: of all that take their number from `test/support/runs.ts`. */
export const properties: Section = async (soak) => {
  const began = performance.now()
  const files = propertyFiles()
  const histories = some(soak, 10_000)
  if (files.length === 0) return { figures: 'none', failures: ['there is no property test'] }
  const args = [vitest, 'run', '--testTimeout=3600000', '--hookTimeout=600000', ...files]
  const env = { ...process.env, CLEW_RUNS: String(histories) }
  const child = spawn(process.execPath, args, { cwd: join(test, '..'), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(child, 'exit')
  return {
    figures: `${histories} histories for each property of ${files.length} files (${files.join(', ')}), ${seconds(performance.now() - began)}`,
    failures: code === 0 ? [] : [`vitest ended with ${code}:\n${output.slice(-4_000)}`],
  }
}

function propertyFiles(): string[] {
  return readdirSync(test, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && readFileSync(join(test, name), 'utf8').includes('support/runs.ts'))
    .map((name) => `test/${name}`)
    .sort()
}
