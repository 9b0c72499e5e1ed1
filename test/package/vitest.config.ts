import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { refuseSkips } from '../support/refuse-skips.ts'

/** What Clew is delivered as. It installs packages, so that it is no part of `npm test`; `npm run package-test` runs it. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/package/*.test.ts'],
    pool: 'forks',
    hookTimeout: 180_000,
    reporters: ['default', refuseSkips(process.env)],
  },
})
