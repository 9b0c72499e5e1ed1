import type { Reporter, TestCase } from 'vitest/node'

/**
 * A reporter that fails the run when any test was skipped and `CLEW_REQUIRE_ALL=1` is set; otherwise it does nothing.
 *
 * People may lack a program and still test the rest; the automatic check may not.
 */
export function refuseSkips(env: NodeJS.ProcessEnv): Reporter {
  const required = env.CLEW_REQUIRE_ALL === '1'
  return {
    onTestRunEnd(modules) {
      if (!required) return
      const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
      for (const test of skipped)
        console.error(`skipped although everything is required: ${whereIs(test)}`)
      if (skipped.length > 0) process.exitCode = 1
    },
  }
}

/** The file and the full name of a test. */
export const whereIs = (test: TestCase): string =>
  `${test.module.relativeModuleId} > ${test.fullName}`
