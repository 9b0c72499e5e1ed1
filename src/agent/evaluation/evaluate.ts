import type { TeamWords } from '../contracts/input.ts'
import { addSpent, nothingSpent, type Spent } from '../domain/budget.ts'
import { hasEnded, type RunStatus } from '../domain/run.ts'
import type { Clock } from '../ports/clock.ts'
import type { Model } from '../ports/model.ts'
import { checksOf, failureOf } from './checks.ts'
import type { KeptTest } from './kept-test.ts'
import { runAgain } from './run-again.ts'

export interface EvaluationDeps {
  model: Model
  clock: Clock
  /** The team's words; none where it is left out. */
  team?: () => TeamWords
  /** True if the model also judges what is wanted in sentences. */
  judges: boolean
}

/** Result of a kept test with the model and the words of now. */
export interface Evaluation {
  /** Why it failed, a sentence each; none: it passed. */
  problems: string[]
  report: string
  /** Requests, tokens and cost, the judge's among them. */
  spent: Spent
  /** Calls for which the test holds no answer. */
  unknownCalls: number
}

/** C733: tries a kept test again, and compares what comes of it with what would be right. */
export async function evaluate(test: KeptTest, deps: EvaluationDeps): Promise<Evaluation> {
  const { run, task, called, unknownCalls } = await runAgain(test, deps)
  const report = run.result ?? run.error ?? ''
  const problems = run.status === 'succeeded' ? [] : [endedAs(run.status)]
  let spent = task?.spent ?? nothingSpent
  const checks = checksOf(test.right)
  if (checks.length === 0) problems.push('it does not say what would be right: add it to the file')
  for (const check of checks) {
    if (check.kind !== 'judge') {
      problems.push(...[failureOf(check, { report, tools: called })].filter((one) => one !== null))
      continue
    }
    if (!deps.judges) {
      problems.push(`“${check.words}” takes a judge: use --judge, or write says: and calls:`)
      continue
    }
    const verdict = await judge({ test, wanted: check.words, report }, deps)
    problems.push(...verdict.problems)
    spent = addSpent(spent, verdict.spent)
  }
  return { problems, report, spent, unknownCalls }
}

const endedAs = (status: RunStatus) =>
  hasEnded(status) ? `it ended as ${status}` : `it did not end: ${status}`

interface Judged {
  test: KeptTest
  wanted: string
  report: string
}

/** A judge is a task of its own, without tools: its report begins with PASS or FAIL. */
async function judge({ test, wanted, report }: Judged, deps: EvaluationDeps) {
  const goal = [
    'Judge the report below by what a person wanted of it. Reply with one line: PASS if it is as wanted; otherwise FAIL and the reason in a sentence.',
    `Wanted:\n${wanted}`,
    `Asked was:\n${String(test.run.input.goal)}`,
    `Report:\n${report}`,
  ].join('\n\n')
  const run = { ...test.run, title: 'Judge a report', input: { goal, strategy: 'free' } }
  const { run: ended, task } = await runAgain(
    { ...test, run, tools: [], calls: [], answers: [] },
    { ...deps, team: undefined },
  )
  const said = (ended.result ?? ended.error ?? '').trim()
  const problems = /^\W*pass\b/i.test(said) ? [] : [`not as wanted: ${said}`]
  return { problems, spent: task?.spent ?? nothingSpent }
}
