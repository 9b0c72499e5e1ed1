import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { value } from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { createClewProcess } from '../../support/clew-process.ts'
import { when as seenIn, tell } from '../../support/whole-clew.ts'
import { decision, step, verdict } from './clew.ts'
import { repository, temporary } from './support.ts'

const program = join(import.meta.dirname, '../../fakes/acp/agent.ts')

it('goes on where it was when Clew is killed in the middle of a step (C873)', async () => {
  const [server, home, data, { cwd }] = await Promise.all([
    startOpenAi(),
    temporary(),
    temporary(),
    repository(),
  ])
  onTestFinished(() => server.close())
  const clew = await createClewProcess(data, {
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: 'fake',
    CODING_AGENT: `'${process.execPath}' '${program}'`,
    CODING_REPO: cwd,
    CODING_POLL_MS: '50',
    CODING_VARIABLES: 'FAKE_ACP_HOME',
    FAKE_ACP_HOME: home,
  })
  onTestFinished(() => clew.stop())
  server.on('decision', decision('Wait once'))
  server.on('mission', value({ steps: [step('Wait once')] }))
  server.on('evaluate', verdict('next', 'Both are there.'))
  server.on('mission_report', value({ report: 'It waited.' }))
  await clew.start()
  const id = await tell(clew.url, 'Wait once')
  const log = () => readFileSync(join(home, 'log'), 'utf8')
  await expect.poll(log, { timeout: 60_000 }).toContain('waits false')
  const agent = Number(/start (\d+)/.exec(log())?.[1])
  await clew.kill()
  await expect.poll(() => isAlive(agent), { timeout: 10_000 }).toBe(false)
  await clew.start()
  const { messages } = await seenIn(clew.url, id, ({ run }) => run?.status === 'succeeded')
  expect(messages.filter(({ text }) => text.includes('It waited.'))).toHaveLength(1)
  expect(messages.filter(({ text }) => text.includes('whole'))).toHaveLength(1)
  expect(log().match(/^(?:start|new|load|waits \w+)/gm)).toEqual([
    ...['start', 'new', 'waits false'],
    ...['start', 'load', 'waits true'],
  ])
  server.assertDone()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
