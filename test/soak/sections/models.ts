import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Section, seconds, some } from '../section.ts'
import { runTests } from '../vitest.ts'

/** C136, C356: 10,000 failures of models, and as many odd answers, in the middle of tasks, through the real clients. */
export const models: Section = async (soak) => {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), 'clew-models-'))
  const file = join(folder, 'figures')
  try {
    const stories = ['model-storm', 'dialect-storm'].map(
      (one) => `test/agent/stories/${one}.long.test.ts`,
    )
    const failures = await runTests(stories, {
      CLEW_MODEL_FAILURES: String(some(soak, 10_000)),
      CLEW_MODEL_FIGURES: file,
      CLEW_SOAK_SEED: String(soak.seed),
    })
    const lines = (await readFile(file, 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
    const sums = new Map<string, number>()
    for (const line of lines)
      for (const [name, count] of Object.entries(JSON.parse(line) as Record<string, number>))
        sums.set(name, (sums.get(name) ?? 0) + count)
    const {
      failures: failed = 0,
      tasks = 0,
      odd = 0,
      'odd tasks': oddTasks = 0,
      said = 0,
      lives = 0,
      ...kinds
    } = Object.fromEntries(sums)
    const each = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`)
    const figures = `${failed} failures in ${tasks} tasks, ${odd} odd answers in ${oddTasks}, and ${lives} lives (${each.join(', ')}); ${said} times somebody said "continue" or asked again; ${seconds(performance.now() - began)}`
    return { figures, failures }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
