import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const limits = ['--testTimeout=3600000', '--hookTimeout=600000']

/**
 * Runs test files in a process of their own, with as much time as they need.
 *
 * @returns what went wrong: nothing, or what vitest printed of each test that failed.
 */
export async function runTests(
  files: readonly string[],
  settings: Record<string, string>,
): Promise<string[]> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project=!long-properties', ...limits, ...files]
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const [code] = await once(child, 'exit')
  if (code === 0) return []
  const from = output.indexOf('Failed Tests')
  const told = from === -1 ? output.slice(-4_000) : output.slice(from, from + 20_000)
  return [`vitest ended with ${code}:\n${told}`]
}
