import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { refuseSkips } from './test/support/refuse-skips.ts'
import { nameSecondTries, secondTries } from './test/support/second-tries.ts'
import { sumUp } from './test/support/tally.ts'

// What a process has compiled is there for the next one, which loads the same modules.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'clew-tests-compiled')

/**
 * What needs no server, store, process or socket of its own, and tries no thousands of histories. `npm run test:unit` runs it alone,
 * in seconds.
 */
const pure = [
  'test/agent/{domain,strategies}/**/!(*.property).test.ts',
  'test/agent/commands/**/!(audit|times-property).test.ts',
  'test/agent/model/**/!(ai-sdk|describe-image|dialects|fallback|listener|odd-answers|stream|transport).test.ts',
  'test/agent/schedules/**/!(fire).test.ts',
  'test/agent/!(rate-limit|retention).test.ts',
  'test/agent/kernel/*.test.ts',
  'test/adapters/*.test.ts',
  'test/adapters/*/{render,parse,markdown}.test.ts',
  'test/adapters/web/outbox.test.ts',
  'test/{docs,locales}/**/*.test.ts',
  'test/scripts/**/!(audit|doctor|slim).test.ts',
  'test/setup/**/!(form).test.ts',
  'test/{config,metrics}.test.ts',
]

/**
 * What has to load its modules anew, counts what its process has started, or sends files as forms (which now and then breaks in a
 * process that other suites have used before, nobody knows yet why): a process each.
 */
const alone = [
  'test/agent/model/transport.test.ts',
  'test/patterns.test.ts',
  'test/adapters/documents/process.test.ts',
  'test/adapters/discord/sending.test.ts',
  'test/adapters/discord/interactions.test.ts',
]

/** What imports the package by its name, as from outside; here that is its source, which only Vite finds. */
const byName = ['test/extensions.test.ts', 'test/examples/**/*.test.ts']

/**
 * What kills, breaks or floods a whole Clew again and again. `npm run test:long` runs it, and the automatic check after `npm test`.
 */
const long = ['{test,packages}/**/*.long.test.ts']

/** The page in a browser beside its main story: with what is long, since a browser costs more than what it looks at. */
const browser = ['test/browser/!(story|*.long).test.ts', 'test/adapters/web/page.test.ts']

/**
 * Properties whose histories cost the most: `npm test` tries a few hundred, which find what is plainly wrong, and
 * `npm run test:long` all of them.
 */
const properties = [
  'test/agent/commands/{todo,todo-grammar}.test.ts',
  'test/agent/memory/isolation.test.ts',
]

const published = join(import.meta.dirname, 'src/public')
const alias = [
  { find: /^clew$/, replacement: join(published, 'clew.ts') },
  { find: /^clew\/(.+)$/, replacement: join(published, '$1.ts') },
]

/** Modules are Node's own, as in production: a fifth less work than through Vite's runner, and nothing is mocked that would need it. */
const native = { viteModuleRunner: false, nodeLoader: false }

/** What other commands run, and packages of peers. */
const others = ['test/package/**', 'test/bench/**', 'test/certificate/peers/**']

export default defineConfig({
  test: {
    environment: 'node',
    // A bound for what hangs, however busy the machine is; no rule. No test has one of its own.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 40_000 } },
    // A test that needs a second try has found something: the run names it.
    retry: secondTries(process.env),
    globals: false,
    // Suites wait for processes, clocks and sockets for a good part of their time, so that there are more of them than cores.
    maxWorkers: availableParallelism() * 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/run.ts'],
    reporters: ['default', refuseSkips(process.env), nameSecondTries(), sumUp()],
    projects: [
      // Suites leave nothing behind that a next one could find, so they share their processes and what is imported there.
      {
        extends: true,
        test: {
          name: 'unit',
          include: pure,
          pool: 'threads',
          isolate: false,
          experimental: native,
        },
      },
      // These start worker threads and child processes, which a thread may not end as a process does.
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts', 'packages/**/*.test.ts'],
          exclude: [...pure, ...alone, ...byName, ...long, ...browser, ...others],
          pool: 'forks',
          isolate: false,
          experimental: native,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, pool: 'forks', experimental: native },
      },
      {
        extends: true,
        resolve: { alias },
        test: { name: 'by-name', include: byName, pool: 'forks' },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: long,
          testTimeout: 1_200_000,
          pool: 'forks',
          isolate: false,
          experimental: native,
          maxWorkers: availableParallelism() * 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long-browser',
          include: browser,
          pool: 'forks',
          isolate: false,
          experimental: native,
        },
      },
      {
        extends: true,
        test: {
          name: 'long-properties',
          include: properties,
          pool: 'forks',
          isolate: false,
          experimental: native,
          env: { CLEW_RUNS: process.env.CLEW_RUNS ?? '2000' },
        },
      },
    ],
  },
})
