import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { refuseSkips } from './test/support/refuse-skips.ts'
import { sumUp } from './test/support/tally.ts'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    // Suites start worker threads, child processes and signal handlers of their own: a process each keeps them apart.
    pool: 'forks',
    // Suites wait more than they count, for processes, clocks and sockets; one core less would nearly double the time.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A test that needs a second try has found something.
    retry: 0,
    globals: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', refuseSkips(process.env), sumUp()],
  },
})
