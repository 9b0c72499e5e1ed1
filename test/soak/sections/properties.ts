import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Section, seconds, some } from '../section.ts'
import { runTests } from '../vitest.ts'

const test = join(import.meta.dirname, '../..')

/** 10,000 histories of every property test; each takes its number from `test/support/runs.ts`. */
export const properties: Section = async (soak) => {
  const began = performance.now()
  const files = propertyFiles()
  const histories = some(soak, 10_000)
  if (files.length === 0) return { figures: 'none', failures: ['there is no property test'] }
  const failures = await runTests(files, { CLEW_RUNS: String(histories) })
  return {
    figures: `${histories} histories for each property of ${files.length} files (${files.join(', ')}), ${seconds(performance.now() - began)}`,
    failures,
  }
}

/** Some take it by way of a file that several share. */
function propertyFiles(): string[] {
  const isOne = (name: string) =>
    /from 'fast-check'|support\/runs\.ts/.test(readFileSync(join(test, name), 'utf8'))
  return readdirSync(test, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && isOne(name))
    .map((name) => `test/${name}`)
    .sort()
}
