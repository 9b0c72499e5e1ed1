import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Section, seconds, some } from '../section.ts'
import { runTests } from '../vitest.ts'

const test = join(import.meta.dirname, '../..')

/** 10,000 histories of every property test: of all that take their number from `test/support/runs.ts`. */
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

function propertyFiles(): string[] {
  return readdirSync(test, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && readFileSync(join(test, name), 'utf8').includes('support/runs.ts'))
    .map((name) => `test/${name}`)
    .sort()
}
