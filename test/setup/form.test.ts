import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { told } from '../../src/adapters/channel-kit/findings.ts'
import { createSystemClock } from '../../src/clock.ts'
import type { LocalServer } from '../../src/compose/local-models.ts'
import { texts } from '../../src/locales/texts.ts'
import { type EnvLines, writeSettings } from '../../src/setup/env-file.ts'
import { createSetupForm } from '../../src/setup/form.ts'
import { startFakeDiscord } from '../fakes/discord/server.ts'
import { httpError, value } from '../fakes/openai/replies.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { startFakeSlack } from '../fakes/slack/server.ts'

const words = texts('en')

/** The form of a Clew in a folder of its own, with these lines in `.env` and this environment. */
function formIn(text: string | null, environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'clew-form-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, '.env')
  if (text !== null) writeFileSync(file, text)
  const there = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  const restarts: EnvLines[] = []
  const servers: LocalServer[] = []
  const form = createSetupForm({
    clock: createSystemClock(),
    servers,
    problem: null,
    read: () => ({
      env: { ...parseEnv(there()), ...environment },
      inFile: Object.keys(parseEnv(there())),
    }),
    write: (settings) => writeSettings(folder, settings),
    restart: (settings) => void restarts.push(settings),
  })
  const before = () => readFileSync(`${file}.before`, 'utf8')
  return { form, there, before, restarts, servers }
}

async function startModel(key: string) {
  const model = await startOpenAi({ remembers: false })
  onTestFinished(() => model.close())
  const shown: (string | undefined)[] = []
  model.answer(({ headers }) => {
    shown.push(headers.authorization)
    return headers.authorization === `Bearer ${key}`
      ? value({ content: 'Hello.' })
      : httpError(401, { code: 'invalid_api_key', message: `no: ${headers.authorization}` })
  })
  return { model, shown }
}

type Outcome = Awaited<ReturnType<ReturnType<typeof formIn>['form']['connect']>>
const shownOf = (outcome: Outcome): string =>
  outcome.kind === 'tried'
    ? JSON.stringify(outcome.findings.map((one) => told(one, words, outcome.hide)))
    : JSON.stringify(outcome)

it('promises after a trial that failed nothing that Clew does by itself (C91, C563a)', async () => {
  const { model } = await startModel('canary-right')
  model.answer(() => httpError(429, { code: 'rate_limit_exceeded', message: 'slow down' }))
  const { form } = formIn(null)
  const outcome = await form.connect('model', { typed: `${model.url} canary-right` }, words)
  expect(outcome).toMatchObject({ saved: null })
  expect(shownOf(outcome)).toContain('Try again in a minute.')
  expect(shownOf(outcome)).not.toContain('by itself')
})

it('writes a model once it answers, says of a wrong key what is wrong, and shows neither (C563a, C563b)', async () => {
  const { model } = await startModel('canary-right')
  const { form, there, before, restarts } = formIn('# ours\n')
  const wrong = await form.connect('model', { typed: `${model.url} canary-wrong` }, words)
  expect(shownOf(wrong)).toContain('refuses the API key')
  expect(wrong).toMatchObject({ kind: 'tried', saved: null })
  expect([there(), form.isWaiting()]).toEqual(['# ours\n', false])

  const right = await form.connect('model', { typed: `${model.url} canary-right` }, words)
  expect(right).toMatchObject({ saved: { isCopied: true, overruled: [], problem: null } })
  expect(parseEnv(there())).toMatchObject({ OPENAI_API_KEY: 'canary-right' })
  expect(before()).toBe('# ours\n')
  const steps = await form.steps(words)
  expect(steps[0]?.fields[0]).toMatchObject({ name: 'typed', isSet: true })
  expect(shownOf(wrong) + shownOf(right) + JSON.stringify(steps)).not.toContain('canary')
  form.restart()
  expect(restarts).toEqual([expect.objectContaining({ OPENAI_API_KEY: 'canary-right' })])
})

it('shows the key of the model before to no other address, and drops it (C563b)', async () => {
  const { model, shown } = await startModel('new')
  const { form, there } = formIn('OPENAI_API_KEY=old-key\nAGENT_MODELS=groq:m\nGROQ_API_KEY=g\n')
  expect(await form.connect('model', { typed: `${model.url}` }, words)).toMatchObject({
    saved: null,
  })
  expect(shown.filter((one) => one?.includes('old-key'))).toEqual([])
  await form.connect('model', { typed: `${model.url} new`, model: 'mine' }, words)
  expect(parseEnv(there())).toEqual({
    ...{ OPENAI_API_KEY: 'new', OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'mine' },
    ...{ AGENT_MODELS: '', GROQ_API_KEY: 'g' },
  })
})

it('changes the model alone where the key stays empty (C563)', async () => {
  const { model } = await startModel('canary-right')
  const set = `OPENAI_BASE_URL=${model.url}\nOPENAI_API_KEY=canary-right\nOPENAI_MODEL=first\n`
  const { form, there } = formIn(set)
  expect(await form.connect('model', { typed: '', model: 'second' }, words)).toMatchObject({
    kind: 'tried',
    saved: { names: ['OPENAI_MODEL'] },
  })
  expect(parseEnv(there())).toMatchObject({
    OPENAI_API_KEY: 'canary-right',
    OPENAI_MODEL: 'second',
  })
  const bare = formIn(null)
  expect(await bare.form.connect('model', { typed: '', model: 'second' }, words)).toEqual({
    kind: 'unclear',
  })
})

it('offers the models of this machine, and takes only what is offered or understood (C563a)', async () => {
  const { model } = await startModel('')
  const { form, servers } = formIn(null)
  servers.push({ name: 'Ollama', port: Number(new URL(model.url).port) })
  const [{ choices } = { choices: [] }] = await form.steps(words)
  expect(choices.map(({ label }) => label)).toEqual([expect.stringContaining('(Ollama)')])
  const wrong: Record<string, string>[] = [
    { choice: 'another' },
    { typed: '1' },
    { typed: 'hello there' },
    {},
  ]
  for (const given of wrong)
    expect(await form.connect('model', given, words)).toEqual({ kind: 'unclear' })
  expect(await form.connect('slak', { typed: model.url }, words)).toEqual({ kind: 'unknown' })
})

it('tries Slack’s tokens, writes those two settings and no others, and needs only what is missing (C563a)', async () => {
  const slack = await startFakeSlack({ minuteMs: null })
  onTestFinished(() => slack.stop())
  const { form, there } = formIn(null, { SLACK_API_URL: slack.apiUrl })
  const [SLACK_BOT_TOKEN, SLACK_APP_TOKEN] = [slack.state.bot.token, slack.state.appToken]
  const steps = await form.steps(words)
  expect(steps.map(({ part, link }) => [part, link?.slice(0, 50)])).toEqual([
    ['model', undefined],
    ['slack', 'https://api.slack.com/apps?new_app=1&manifest_json'],
    ['discord', 'https://discord.com/developers/applications'],
  ])
  expect(await form.connect('slack', { SLACK_BOT_TOKEN }, words)).toEqual({ kind: 'missing' })
  const wrong = { SLACK_BOT_TOKEN: 'xoxb-canary', SLACK_APP_TOKEN, PORT: '1' }
  const refused = await form.connect('slack', wrong, words)
  expect(shownOf(refused)).toContain('SLACK_BOT_TOKEN: ')
  expect([shownOf(refused).includes('canary'), there()]).toEqual([false, ''])
  await form.connect('slack', { ...wrong, SLACK_BOT_TOKEN }, words)
  expect(parseEnv(there())).toEqual({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN })
  expect(await form.connect('slack', { SLACK_BOT_TOKEN }, words)).toMatchObject({
    saved: { names: ['SLACK_BOT_TOKEN'] },
  })
})

it('leads with Discord’s token to the link that invites Clew (C563a)', async () => {
  const discord = await startFakeDiscord()
  onTestFinished(() => discord.stop())
  const { form, there } = formIn(null, { DISCORD_API_URL: discord.url })
  const wrong = await form.connect('discord', { DISCORD_TOKEN: 'MTE.canary.b' }, words)
  expect([shownOf(wrong).includes('canary'), there()]).toEqual([false, ''])
  const right = await form.connect('discord', { DISCORD_TOKEN: discord.token }, words)
  expect(shownOf(right)).toContain('https://discord.com/oauth2/authorize?client_id=')
  expect(parseEnv(there())).toEqual({ DISCORD_TOKEN: discord.token })
})

it('says what the environment overrules, what cannot be written, and which settings are in the way (C563b)', async () => {
  const { model } = await startModel('right')
  const overruled = formIn(null, { OPENAI_MODEL: 'theirs' })
  const given = { typed: `${model.url} right`, model: 'mine' }
  expect(await overruled.form.connect('model', given, words)).toMatchObject({
    saved: { overruled: ['OPENAI_MODEL'] },
  })
  const unwritable = formIn('BRAVE_API_KEY="one\nOPENAI_MODEL=2"\n').form
  expect(await unwritable.connect('model', given, words)).toMatchObject({
    saved: { problem: expect.stringContaining('cannot be written') },
  })
  expect(unwritable.isWaiting()).toBe(false)
  expect(await formIn('AGENT_STRATEGY=x\n').form.connect('model', given, words)).toMatchObject({
    kind: 'unreadable',
    problems: [expect.stringContaining('AGENT_STRATEGY')],
  })
})

it.each(['en', 'zh'] as const)(
  'names each token that begins otherwise: %s (C702)',
  async (language) => {
    const given = { SLACK_BOT_TOKEN: 'bot', SLACK_APP_TOKEN: 'xoxb-swapped' }
    const outcome = await formIn(null).form.connect('slack', given, texts(language))
    expect(outcome).toEqual({
      kind: 'unreadable',
      problems: {
        en: ['SLACK_BOT_TOKEN begins with xoxb-.', 'SLACK_APP_TOKEN begins with xapp-.'],
        zh: ['SLACK_BOT_TOKEN 应以 xoxb- 开头。', 'SLACK_APP_TOKEN 应以 xapp- 开头。'],
      }[language],
    })
  },
)
