import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startFakeDiscord } from '../fakes/discord/server.ts'
import { decides } from '../fakes/model.ts'
import { httpError, value } from '../fakes/openai/replies.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { startFakeSlack } from '../fakes/slack/server.ts'

/** `clew setup` in a folder, as a person at a terminal meets it. */
const startSetup = (folder: string, env: Record<string, string>) =>
  startClewIn(folder, ['setup'], env)

function startClewIn(folder: string, words: string[], env: Record<string, string> = { PORT: '0' }) {
  const { PATH = '', HOME = '' } = process.env
  const start = join(import.meta.dirname, '../../start.mjs')
  const child = spawn(process.execPath, [start, ...words], {
    cwd: folder,
    env: { PATH, HOME, ...env },
  })
  let [output, read] = ['', 0]
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  /** Waits for words after those that were awaited before. */
  async function says(words: string): Promise<void> {
    await vi.waitFor(() => expect(output.slice(read)).toContain(words), 60_000)
    read = output.indexOf(words, read) + words.length
  }
  let answers = 0
  const ended = once(child, 'exit')
  return {
    output: () => output,
    answers: () => answers,
    says,
    async answer(question: string, typed: string) {
      await says(question)
      answers += 1
      child.stdin.write(`${typed}\n`)
    },
    leave: () => child.stdin.end(),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    ended: async () => (await ended)[0] as number | null,
  }
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clew-setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('leads from an empty folder to a first answer, and says of each wrong token what is wrong (C516)', async () => {
  const folder = emptyFolder()
  const [model, slack, discord] = await Promise.all([
    startOpenAi({ remembers: false }),
    startFakeSlack({ minuteMs: null }),
    startFakeDiscord(),
  ])
  onTestFinished(() => Promise.all([model.close(), slack.stop(), discord.stop()]).then(() => {}))
  model.answer(({ headers }) =>
    headers.authorization === 'Bearer right'
      ? value(decides.reply('Hello, Ana.'))
      : httpError(401, { code: 'invalid_api_key' }),
  )
  const setup = startSetup(folder, {
    PORT: '0',
    SLACK_API_URL: slack.apiUrl,
    DISCORD_API_URL: discord.url,
  })
  onTestFinished(setup.stop)

  await setup.answer('Model: ', `${model.url} wrong`)
  await setup.says('refuses the API key')
  await setup.answer('Model: ', `${model.url} right`)
  await setup.says('Written to .env: OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL.')

  await setup.says('https://api.slack.com/apps?new_app=1&manifest_json=')
  await setup.answer('xoxb-', 'xoxb-wrong')
  await setup.answer('xapp-', slack.state.appToken)
  await setup.says('✗ SLACK_BOT_TOKEN: ')
  await setup.answer('xoxb-', slack.state.bot.token)
  await setup.answer('xapp-', slack.state.appToken)
  await setup.says('Written to .env: SLACK_BOT_TOKEN, SLACK_APP_TOKEN.')

  await setup.answer('The token', discord.token)
  await setup.says('https://discord.com/oauth2/authorize?client_id=')
  await setup.says('Written to .env: DISCORD_TOKEN.')
  await setup.answer('Start Clew now?', '')
  expect(setup.answers()).toBeLessThanOrEqual(8)

  await setup.says('Clew is at ')
  const url = /Clew is at (\S+)/.exec(setup.output())?.[1]
  const said = await fetch(`${url}/api/conversations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      text: 'Hello',
      clientMessageId: 'm1',
      author: { id: 'ana', name: 'Ana' },
    }),
  })
  const { id } = (await said.json()) as { id: string }
  await vi.waitFor(async () => {
    const thread = await fetch(`${url}/api/conversations/${id}`)
    expect(await thread.text()).toContain('Hello, Ana.')
  }, 60_000)
})

it('asks only for what is missing when it is run again, and keeps the rest of the file (C516)', async () => {
  const folder = emptyFolder()
  const model = await startOpenAi()
  onTestFinished(() => model.close())
  model.answer(() => value({ content: 'Hello.' }))
  const mine = `# ours\nDEFAULT_TIME_ZONE=Europe/Berlin\nOPENAI_BASE_URL=${model.url}\nOPENAI_MODEL=m\n`
  writeFileSync(join(folder, '.env'), mine)
  const slack = await startFakeSlack({ minuteMs: null })
  onTestFinished(() => slack.stop())
  const setup = startSetup(folder, { SLACK_API_URL: slack.apiUrl })
  await setup.says('✓ Model: m ')
  await setup.answer('xoxb-', slack.state.bot.token)
  await setup.answer('xapp-', slack.state.appToken)
  await setup.answer('The token', '')
  await setup.answer('Start Clew now?', 'n')
  expect(await setup.ended()).toBe(0)
  expect(setup.output()).not.toContain('Which model should Clew use?\n  1')
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(
    `${mine}SLACK_BOT_TOKEN=${slack.state.bot.token}\nSLACK_APP_TOKEN=${slack.state.appToken}\n`,
  )
  expect(readFileSync(join(folder, '.env.before'), 'utf8')).toBe(mine)
  expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
})

it('takes no token that it could not try (C516)', async () => {
  const setup = startSetup(emptyFolder(), { DISCORD_API_URL: 'http://127.0.0.1:9/api' })
  await setup.answer('Model: ', '')
  await setup.answer('xoxb-', '')
  await setup.answer('The token', 'MTE.a.b')
  await setup.says('Discord cannot be reached')
  await setup.answer('The token', '')
  await setup.answer('Start Clew now?', 'n')
  expect(await setup.ended()).toBe(0)
  expect(setup.output()).not.toContain('Written')
})

it('names settings that cannot be used, and says so where the input ends (C516)', async () => {
  const folder = emptyFolder()
  const wrong = startSetup(folder, { PORT: 'x' })
  await wrong.says('PORT')
  expect(await wrong.ended()).toBe(2)
  const left = startSetup(folder, {})
  await left.says('Model: ')
  left.leave()
  await left.says('Stopped.')
  expect(await left.ended()).toBe(1)
})

it('is set on the page, and uses a model at once when it is restarted there (C563d)', async () => {
  const folder = emptyFolder()
  const model = await startOpenAi({ remembers: false })
  onTestFinished(() => model.close())
  model.answer(() => value(decides.reply('Hello, Ana.')))
  const clew = startClewIn(folder, [])
  onTestFinished(clew.stop)
  await clew.says('Clew is at ')
  const url = /Clew is at (\S+)/.exec(clew.output())?.[1]
  const post = async (path: string, body: object) =>
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const given = { values: { typed: model.url, model: 'm' } }
  expect(await (await post('/api/setup/form/model', given)).json()).toMatchObject({ saved: true })
  expect(readFileSync(join(folder, '.env'), 'utf8')).toContain(`OPENAI_BASE_URL=${model.url}`)
  expect((await post('/api/setup/restart', {})).status).toBe(202)
  await clew.says(`Clew is at ${url}`)

  const author = { id: 'ana', name: 'Ana' }
  const said = await post('/api/conversations', { text: 'Hello', clientMessageId: 'm1', author })
  const { id } = (await said.json()) as { id: string }
  await vi.waitFor(async () => {
    const thread = await fetch(`${url}/api/conversations/${id}`)
    expect(await thread.text()).toContain('Hello, Ana.')
  }, 60_000)
})
