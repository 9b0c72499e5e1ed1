import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe } from 'vitest'

/** The programs that some suites need and npm does not bring, under every name a system gives them. */
const names = {
  'redis-server': ['redis-server', 'valkey-server'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
} as const

export type Program = keyof typeof names

/** Path of a native Redis (or Valkey) server, null where there is none. @public */
export const redisServer: string | null = findProgram('redis-server')

/** Path of a Chromium that `playwright-core` can drive, null where there is none. @public */
export const chromium: string | null = findProgram('chromium')

/**
 * Declares a suite that needs `program`, whose path is handed to `suite`.
 *
 * Where the program is missing the suite is skipped and one line says so; with `CLEW_REQUIRE_ALL=1` (as the automatic
 * check sets it) it throws instead, so nothing is left out silently.
 */
export function describeWith(program: Program, name: string, suite: (path: string) => void): void {
  const path = findProgram(program)
  if (path !== null) {
    describe(name, () => suite(path))
    return
  }
  const missing = `"${name}" needs ${program}, which is not on this machine`
  if (process.env.CLEW_REQUIRE_ALL === '1') throw new Error(missing)
  console.warn(`${missing}: skipped`)
  describe.skip(name, () => suite(''))
}

/** Looks `program` up in `path` (by default the PATH of this process). Returns its absolute path or null. */
export function findProgram(program: Program, path: string = process.env.PATH ?? ''): string | null {
  for (const name of names[program]) {
    for (const folder of path.split(delimiter)) {
      const candidate = join(folder, name)
      if (folder !== '' && isExecutable(candidate)) return candidate
    }
  }
  return null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
