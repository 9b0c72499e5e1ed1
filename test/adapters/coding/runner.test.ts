import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readCommand } from '../../../src/adapters/coding/command-line.ts'
import { readReport, taskFile, taskFileName } from '../../../src/adapters/coding/protocol.ts'
import { endIdOf, type Letter, orderIdOf } from '../../../src/agent/domain/mission.ts'
import { agent, repository, startRunner, temporary } from './support.ts'

const patience = { timeout: 40_000, interval: 20 }

function letter(description: string, over: Partial<Letter> = {}): Letter {
  return {
    ...{
      id: orderIdOf('r_1', 1),
      missionId: 'r_1',
      createdAt: 1_000,
      sessionId: null,
      command: 'new',
      title: '',
    },
    ...{ description, constraints: '', expected: '' },
    ...over,
  }
}
function put(folder: string, one: Letter) {
  mkdirSync(join(folder, 'commands/pending'), { recursive: true })
  writeFileSync(join(folder, 'commands/pending', taskFileName(one.id)), taskFile(one))
}
const reportOf = async (folder: string, { id }: Letter) => {
  const path = join(folder, 'reports/pending', `report-task-${id}.md`)
  await expect.poll(() => existsSync(path), patience).toBe(true)
  return readReport(readFileSync(path, 'utf8'))
}
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    // A process that nobody has asked about yet is dead too.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
const pidIn = async (path: string) => {
  await expect
    .poll(() => existsSync(path) && readFileSync(path, 'utf8') !== '', patience)
    .toBe(true)
  return Number(readFileSync(path, 'utf8'))
}

describe('the runner', () => {
  it('hands tasks over in their order, and puts them away with a report each (R127)', async () => {
    const [{ cwd, git }, folder] = await Promise.all([repository(), temporary()])
    const [first, second] = [
      letter('Add a test'),
      letter('Unknown', { id: orderIdOf('r_1', 2), createdAt: 2_000 }),
    ]
    put(folder, second)
    put(folder, first)
    const { lines } = startRunner({ folder, cwd })
    expect(await reportOf(folder, second)).toMatchObject({ status: 'failed' })
    expect(await reportOf(folder, first)).toMatchObject({ status: 'success' })
    expect((await reportOf(folder, second))?.text).toContain('exit code: 3')
    expect(git('log', '--format=%s', '-1')).toBe('test: add()')
    await expect
      .poll(() => readdirSync(join(folder, 'commands/processed')).length, patience)
      .toBe(2)
    expect(lines[0]).toContain(first.id)
    // Written once more, a task is not done once more.
    put(folder, first)
    await expect.poll(() => readdirSync(join(folder, 'commands/pending')), patience).toEqual([])
    expect(lines.filter((line) => line.includes(first.id))).toHaveLength(2)
  })

  it('stops an agent and all that it has started when its mission is ended (R126)', async () => {
    const [{ cwd }, folder] = await Promise.all([repository(), temporary()])
    put(folder, letter('Never end'))
    startRunner({ folder, cwd })
    const pids = [await pidIn(join(cwd, 'agent.pid')), await pidIn(join(cwd, 'child.pid'))]
    put(folder, letter('', { id: endIdOf('r_1'), command: 'end' }))
    const report = await reportOf(folder, letter(''))
    expect(report).toMatchObject({ status: 'failed' })
    await expect.poll(() => pids.map(isAlive), patience).toEqual([false, false])
    // A task that was written while the mission was being ended is not begun.
    const late = letter('Add a test', { id: orderIdOf('r_1', 2) })
    put(folder, late)
    await expect.poll(() => readdirSync(join(folder, 'commands/pending')), patience).toEqual([])
    expect(existsSync(join(cwd, 'test'))).toBe(false)
  })

  it('stops an agent at its limit of output, and at its limit of time', async () => {
    const [{ cwd }, wide, short] = await Promise.all([repository(), temporary(), temporary()])
    put(wide, letter('Talk too much'))
    startRunner({ folder: wide, cwd, outputBytes: 200_000 })
    expect((await reportOf(wide, letter('')))?.text).toContain('wrote more than it may')
    put(short, letter('Never end'))
    startRunner({ folder: short, cwd, timeMs: 1_000 })
    expect((await reportOf(short, letter('')))?.text).toContain('its time was over')
  })

  it('says in the report that a program cannot be started', async () => {
    const [{ cwd }, folder] = await Promise.all([repository(), temporary()])
    put(folder, letter('Add a test'))
    startRunner({ folder, cwd, command: readCommand('no-such-program {prompt}') })
    const report = await reportOf(folder, letter(''))
    expect(report).toMatchObject({ status: 'failed' })
    expect(report?.text).toContain('could not be started')
  })

  it('passes the task as one argument, whatever it holds, and the session', async () => {
    const [cwd, folder] = await Promise.all([temporary(), temporary()])
    put(
      folder,
      letter("'; touch pwned; $(touch pwned) `touch pwned`", {
        sessionId: 's9',
        command: 'continue',
      }),
    )
    const script =
      'console.log(process.argv.length, process.argv[1], process.argv[2].includes("touch pwned"))'
    startRunner({
      folder,
      cwd,
      continueCommand: readCommand(`'${process.execPath}' -e '${script}' -- {session_id} {prompt}`),
    })
    expect((await reportOf(folder, letter('')))?.text).toContain('3 s9 true')
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
  })

  it('begins no task twice: what was cut off by kill -9 is reported so, and the agent is ended (rule 5)', async () => {
    const [{ cwd }, folder] = await Promise.all([repository(), temporary()])
    put(folder, letter('Never end'))
    const script = join(import.meta.dirname, '../../../scripts/coding-runner.ts')
    const command = `'${process.execPath}' '${agent}' {session_id}`
    const args = [script, '--folder', folder, '--cwd', cwd, '--command', command, '--poll', '20']
    const begin = () => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    }
    const first = begin()
    const pid = await pidIn(join(cwd, 'child.pid'))
    // One runner works on a folder.
    const refused = begin()
    const [code] = await once(refused, 'exit')
    expect(code).toBe(2)
    first.kill('SIGKILL')
    await once(first, 'exit')
    const second = begin()
    const report = await reportOf(folder, letter(''))
    expect(report).toMatchObject({ status: 'failed' })
    expect(report?.text).toContain('interrupted while the agent worked')
    await expect.poll(() => isAlive(pid), patience).toBe(false)
    second.kill('SIGTERM')
    const [end] = await once(second, 'exit')
    expect(end).toBe(0)
  }, 60_000)
})
