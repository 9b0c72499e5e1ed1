import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { examine, printed } from '../../../scripts/doctor.ts'
import { typeErrorsIn } from '../../../scripts/tool-types.ts'
import { openHome } from '../../../src/adapters/home/home.ts'
import type { Tool, ToolContext } from '../../../src/agent/ports/tool.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { value } from '../../fakes/openai/replies.ts'
import { silent } from '../../support/silent.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'

const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }
const example = join(import.meta.dirname, '../../../examples/agent-home')

/** A copy of the example, as a team makes one. */
async function copied(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-home-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(example, folder, { recursive: true })
  return folder
}

async function opened(folder: string) {
  const clock = createManualClock()
  const home = await openHome(folder, { clock, log: silent })
  onTestFinished(() => home.stop())
  /** Resolves when a look at the folder has made this true. */
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await clock.advance(2_000)
      await wait(5)
    }
  }
  const tool = (name: string) => {
    const found = home.tools().find((one) => one.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }
  return { home, until, tool }
}

const context = (effectId = 'x'): ToolContext => ({
  ...{
    workspace: 'w',
    channel: 'c',
    conversationId: 'k',
    person: ana,
    locale: 'en',
    timeZone: 'UTC',
  },
  ...{ now: 0, effectId, signal: new AbortController().signal },
})

describe('the example', () => {
  it('runs: its words and skills are in the prompt, a skill is read, its tools are used and approved (C40, P13)', async () => {
    const folder = await copied()
    const { clew, server, url } = await start({ AGENT_HOME: folder, AGENT_STRATEGY: 'batch' })
    expect(clew.lines.join()).toContain('1 skills, 1 plans, 3 tools.')
    const round = (...steps: [tool: string, input: string][]) =>
      value({
        steps: steps.map(([tool, input]) => ({ tool, arguments: input, purpose: null })),
        reasoning: 'r',
      })
    const think = (user_summary: string, task_completed: boolean) =>
      value({ internal_analysis: null, user_summary, task_completed, next_steps_preview: null })
    server.on('decision', decision('Write the weekly report'))
    server.on(
      'plan_tool_call',
      round(['read_skill', 'weekly-report'], ['read_skill', 'weekly-report/template.md']),
      round(['working_days', '2026-05-01 2026-05-31'], ['logbook', 'Week 22: 4 closed']),
    )
    server.on('think', think('I know how.', false), think('The report is written.', true))
    const id = await tell(url, 'Write the weekly report', ana)
    const { question } = await when(url, id, (shown) => shown.question !== null)
    expect(question?.text).toContain('Week 22: 4 closed')
    await fetch(`${url}/api/questions/${question?.id}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ choice: 'Approve', author: ana }),
    })
    await when(url, id, ({ run }) => run?.status === 'succeeded')
    for (const { prompt } of server.requests) {
      expect(prompt).toContain('Blue Door')
      expect(prompt).toContain('- weekly-report: How the weekly report of the workshop is written.')
    }
    const all = server.requests.map(({ prompt }) => prompt).join()
    for (const part of ['# The weekly report', '**Week N**', '21 working days', 'written: Week 22'])
      expect(all).toContain(part)
    expect(await readFile(join(folder, 'logbook.txt'), 'utf8')).toMatch(
      / Ana: Week 22: 4 closed \[/,
    )
    server.assertDone()
  })

  it('has tools that fit the project’s types and keep their word', async () => {
    const folder = await copied()
    const { home, tool } = await opened(folder)
    expect(home.problems()).toEqual([])
    expect(tool('working_days').check?.('soon')).toMatch(/not two dates/)
    for (let twice = 0; twice < 2; twice++) await tool('logbook').run('one', context('same'))
    await tool('logbook').run('two', context('other'))
    expect((await readFile(join(folder, 'logbook.txt'), 'utf8')).trim().split('\n')).toHaveLength(2)
    await writeFile(
      join(folder, 'tools/wrong.ts'),
      "import type { Tool } from 'clew/tool'\nexport default { name: 'x', effect: 'maybe' } as const satisfies Tool\n",
    )
    const errors = await typeErrorsIn(folder)
    expect(errors?.join('\n')).toContain('wrong.ts')
    expect(errors?.join('\n')).not.toContain('logbook.ts')
  })
})

describe('a change in the folder', () => {
  it('holds from then on, without a restart', async () => {
    const folder = await copied()
    const { home, until, tool } = await opened(folder)
    await writeFile(join(folder, 'instructions.md'), 'We sell bread.')
    await until(() => home.words().instructions === 'We sell bread.')
    await mkdir(join(folder, 'skills/baking'))
    await writeFile(
      join(folder, 'skills/baking/SKILL.md'),
      '---\nname: baking\ndescription: >\n  How we\n  bake.\n---\nHot.',
    )
    await until(() => home.words().skills.length === 2)
    expect(home.words().skills[0]).toEqual({ name: 'baking', description: 'How we bake.' })
    expect(await tool('read_skill').run('baking', context())).toEqual({ ok: true, text: 'Hot.' })

    const before = tool('working_days')
    await writeFile(
      join(folder, 'tools/hello.ts'),
      "export default { ...(await import('./working_days.ts')).default, name: 'hello' }",
    )
    await until(() => home.tools().some(({ name }) => name === 'hello'))
    expect(tool('working_days')).toBe(before)
    await rm(join(folder, 'tools/hello.ts'))
    await until(() => home.tools().every(({ name }) => name !== 'hello'))
  })

  it('to a tool is the tool from then on', async () => {
    const folder = await copied()
    const program = join(import.meta.dirname, '../../fakes/home/reload.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program, folder])
    expect(JSON.parse(stdout)).toEqual(['Good morning', 'Good evening!'])
  })

  it('that breaks a file names it, and the rest still works; a tool that throws answers its call (F18)', async () => {
    const folder = await copied()
    const { home, until, tool } = await opened(folder)
    const files: Record<string, string> = {
      'skills/bad/SKILL.md': 'no head',
      'skills/odd/SKILL.md': '---\nname: Not Good\ndescription: x\n---\n',
      'tools/syntax.ts': 'export default {',
      'tools/throws.ts': "throw new Error('at once')",
      'tools/shape.ts': "export default { name: 'ok', effect: 'often', description: '' }",
      'tools/same.ts':
        "export default { name: 'logbook', effect: 'none', description: 'x', run: async () => ({}) }",
      'tools/fails.ts':
        "export default { name: 'fails', effect: 'unkeyed', description: 'x', check() { throw new Error('odd') }, run: async () => { throw new Error('oh\\nno') } }",
    }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await appendFile(join(folder, 'instructions.md'), 'x'.repeat(13_000))
    await until(() => home.problems().length >= 7)
    const problems = home.problems().join('\n')
    for (const part of [
      'instructions.md is longer than 12000 characters',
      'bad/SKILL.md does not begin with ---',
      'odd/SKILL.md name is not lower-case letters',
      'syntax.ts cannot be loaded',
      'throws.ts cannot be loaded: at once',
      'shape.ts is not a tool: effect',
      'same.ts: another tool is called logbook',
    ])
      expect(problems).toContain(part)
    expect(home.words().instructions?.length).toBe(12_000)
    expect(await tool('working_days').run('2026-05-01 2026-05-08', context())).toMatchObject({
      text: '6 working days',
    })
    expect(tool('fails').check?.('')).toBe('fails cannot check this input: odd')
    expect(await tool('fails').run('', context())).toEqual({
      ok: false,
      text: 'fails failed: oh',
      unknown: true,
    })
  })

  it('that takes the folder away is named', async () => {
    const folder = await copied()
    const { home, until } = await opened(folder)
    await rm(folder, { recursive: true })
    await until(() => home.problems().length === 1)
    expect(home.problems()[0]).toContain('is not a folder that can be read')
    expect(home.tools()).toEqual([])
  })
})

it('`npm run doctor` names what is wrong with the folder, its tools’ types and its servers', async () => {
  const folder = await copied()
  await writeFile(join(folder, 'skills/weekly-report/SKILL.md'), 'no head')
  await writeFile(
    join(folder, 'tools/stock.ts'),
    "import type { Tool } from 'clew/tool'\nconst stock: Tool = {}\nexport default stock\n",
  )
  await writeFile(
    join(folder, 'mcp.json'),
    JSON.stringify({ mcpServers: { gone: { command: '/nowhere/at-all' } } }),
  )
  const findings = (await examine({ AGENT_HOME: folder, DATA_DIR: folder }, []))
    .map(printed)
    .join('\n')
  for (const part of [
    '✗ MCP server gone: spawn /nowhere/at-all ENOENT',
    'SKILL.md does not begin with ---',
    'stock.ts is not a tool',
    /stock\.ts\(2,7\): error TS/,
  ])
    expect(findings).toMatch(part)
})

it('a start and the doctor name the tools that act, by whether they ask first (S51, S56)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-home-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'tools'))
  const write = (name: string, rest: string) =>
    writeFile(
      join(folder, 'tools', `${name}.ts`),
      `export default { name: '${name}', description: 'x', run: async () => ({ ok: true, text: '' }), ${rest} }`,
    )
  await write('mail', "effect: 'unkeyed'")
  await write('ring', "effect: 'keyed', approval: 'never'")
  await write('post', "effect: 'keyed', approval: 'never'")
  await write('look', "effect: 'none'")
  const env = { AGENT_HOME: folder, DATA_DIR: folder, AGENT_TOOL_APPROVAL: 'post=first' }
  const burn: Tool = {
    name: 'burn',
    effect: 'unkeyed',
    description: 'Burns a disk.',
    run: async () => ({ ok: true, text: '' }),
  }
  const { clew } = await start(env, { tools: [burn] })
  expect(clew.lines).toContain('Tools that ask people before they act: mail, post.')
  expect(clew.lines).toContain('Tools that act without asking: burn, ring.')
  const findings = (await examine(env, [])).map(printed).join('\n')
  expect(findings).toContain('✓ Tools that ask people before they act: mail, post.')
  expect(findings).toMatch(/· Tools that act without asking: ring\.\n.*AGENT_TOOL_APPROVAL/)
})

it('a skill reads nothing outside its folder (S4, S5)', async () => {
  const folder = await copied()
  await writeFile(join(folder, 'skills/secret.txt'), 'secret')
  const { tool } = await opened(folder)
  for (const path of ['../secret.txt', '../../instructions.md', '/etc/passwd', 'nope.md', ''])
    expect(await tool('read_skill').run(`weekly-report/${path}`, context())).toMatchObject({
      ok: false,
    })
  expect(await tool('read_skill').run('nope', context())).toEqual({
    ok: false,
    text: 'there is no skill "nope"; the skills are weekly-report',
  })
})
