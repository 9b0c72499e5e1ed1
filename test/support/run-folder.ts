import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of the whole run, gone at its end: for what a process of tests keeps for all its files. */
    folder: string
  }
}

export default function provideFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'clew-run-'))
  project.provide('folder', folder)
  // The last processes may still be writing.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
