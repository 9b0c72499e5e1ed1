import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { told } from '../../src/adapters/channel-kit/findings.ts'
import type { Checked } from '../../src/adapters/web/deps.ts'
import { readConfig } from '../../src/config.ts'
import { createChecks } from '../../src/doctor/checks.ts'
import { hidingSecrets } from '../../src/doctor/secrets.ts'
import { texts } from '../../src/locales/texts.ts'
import { createManualClock } from '../fakes/clock.ts'

async function serverWith(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

type Environment = Record<string, string>

/** Checks of a Clew that was started with the first environment; what is there now is the second. */
function checksOf(before: Environment, now = before) {
  const clock = createManualClock()
  let looks = 0
  const readEnvironment = () => {
    looks += 1
    return { env: now, inFile: [] }
  }
  const parts = {
    outside: {},
    servers: [],
    team: () => null,
    env: before,
    config: readConfig(before),
  }
  return { clock, checks: createChecks({ ...parts, clock, readEnvironment }), looks: () => looks }
}

const toldIn = (locale: string, { parts, hide }: Checked) =>
  parts.map(({ part, findings }) => ({
    part,
    findings: findings.map((one) => told(one, texts(locale), hide)),
  }))

it('looks once at a time and not right after the last look, whose findings are kept with their time (C232)', async () => {
  const { clock, checks, looks } = checksOf({})
  expect(checks.last()).toBeNull()
  const [first, second] = await Promise.all([checks.look(), checks.look()])
  expect([looks(), second, checks.last()]).toEqual([1, first, first])
  await clock.advance(4_999)
  expect([await checks.look(), looks()]).toEqual([first, 1])
  await clock.advance(1)
  const later = await checks.look()
  expect([looks(), later.at - first.at]).toEqual([2, 5_000])
})

it('waits half a minute for each part, and has the others all the same (C232)', async () => {
  const asked = Promise.withResolvers<void>()
  const hangs = await serverWith(() => asked.resolve())
  const { clock, checks } = checksOf({
    OPENAI_BASE_URL: hangs,
    OPENAI_API_KEY: 'key',
    OPENAI_MODEL: 'm',
  })
  const looked = checks.look()
  await asked.promise
  await clock.advance(30_000)
  const parts = toldIn('en', await looked)
  expect(parts.find(({ part }) => part === 'model')?.findings).toMatchObject([
    { verdict: 'bad', line: 'No answer within 30 seconds.' },
  ])
  expect(parts.find(({ part }) => part === 'settings')?.findings).toMatchObject([
    { verdict: 'good' },
  ])
})

it('says of a Clew with nothing set what to put into .env for each thing, and where the manual has it (C233)', async () => {
  const { checks } = checksOf({})
  const found = await checks.look()
  const missing = toldIn('en', found).flatMap(({ part, findings }) =>
    findings.flatMap(({ verdict, env, manual }) =>
      verdict === 'note' ? [[part, env, manual]] : [],
    ),
  )
  expect(missing).toEqual([
    ['model', ['OPENAI_API_KEY='], 'connect/with-a-key'],
    ['search', ['SEARCH_PROVIDER=brave', 'BRAVE_API_KEY='], 'connect/web-search'],
    ['slack', ['SLACK_BOT_TOKEN=', 'SLACK_APP_TOKEN='], 'slack'],
    ['discord', ['DISCORD_TOKEN='], 'discord/1-make-the-application'],
  ])
  for (const { findings } of toldIn('zh', found))
    for (const { line, mend = '' } of findings) expect(line + mend).toMatch(/\p{Script=Han}/u)
})

it('tries what has been put into .env since the start, and names what only counts from the next one (C233)', async () => {
  const { checks } = checksOf(
    { SEARCH_PROVIDER: 'none' },
    { SEARCH_PROVIDER: 'none', PORT: '3001', TODO_SCOPE: 'user' },
  )
  const [settings] = toldIn('en', await checks.look())
  expect(settings?.findings.map(({ line }) => line)).toEqual([
    'Settings: all understood.',
    'Changed since Clew started: PORT, TODO_SCOPE.',
  ])
  const wrong = checksOf({}, { AGENT_STRATEGY: 'best' })
  expect(toldIn('zh', await wrong.checks.look())).toMatchObject([
    {
      part: 'settings',
      findings: [
        { verdict: 'bad', isVerbatim: true, line: expect.stringContaining('AGENT_STRATEGY') },
      ],
    },
  ])
})

it('shows no secret, whoever repeats it (C234, S7)', async () => {
  const echo = await serverWith((request, response) => {
    const { authorization } = request.headers
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        ok: false,
        error: `refused: ${authorization}`,
        needed: `${authorization}`,
      }),
    )
  })
  const { checks } = checksOf({
    ...{ SLACK_API_URL: echo, SLACK_BOT_TOKEN: 'xoxb-canary-1', SLACK_APP_TOKEN: 'xapp-canary-2' },
    ...{
      OPENAI_BASE_URL: echo,
      OPENAI_API_KEY: 'sk-canary-3/+',
      SEARCH_PROVIDER: 'searxng',
      SEARXNG_URL: echo,
    },
    ...{ BRAVE_API_KEY: 'canary-4' },
    CONNECTORS_FILE: '/nowhere/canary-4',
  })
  const found = await checks.look()
  for (const locale of ['en', 'zh']) {
    const shown = JSON.stringify(toldIn(locale, found))
    expect(shown).not.toMatch(/canary/)
    expect(shown).toContain('refused: Bearer •••')
    expect(shown).toContain('/nowhere/•••')
  }
  const hide = hidingSecrets({
    REDIS_URL: 'redis://me:can%3Aary@a:1,redis://you:canary-6@b:1',
    MODEL: 'gpt-canary',
  })
  expect(hide('WRONGPASS can:ary, can%3Aary, canary-6, gpt-canary')).toBe(
    'WRONGPASS •••, •••, •••, gpt-canary',
  )
})
