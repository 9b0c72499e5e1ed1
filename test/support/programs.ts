import { describe } from 'vitest'
import { findProgram, type Program } from './find-program.ts'

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
