import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findProgram } from './find-program.ts'
import { startRedis } from './redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of the whole run, gone at its end: for what a process of tests keeps for all its files. */
    folder: string
    /**
     * The address of a server of the whole run, whose databases its processes share out: it takes half of the processor time
     * of an embedded store, which the store's own suites hold to the same. Null where the machine has none.
     */
    redis: string | null
  }
}

export default async function provideForTheRun(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-run-'))
  project.provide('folder', folder)
  const program = findProgram('redis-server')
  const server = program === null ? null : await startRedis(program, { databases: '4000' })
  project.provide('redis', server?.url ?? null)
  return async () => {
    await server?.stop()
    // The last processes may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
