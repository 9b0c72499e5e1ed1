import { existsSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { StrategyName } from '../../../src/agent/domain/task.ts'
import { value } from '../../fakes/openai/replies.ts'
import type { FakeOpenAi } from '../../fakes/openai/server.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'
import { reference, until, withPid } from './support.ts'

const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }

/** A folder that the reference set's file server may use, and the file that connects it. */
async function desk(clew = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'clew-desk-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const config = join(folder, 'mcp.json')
  const server = withPid(reference.filesystem(folder), join(folder, 'pid'))
  await writeFile(config, JSON.stringify({ mcpServers: { files: { ...server, clew } } }))
  return { folder, config }
}

type Call = readonly [tool: string, args: object]
const last = 'It is over.'

/** One call after the other, then the report, as each strategy's model says it. */
const scripts: Record<StrategyName, (server: FakeOpenAi, calls: readonly Call[]) => void> = {
  step(server, calls) {
    const nothing = {
      next_action: null,
      question: null,
      choices: null,
      response: null,
      current_step: 'Do it',
    }
    server.on('plan', value({ status: 'planned', plan: ['Do it'] }))
    for (const [tool, args] of calls)
      server.on(
        'thought',
        value({
          ...nothing,
          status: 'continue',
          next_action: { tool, input: JSON.stringify(args) },
        }),
      )
    server.on('thought', value({ ...nothing, status: 'done', response: 'Done.' }))
    server.on('replan', value({ status: 'done', plan: [], response: last }))
  },
  batch(server, calls) {
    for (const [index, [tool, args]] of calls.entries()) {
      server.on(
        'plan_tool_call',
        value({ steps: [{ tool, arguments: args, purpose: null }], reasoning: 'r' }),
      )
      const task_completed = index === calls.length - 1
      const said = task_completed ? last : 'Going on.'
      const think = {
        internal_analysis: null,
        user_summary: said,
        task_completed,
        next_steps_preview: null,
      }
      server.on('think', value(think))
    }
  },
  free(server, calls) {
    for (const [tool, args] of calls)
      server.on(
        'act',
        value({ text: '[Step] Do it', calls: [{ tool, input: JSON.stringify(args) }] }),
      )
    server.on('act', value({ text: last, calls: [] }))
  },
}

const over = (url: string, id: string) =>
  when(
    url,
    id,
    ({ run, messages }) =>
      run?.status === 'succeeded' && messages.at(-1)?.text.includes(last) === true,
  )

it.each(['step', 'batch', 'free'] as const)(
  'a server of the reference set is listed, approved, called and refused under %s (S4, P13, C40, C47)',
  async (strategy) => {
    const { folder, config } = await desk()
    const { server, url, clew } = await start({ AGENT_STRATEGY: strategy, MCP_CONFIG: config })
    expect(clew.lines.join()).toMatch(/MCP: files, \d+ tools\./)
    const note = (name: string) =>
      ['files__write_file', { path: join(folder, name), content: 'Hello' }] as const
    server.on('decision', decision('Note it'))
    scripts[strategy](server, [note('yes.txt'), note('no.txt')])
    const id = await tell(url, 'Note it', ana)

    const asked = async (name: string) =>
      (await when(url, id, ({ question }) => question?.text.includes(name) === true)).question
    const answer = async (name: string, choice: string) => {
      const question = await asked(name)
      expect(question).toMatchObject({ approval: true, askedOf: 'Ana' })
      expect(question?.text).toContain(`May I use the tool **files__write_file** for this?`)
      expect(question?.text).toContain('content: Hello')
      expect(existsSync(join(folder, name))).toBe(false)
      await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', { choice, author: ana })
    }
    await answer('yes.txt', 'Approve')
    await answer('no.txt', 'Refuse')
    await over(url, id)
    expect(await readFile(join(folder, 'yes.txt'), 'utf8')).toBe('Hello')
    expect(existsSync(join(folder, 'no.txt'))).toBe(false)

    // The server's words are data in every prompt, and the model heard who refused.
    const prompts = server.requests.filter(({ contract }) => contract !== 'decision')
    expect(JSON.stringify(prompts[0]?.body)).toContain(String.raw`<data from=\"server\">`)
    expect(prompts.at(-1)?.prompt).toContain('refused by Ana; it was not done.')
    server.assertDone()
    expect(server.refused).toEqual([])
  },
)

it('a server that is killed is said to be away, and is back without a restart of Clew', async () => {
  const { folder, config } = await desk({ trustReadOnly: true })
  await writeFile(join(folder, 'a.txt'), 'Hello')
  const { server, url } = await start({ AGENT_STRATEGY: 'batch', MCP_CONFIG: config })
  const isUp = async () => {
    const { body } = await ask(`${url}/healthz`)
    return (body as { servers: { ok: boolean }[] }).servers[0]?.ok === true
  }
  const reads = async (title: string) => {
    server.on('decision', decision(title))
    scripts.batch(server, [['files__read_text_file', { path: join(folder, 'a.txt') }]])
    await over(url, await tell(url, title, ana))
    return server.requests.at(-1)?.prompt ?? ''
  }
  expect(await reads('Read it')).toContain('Hello')
  process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGKILL')
  await until(async () => !(await isUp()))
  expect(await reads('Read it again')).toContain('the server "files" is away just now')
  await until(isUp)
  expect(await reads('Read it once more')).toContain('Hello')
})

it('a file that changes is taken up without a restart, and what is wrong with it is named', async () => {
  const { folder, config } = await desk()
  const { url } = await start({ MCP_CONFIG: config })
  const health = async () =>
    (await ask(`${url}/healthz`)).body as { servers: { name: string }[]; problems: string[] }
  expect((await health()).servers.map(({ name }) => name)).toEqual(['files'])
  const servers = { desk: reference.filesystem(folder), broken: { command: 7 } }
  await writeFile(config, JSON.stringify({ mcpServers: servers }))
  await until(async () => (await health()).servers[0]?.name === 'desk')
  expect((await health()).problems).toEqual([`${config}: broken: is not understood at command`])
})

it('scheduled work has what only reads and what is allowed, and asks the person who scheduled it (S4, C48, P13)', async () => {
  const { folder, config } = await desk({ unattended: ['write_file'] })
  const { server, url } = await start({ MCP_CONFIG: config })
  scripts.step(server, [['files__write_file', { path: join(folder, 'a.txt'), content: 'Hello' }]])
  const id = await tell(url, '/schedule add 2099-01-01 09:00 Write it down', ana)
  await when(url, id, ({ messages }) => messages.length === 2)
  await ask(`${url}/api/conversations/${id}/messages`, 'POST', {
    text: '/schedule run 1',
    clientMessageId: 'run',
    author: ana,
  })

  const threads = async () => {
    const { body } = await ask(`${url}/api/conversations`)
    return (body as { conversations: { id: string }[] }).conversations.filter(
      (one) => one.id !== id,
    )
  }
  await until(async () => (await threads()).length > 0)
  const opened = (await threads())[0]?.id ?? ''
  const { question } = await when(url, opened, (shown) => shown.question !== null)
  expect(question).toMatchObject({ approval: true, askedOf: 'Ana' })
  const answer = (author: object) =>
    ask(`${url}/api/questions/${question?.id}/answer`, 'POST', { choice: 'Approve', author })
  await answer({ id: 'ben', name: 'Ben' })
  expect(existsSync(join(folder, 'a.txt'))).toBe(false)
  await answer(ana)
  await over(url, opened)
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('Hello')
  const offered = server.requests[0]?.prompt ?? ''
  expect(offered).toContain('- files__write_file:')
  expect(offered).toContain('- files__read_text_file:')
  for (const name of ['files__move_file', 'files__edit_file', 'files__create_directory'])
    expect(offered).not.toContain(name)
})
