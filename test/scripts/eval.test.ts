import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { evaluateAll } from '../../scripts/eval.ts'
import { newRun } from '../../src/agent/kernel/create-run.ts'
import { openKeptTests } from '../../src/compose/kept-tests.ts'
import { temporary } from '../adapters/coding/support.ts'
import { limits } from '../support/limits.ts'

const goal = 'Where is it?'
const run = {
  ...newRun({
    ...{ id: 'r_1', workspace: 'w', conversationId: null, channel: 'c', type: 'agent_task' },
    ...{ title: goal, input: { goal, strategy: 'step' }, requestedBy: null },
    ...{ requestId: 'e_1', createdAt: 0 },
  }),
  status: 'running' as const,
}
const surroundings = {
  ...{ locale: 'en', timeZone: 'UTC', threadTokens: 0, place: null, overheard: [] },
  installation: { commands: [], folders: [] },
}

async function evaluated(...reports: string[]) {
  const folder = join(await temporary(), 'tests')
  const tests = openKeptTests(folder)
  await mkdir(folder)
  await tests.keep({
    ...{ version: 1, kind: 'test', right: 'says: Lisbon', wrong: [], report: 'Porto', run, limits },
    ...{ surroundings, tools: [], calls: [], answers: [] },
  })
  const replies = reports.flatMap((response) => [
    { status: 'planned', plan: ['Look'] },
    {
      ...{ status: 'done', current_step: 'Look', next_action: null },
      ...{ question: null, choices: null, response: null },
    },
    { status: 'done', plan: [], response },
  ])
  const script = join(await temporary(), 'script.json')
  await writeFile(script, JSON.stringify({ r_1: replies }))
  const lines: string[] = []
  const code = await evaluateAll([folder, '--script', script], {}, (line) => lines.push(line))
  return { code, said: lines.join('\n'), folder, lines }
}

it('prints what passes and what it took, and exits with 1 when one fails (C733)', async () => {
  const good = await evaluated('It is Lisbon.')
  expect(good).toMatchObject({ code: 0 })
  expect(good.said).toMatch(/^✓ r_1 Where is it\?[\s\S]*1 of 1 pass; 3 requests, 0 tokens\.$/)
  const bad = await evaluated('It is Porto.')
  expect(bad).toMatchObject({ code: 1 })
  expect(bad.said).toContain('the report does not say “Lisbon”')
  // A script that ends too soon passes nothing.
  expect(await evaluated()).toMatchObject({ code: 1 })
})

it('says what it cannot read (C733)', async () => {
  const { folder } = await evaluated('It is Lisbon.')
  await writeFile(join(folder, 'other.json'), '{"version":2}')
  await expect(evaluateAll([folder], {}, () => {})).rejects.toThrow('other.json is no kept test')
  await expect(evaluateAll([`${folder}/none`], {}, () => {})).rejects.toThrow('there is no')
  const lines: string[] = []
  expect(await evaluateAll([], {}, (line) => lines.push(line))).toBe(2)
})
