import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { value } from '../../fakes/openai/replies.ts'
import { ask } from '../web/support.ts'
import { decision, type Shown, startCoding, step, verdict } from './clew.ts'
import { repository, temporary } from './support.ts'

const program = join(import.meta.dirname, '../../fakes/acp/agent.ts')

/** A Clew that starts the agent of `test/fakes/acp` on a repository, and what the agent logged. */
async function startAgent(settings: Record<string, string> = {}, options = '') {
  const [home, { cwd, git }] = await Promise.all([temporary(), repository()])
  const env = { FAKE_ACP_HOME: home, SECRET_OF_CLEW: 'never' }
  const started = await startCoding(
    {
      CODING_AGENT: `'${process.execPath}' '${program}' ${options}`,
      CODING_REPO: cwd,
      CODING_VARIABLES: 'FAKE_ACP_HOME',
      ...settings,
    },
    env,
  )
  const missions = join(started.data, 'coding/missions')
  const tree = () => join(missions, readdirSync(missions)[0] ?? '', 'tree')
  const inTree = (...args: string[]) =>
    execFileSync('git', args, { cwd: tree(), encoding: 'utf8' }).trim()
  const log = () => readFileSync(join(home, 'log'), 'utf8').trim().split('\n')
  return { ...started, home, cwd, git, tree, inTree, log }
}

const isOver = ({ run }: Shown) => run?.status === 'succeeded' || run?.status === 'failed'

it('changes a clone of the repository by an agent that asks first, and shows plan, question and diff (C870, C871, C872, C874)', async () => {
  const { server, say, when, url, git, inTree, log } = await startAgent({
    CODING_TESTS: `'${process.execPath}' -e "import('./src/add.js').then((m) => process.exit(m.add(1, 2) - 3))"`,
  })
  server.on('decision', decision('Make add() right'))
  server.on('mission', value({ steps: ['Mend add()', 'Name the package'].map(step) }))
  server.on('evaluate', verdict('next', 'It adds.'), verdict('next', 'It has a name.'))
  server.on('mission_report', value({ report: 'Both are done.' }))
  await say('Make add() right')
  const asked = await when(({ question }) => question !== null)
  expect(asked.question?.text).toContain('Edit src/add.js (edit)')
  expect(asked.question?.text).toContain('+ export const add = (a, b) => a + b')
  const plan = (await ask(`${url}/api/runs/${asked.run?.id}`)).body as { progress: unknown }
  expect(JSON.stringify(plan)).toContain('Read it')
  await say('可以')
  const named = await when(({ question }) => question?.text.includes('be called') === true)
  await say('adder')
  const { messages, run } = await when(isOver)
  expect(run?.status).toBe('succeeded')
  expect(named.question?.text).toContain('What should the package be called?')
  expect(log().filter((line) => /^(?:permission|elicited)/.test(line))).toEqual([
    'permission once',
    'elicited {"action":"accept","content":{"name":"adder"}}',
  ])
  // The team's repository is untouched; the clone has a branch of its own.
  expect(git('log', '--format=%s', '--all')).toBe('begin')
  expect(inTree('log', '--format=%s').split('\n')).toEqual([
    'chore: name the package',
    'Mend add()',
    'begin',
  ])
  expect(inTree('branch', '--show-current')).toMatch(/^clew\/make-add-right-\w{8}$/)
  const evaluations = server.requests.filter(({ contract }) => contract === 'evaluate')
  expect(evaluations[0]?.prompt).toMatch(
    /tests: [\s\S]*exit code 0[\s\S]*src\/add.js[\s\S]*1 \+ 2 = 3/,
  )
  const said = messages.map(({ text }) => text)
  expect(said.filter((text) => text.includes('.diff'))).toHaveLength(2)
  expect(said.join('\n')).toContain('+export const add = (a, b) => a + b')
  expect(log()[0]).toContain('FAKE_ACP_HOME')
  expect(log()[0]).not.toContain('SECRET_OF_CLEW')
  server.assertDone()
})
