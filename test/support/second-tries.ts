import type { Reporter } from 'vitest/node'
import { whereIs } from './refuse-skips.ts'

/**
 * Number of times that a test which failed is tried again: `CLEW_RETRY`, else 0. The automatic check gives one on a
 * machine that does other work besides.
 */
export const secondTries = (env: NodeJS.ProcessEnv): number => Number(env.CLEW_RETRY ?? 0)

/** A reporter that names every test that passed only when it was tried again: each has found something. */
export function nameSecondTries(): Reporter {
  return {
    onTestRunEnd(modules) {
      const tests = modules.flatMap((module) => [...module.children.allTests('passed')])
      for (const test of tests.filter((test) => test.diagnostic()?.flaky === true))
        console.error(`passed only when tried again: ${whereIs(test)}`)
    },
  }
}
