import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { value } from '../../fakes/openai/replies.ts'
import { ask } from '../web/support.ts'
import { decision, startCoding, step, verdict } from './clew.ts'
import { repository, startRunner, temporary } from './support.ts'

it('changes a real repository through a coding agent, and shows why each step is done (R124–R130, R137–R138, C32, C39, C43)', async () => {
  const { cwd, git } = await repository()
  const folder = await temporary()
  const { server, say, when, url } = await startCoding({ CODING_FOLDER: folder })
  startRunner({ folder, cwd })
  server.on('decision', decision('Make add() right'))
  server.on('mission', value({ steps: ['Add a test', 'Mend add()', 'Name the package'].map(step) }))
  server.on(
    'evaluate',
    verdict('next', 'The test is there and fails as it should.'),
    verdict('retry', 'It multiplies.', 'Add, do not multiply.'),
    verdict('next', 'All tests pass.'),
    verdict('next', 'It has a name.'),
  )
  server.on('mission_report', value({ report: 'add() adds now, and a test shows it.' }))
  await say('Make add() right')
  const asked = await when((shown) => shown.question !== null)
  expect(asked.question?.text).toContain('What should the package be called?')
  await say('adder')
  const { messages, run } = await when(
    (shown) =>
      shown.run?.status === 'succeeded' &&
      shown.messages.some(({ text }) => text.includes('add() adds now')),
  )
  // The repository is as it should be, by real commits of the agent.
  expect(git('log', '--format=%s').split('\n')).toEqual([
    'chore: name the package',
    'fix: add()',
    'test: add()',
    'begin',
  ])
  expect(readFileSync(join(cwd, 'src/add.js'), 'utf8')).toContain('a + b')
  expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).name).toBe('adder')
  const said = messages.map(({ text }) => text)
  const lines = said.filter((text) => /^[✔↻]/.test(text))
  expect(lines).toEqual([
    '✔ Step 1 of 3, “Add a test”: done. The test is there and fails as it should.',
    '↻ Step 2 of 3, “Mend add()”: not there yet. It multiplies.',
    '✔ Step 2 of 3, “Mend add()”: done. All tests pass.',
    '✔ Step 3 of 3, “Name the package”: done. It has a name.',
  ])
  expect(said.filter((text) => /^[^✔].*: done\./.test(text))).toHaveLength(1)
  expect(said.at(-1)).toContain('add() adds now')
  // What the evaluation was told is what the agent's tests really said.
  const evaluations = server.requests
    .filter(({ contract }) => contract === 'evaluate')
    .map(({ prompt }) => prompt)
  expect(evaluations[0]).toMatch(/status: success[\s\S]*fail 1/)
  expect(evaluations[1]).toMatch(/status: failed[\s\S]*fail 1/)
  expect(evaluations[2]).toMatch(/status: success[\s\S]*pass 1/)
  server.assertDone()
  // The end is told to the agent after it is told to people.
  await expect
    .poll(() => readdirSync(join(folder, 'commands/processed')), { timeout: 40_000 })
    .toHaveLength(6)
  const tasks = readdirSync(join(folder, 'commands/processed')).map((name) => {
    const text = readFileSync(join(folder, 'commands/processed', name), 'utf8')
    return {
      created: /^created_at: (.*)$/m.exec(text)?.[1] ?? '',
      command: /^command_type: (.*)$/m.exec(text)?.[1],
    }
  })
  tasks.sort((a, b) => a.created.localeCompare(b.created))
  expect(tasks.map(({ command }) => command)).toEqual([
    'new',
    'continue',
    'continue',
    'continue',
    'continue',
    'end',
  ])
  const mission = readFileSync(join(folder, 'missions', run?.id ?? '', 'MISSION.md'), 'utf8')
  expect(mission).toContain('status: succeeded')
  expect(mission.match(/^- \[x\] /gm)).toHaveLength(3)
  expect((await ask(`${url}/api/runs/${run?.id}`)).body).toMatchObject({
    work: { strategy: 'coding', toolCalls: 5 },
  })
})
