import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptTests } from '../agent/evaluation/kept-test.ts'

/** Writes kept tests into a folder, a file a run (C732). */
export function openKeptTests(folder: string): KeptTests {
  return {
    async keep(test) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${encodeURIComponent(test.run.id)}.json`)
      // A reader never sees half a file.
      await writeFile(`${path}.new`, `${JSON.stringify(test, null, 2)}\n`, { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
}
