/**
 * `clew eval <file or folder> …`: tries kept tests again with a model, says which pass, and what that took (docs/evals.md).
 * Exits 1 when one fails, 2 when something cannot be read.
 */
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { addSpent, nothingSpent } from '../src/agent/domain/budget.ts'
import { jsonIn } from '../src/agent/domain/clean-text.ts'
import { million, moneyIn } from '../src/agent/domain/money.ts'
import { type Evaluation, evaluate } from '../src/agent/evaluation/evaluate.ts'
import { KeptTest } from '../src/agent/evaluation/kept-test.ts'
import { silent } from '../src/agent/ports/log.ts'
import type { Model } from '../src/agent/ports/model.ts'
import { createSystemClock } from '../src/clock.ts'
import { openModel } from '../src/compose/model.ts'
import { readConfig } from '../src/config.ts'
import { readEnvironment } from '../src/environment.ts'
import { exitWith } from './exit-code.ts'
import { homeWords } from './home-words.ts'

const usage = `clew eval <kept test or folder> …

  --home <folder>   with the instructions, skills and plans of this folder; else of AGENT_HOME
  --script <file>   with these replies instead of a model: JSON, a list of replies by the test's run id
  --judge           the model also judges what is wanted in sentences`

interface Options {
  home?: string | undefined
  script?: string | undefined
  judge: boolean
}

/** @returns the exit code. */
export async function evaluateAll(
  args: readonly string[],
  env: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      home: { type: 'string' },
      script: { type: 'string' },
      judge: { type: 'boolean', default: false },
    },
  })
  const paths = (await Promise.all(positionals.map(filesAt))).flat()
  if (paths.length === 0) {
    say(positionals.length === 0 ? usage : 'There is no kept test.')
    return 2
  }
  const tests = await Promise.all(paths.map(testAt))
  return await evaluateEach(tests, await partsFor(values, env), say)
}

type Parts = Awaited<ReturnType<typeof partsFor>>

async function evaluateEach(
  tests: readonly KeptTest[],
  { modelFor, currency, ...deps }: Parts,
  say: (line: string) => void,
): Promise<number> {
  let spent = nothingSpent
  let passed = 0
  for (const test of tests) {
    const tried = await evaluate(test, { ...deps, model: modelFor(test.run.id) })
    spent = addSpent(spent, tried.spent)
    if (tried.problems.length === 0) passed += 1
    say(lineOf(test, tried, currency))
  }
  say(`${passed} of ${tests.length} pass; ${figuresOf(spent, currency)}.`)
  return passed === tests.length ? 0 : 1
}

function lineOf(
  { run }: KeptTest,
  { problems, spent, unknownCalls }: Evaluation,
  currency: string,
): string {
  const head = `${problems.length === 0 ? '✓' : '✗'} ${run.id} ${run.title} (${figuresOf(spent, currency)})`
  const unknown =
    unknownCalls === 0 ? [] : [`${unknownCalls} calls that this test holds no answer for`]
  return [head, ...[...problems, ...unknown].map((line) => `    ${line}`)].join('\n')
}

function figuresOf(
  { modelCalls, promptTokens, completionTokens, cost }: Evaluation['spent'],
  currency: string,
) {
  const tokens = (promptTokens + completionTokens).toLocaleString('en')
  const price = cost === undefined ? '' : `, ${moneyIn(cost / million, currency, 'en')}`
  return `${modelCalls} requests, ${tokens} tokens${price}`
}

async function filesAt(path: string): Promise<string[]> {
  if (!existsSync(path)) throw new Error(`there is no ${path}`)
  if (!statSync(path).isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(path, name))
}

async function testAt(path: string): Promise<KeptTest> {
  const read = KeptTest.safeParse(jsonIn(await readFile(path, 'utf8')))
  if (read.success) return read.data
  throw new Error(`${path} is no kept test of this version of Clew: ${z.prettifyError(read.error)}`)
}

async function partsFor(
  { home: named, script, judge }: Options,
  env: Parameters<typeof readConfig>[0],
) {
  const clock = createSystemClock()
  const config = readConfig(env)
  const folder = named ?? config.AGENT_HOME
  const team = folder === undefined ? undefined : await homeWords(folder)
  const scripts = script === undefined ? null : Script.parse(jsonIn(await readFile(script, 'utf8')))
  const live = scripts === null ? (await openModel(config, { clock, log: silent })).model : null
  return {
    clock,
    judges: judge,
    currency: config.MODEL_CURRENCY,
    team,
    modelFor: (id: string) => live ?? scriptedModel(scripts?.[id] ?? []),
  }
}

const Script = z.record(z.string(), z.array(z.unknown()))

/** Model that gives these replies, one after the other. */
function scriptedModel(replies: readonly unknown[]): Model {
  const left = [...replies]
  const spent = { promptTokens: 0, completionTokens: 0 }
  return {
    name: 'script',
    async call() {
      const value = left.shift()
      return value === undefined
        ? { ok: false, code: 'not_configured', usage: spent }
        : { ok: true, value, usage: spent }
    },
  }
}

export const main = (): Promise<void> =>
  exitWith(async (args, say) => await evaluateAll(args, readEnvironment().env, say))
