import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkRepository } from '../../../src/adapters/coding/acp/checkout.ts'
import { type AcpOptions, createAcpDesk } from '../../../src/adapters/coding/acp/desk.ts'
import { orderFilesIn } from '../../../src/adapters/coding/acp/order-file.ts'
import type { Letter } from '../../../src/agent/domain/mission.ts'
import type { Clock } from '../../../src/agent/ports/clock.ts'
import type { SeenReport, SeenWork } from '../../../src/agent/ports/coding-folder.ts'
import { coding } from '../../../src/agent/strategies/coding.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { openCoding } from '../../../src/compose/coding.ts'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { limits } from '../../support/limits.ts'
import { silent } from '../../support/silent.ts'
import { repository, temporary } from './support.ts'

const program = join(import.meta.dirname, '../../fakes/acp/agent.ts')
const missionId = 'r_1234567890'
const waits = { timeout: 60_000, interval: 50 }

async function startDesk(
  over: Partial<AcpOptions> = {},
  clock: Clock = createSystemClock(),
  ...options: string[]
) {
  const [home, folder, { cwd, git }] = await Promise.all([temporary(), temporary(), repository()])
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: home,
    FAKE_ACP_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const all: AcpOptions = {
    command: [process.execPath, program, ...options],
    mode: null,
    repo: cwd,
    tests: null,
    push: false,
    folder,
    env,
    timeMs: 60_000,
    ...over,
  }
  const open = () => {
    const desk = createAcpDesk(all, { clock, log: silent })
    onTestFinished(() => desk.stop())
    return desk
  }
  let desk = open()
  const mission = coding.start('Make it right', limits, false)
  const letterOf = (id: string, title: string): Letter => ({
    ...{ id, missionId, createdAt: 0, sessionId: null, command: 'new', title },
    ...{ description: '', constraints: '', expected: '' },
  })
  const report = (id: string) =>
    vi.waitFor(async () => {
      const seen = (await desk.look(id)) as SeenReport
      expect(seen.report).toBeDefined()
      return seen
    }, waits)
  const asked = (id: string) =>
    vi.waitFor(async () => {
      const { asks } = (await desk.look(id)) as SeenWork
      if (asks === null) throw new Error('nothing is asked')
      return asks
    }, waits)
  const log = () => {
    const path = join(home, 'log')
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  }
  const logged = (line: RegExp) => vi.waitFor(() => expect(log().join('\n')).toMatch(line), waits)
  const tree = orderFilesIn(folder).tree(missionId)
  return {
    ...{ git, tree, report, asked, log, logged, cwd, folder },
    inTree: (...args: string[]) =>
      execFileSync('git', args, { cwd: tree, encoding: 'utf8' }).trim(),
    look: (
      id: string,
      ...rest: Parameters<typeof desk.look> extends [string, ...infer R] ? R : never
    ) => desk.look(id, ...rest),
    handOver: (id: string, title: string) => desk.handOver(letterOf(id, title), mission),
    dismiss: () => desk.dismiss(letterOf('end', ''), mission, 'canceled'),
    /** Stops Clew's part; the next look is made by another one. */
    async restart() {
      await desk.stop()
      desk = open()
    },
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('takes an agent that writes the protocol loosely, and rejects for good what it must (C993, C871)', async () => {
  const { handOver, asked, look, report, log } = await startDesk({}, undefined, '--loose')
  await handOver('a', 'Mend add()')
  const { id } = await asked('a')
  await look('a', [{ id, allow: false, text: null }])
  expect((await report('a')).report?.text).toContain('- agent: ended its turn')
  expect(log()).toContain('permission no')
})

it('keeps files and terminals of an agent in its checkout, through links too (S90)', async () => {
  const { handOver, report, log } = await startDesk()
  await handOver('a', 'Look around')
  await report('a')
  const tried = log().filter((line) => /^(?:read|write|terminal)/.test(line))
  expect(tried).toHaveLength(9)
  expect(tried.filter((line) => !line.endsWith('refused (-32602)'))).toEqual([])
  expect(existsSync('/tmp/planted')).toBe(false)
})

it('allows once what was approved, and rejects the rest (S91)', async () => {
  const { handOver, asked, report, look, log, inTree } = await startDesk()
  await handOver('a', 'Mend add()')
  const first = await asked('a')
  await look('a', [{ id: 'another', allow: true, text: null }])
  await look('a', [
    { id: first.id, allow: false, text: null },
    { id: 'x', allow: true, text: null },
  ])
  await report('a')
  await handOver('b', 'Mend add()')
  const second = await asked('b')
  expect(second).toMatchObject({ kind: 'approval', text: first.text })
  expect(second.id).not.toBe(first.id)
  await look('b', [{ id: second.id, allow: true, text: null }])
  await report('b')
  expect(log().filter((line) => line.startsWith('permission'))).toEqual([
    'permission no',
    'permission once',
  ])
  expect(inTree('log', '--format=%s')).toBe('Mend add()\nbegin')
})

it.each([
  ['goes on in its session', [], /\nload s-\d+\n/],
  ['goes on in a new one where it cannot load', ['--no-load'], /new[\s\S]*\nnew/],
])('%s when Clew was away in between (C873)', async (_, options, how) => {
  const { handOver, report, logged, log, restart, look, inTree } = await startDesk(
    {},
    undefined,
    ...options,
  )
  await handOver('a', 'Wait once')
  await logged(/waits false/)
  await restart()
  expect(await look('a')).toMatchObject({ asks: null })
  const { report: written } = await report('a')
  expect(log().join('\n')).toMatch(how)
  expect(written?.status).toBe('success')
  expect(written?.text).toContain('Both halves are there.')
  expect(written?.text).not.toContain('REPLAYED')
  expect(inTree('show', 'HEAD:half.txt')).toBe('half\nwhole')
})

it('passes an approval on to the agent that repeats its request after a restart, once (C873, S91)', async () => {
  const { handOver, asked, report, look, restart, log } = await startDesk()
  await handOver('a', 'Mend add()')
  const { id } = await asked('a')
  await restart()
  await look('a', [{ id, allow: true, text: null }])
  await report('a')
  expect(log().filter((line) => line.startsWith('permission'))).toEqual([
    'permission cancelled',
    'permission once',
  ])
})

it('tells an agent to cancel, then ends it with all that it started (C876)', async () => {
  const { handOver, logged, log, tree, dismiss } = await startDesk()
  await handOver('a', 'Take for ever')
  await vi.waitFor(() => expect(readFileSync(join(tree, 'pid'), 'utf8')).toMatch(/\d/), waits)
  const agent = Number(/start (\d+)/.exec(log()[0] ?? '')?.[1])
  const command = Number(readFileSync(join(tree, 'pid'), 'utf8'))
  expect([agent, command].map(isAlive)).toEqual([true, true])
  await dismiss()
  await logged(/cancel/)
  await vi.waitFor(() => expect([agent, command].map(isAlive)).toEqual([false, false]), waits)
})

it('ends a turn whose time is over, and says so (C876)', async () => {
  const clock = createManualClock()
  const { handOver, report, log, logged } = await startDesk({ timeMs: 2_000 }, clock)
  await handOver('a', 'Take for ever')
  await logged(/prompt/)
  await vi.waitFor(async () => {
    await clock.advance(1_000)
    expect(log().join('\n')).toContain('cancel')
  }, waits)
  const { report: written } = await report('a')
  expect(written).toMatchObject({ status: 'failed' })
  expect(written?.text).toContain('stopped: its time was over')
  expect(log().join('\n')).toContain('cancel')
})

it('says why an agent that ends by itself did not finish (C873)', async () => {
  const { handOver, report } = await startDesk()
  await handOver('a', 'Fall over')
  const { report: written } = await report('a')
  expect(written?.status).toBe('failed')
  expect(written?.text).toMatch(/ended by itself[\s\S]*Oh\.[\s\S]*out of memory/)
})

it('cannot be used while nobody is signed in or the program is missing, and tries again when it is asked to (C877)', async () => {
  const { handOver, look, log } = await startDesk({}, undefined, '--sign-in')
  await handOver('a', 'Mend add()')
  const problem = (word: RegExp) =>
    vi.waitFor(async () => await expect(look('a')).rejects.toThrow(word), waits)
  await problem(/wants a sign-in/)
  await problem(/wants a sign-in/)
  expect(log().filter((line) => line.startsWith('start'))).toHaveLength(2)
  const none = await startDesk({ command: ['no-such-agent'] })
  await none.handOver('a', 'Mend add()')
  await vi.waitFor(
    async () => await expect(none.look('a')).rejects.toThrow(/no-such-agent cannot be started/),
    waits,
  )
})

it.each([
  ['is not signed in only when it gets the task', '--sign-in-late', /sign-in.*fake login/],
  ['ends at once', '--falls', /ended before it opened a session: no settings: run `fake init`/],
])('cannot be used if it %s, and counts as no failure (C877)', async (_, option, problem) => {
  const { handOver, look } = await startDesk({}, undefined, option)
  await handOver('a', 'Mend add()')
  await vi.waitFor(async () => await expect(look('a')).rejects.toThrow(problem), waits)
})

it('works in the mode that is set, in every session of the agent (C935)', async () => {
  const agent = await startDesk({ mode: 'ask' }, undefined, '--modes')
  await agent.handOver('a', 'Wait once')
  await agent.logged(/waits false/)
  await agent.restart()
  await agent.report('a')
  expect(agent.log().filter((line) => /^(?:new|load|mode)/.test(line))).toEqual([
    expect.stringMatching(/^new/),
    'mode ask',
    expect.stringMatching(/^load/),
    'mode ask',
  ])
  const other = await startDesk({ mode: 'yolo' }, undefined, '--modes')
  await other.handOver('a', 'Mend add()')
  const problem = /CODING_MODE: the agent has no mode yolo: auto, ask/
  await vi.waitFor(async () => await expect(other.look('a')).rejects.toThrow(problem), waits)
})

it('names files from the clone, and shows only the lines that change (C936)', async () => {
  const { handOver, asked, look, logged } = await startDesk()
  await handOver('a', 'Change one line of many')
  const { id, text } = await asked('a')
  expect(text.split('\n')).toEqual([
    'src/long.js (edit)',
    'replaceAll: true',
    'src/long.js:',
    '…',
    ...[17, 18, 19].map((at) => `  line ${at}`),
    '- line 20',
    '+ line twenty',
    ...[21, 22, 23].map((at) => `  line ${at}`),
    '…',
  ])
  await look('a', [{ id, allow: true, text: null }])
  await logged(/permission once/)
})

it('goes on beside what nobody asked an agent for, and takes only its last words (C937)', async () => {
  const { handOver, report } = await startDesk({}, undefined, '--noisy')
  await handOver('a', 'Say more than asked')
  const { report: written } = await report('a')
  expect(written?.status).toBe('success')
  expect(written?.text).toMatch(/- no changes\n\nI look at it\.\n\nIt is done\.$/)
})

it.each([
  ['行', '"accept","content":{"node":true}'],
  ['不行', '"accept","content":{"node":false}'],
  ['later perhaps', '"decline"'],
])('takes %s for what it means where an agent asks yes or no (C872)', async (text, answer) => {
  const { handOver, asked, look, logged } = await startDesk()
  await handOver('a', 'Ask whether')
  const { id } = await asked('a')
  await look('a', [{ id, allow: true, text }])
  await logged(new RegExp(`elicited .*${answer}`))
})

it('makes a success whose tests fail a failure, with their output first (C874)', async () => {
  const tests = [process.execPath, '-e', "console.log('1 of 2 failed'); process.exit(1)"]
  const { handOver, report } = await startDesk({ tests })
  await handOver('a', 'Anything')
  const { report: written } = await report('a')
  expect(written?.status).toBe('failed')
  expect(written?.text).toMatch(/exit code 1[\s\S]*1 of 2 failed[\s\S]*Nothing to do\.$/)
})

it('pushes the branch when people approve it, and not before (C875)', async () => {
  const { handOver, asked, report, look, git } = await startDesk({ push: true })
  await handOver('a', 'Wait once')
  await handOver('b', 'Look around')
  const push = await asked('b')
  expect(push.text).toMatch(/^git push \S+ clew\/make-it-right-34567890\n/)
  expect(git('branch', '--list', 'clew/*')).toBe('')
  await look('b', [{ id: push.id, allow: true, text: null }])
  const { report: written } = await report('b')
  expect(written?.text).toContain('clew/make-it-right-34567890 (pushed)')
  expect(git('log', '-1', '--format=%s', 'clew/make-it-right-34567890')).toBe('Look around')
})

it('is refused with a sentence without a repository, git, or with both protocols (C878)', async () => {
  const problems = (env: Record<string, string>) => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [String(error)]
    }
  }
  expect(problems({ CODING_AGENT: 'a', CODING_REPO: '.', CODING_FOLDER: 'f' })).toEqual([
    expect.stringMatching(/^CODING_AGENT: CODING_FOLDER is set too; keep the one/),
  ])
  expect(problems({ CODING_AGENT: 'a' })[0]).toMatch(/^CODING_AGENT: needs CODING_REPO/)
  expect(problems({ CODING_TESTS: 'npm test' })).toEqual(['CODING_TESTS: needs CODING_AGENT'])
  const broken = readConfig({ CODING_AGENT: "a '", CODING_REPO: '.' })
  const parts = { clock: createSystemClock(), log: silent, env: {} }
  await expect(openCoding(broken, parts)).rejects.toThrow(/^CODING_AGENT: a quote/)
  const [folder, { cwd }] = await Promise.all([temporary(), repository()])
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CEILING_DIRECTORIES: tmpdir() }
  await checkRepository(cwd, env)
  await expect(checkRepository(folder, env)).rejects.toThrow(/is no git repository with a commit/)
  await expect(checkRepository(join(folder, 'x'), env)).rejects.toThrow(/there is no folder/)
  await expect(checkRepository(cwd, { ...env, PATH: folder })).rejects.toThrow(
    /git is not installed/,
  )
})

it('does not count the time in which it waits for people (C876)', async () => {
  const clock = createManualClock()
  const { handOver, asked, look, report } = await startDesk({ timeMs: 2_000 }, clock)
  await handOver('a', 'Mend add()')
  const { id } = await asked('a')
  await clock.advance(60_000)
  expect(await look('a')).toMatchObject({ asks: { id } })
  await look('a', [{ id, allow: true, text: null }])
  await clock.advance(500)
  const { report: written, workedMs } = await report('a')
  expect(written?.status).toBe('success')
  expect(workedMs).toBeLessThan(1_000)
})

it('gives a step up after three interruptions; a stop of Clew is none (C873)', async () => {
  const { handOver, report, restart, folder, logged } = await startDesk()
  await handOver('a', 'Wait once')
  await logged(/waits false/)
  await restart()
  const files = orderFilesIn(folder)
  const order = await files.read('a')
  expect(order).toMatchObject({ begins: 0, ended: null })
  if (order !== null) await files.write({ ...order, begins: 3 })
  const { report: written } = await report('a')
  expect(written?.status).toBe('failed')
  expect(written?.text).toContain('was interrupted three times')
})
