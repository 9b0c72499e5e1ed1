import { join } from 'node:path'
import { expect, it } from 'vitest'
import { told } from '../../src/adapters/channel-kit/findings.ts'
import { createSystemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { examineAgent } from '../../src/doctor/coding.ts'
import { texts } from '../../src/locales/texts.ts'
import { repository, temporary } from '../adapters/coding/support.ts'
import { createManualClock } from '../fakes/clock.ts'

const program = join(import.meta.dirname, '../fakes/acp/agent.ts')

async function lines(command: string, more: Record<string, string> = {}, clock = system) {
  const [home, { cwd }] = await Promise.all([temporary(), repository()])
  const settings = { CODING_AGENT: command, CODING_REPO: cwd, CODING_VARIABLES: 'FAKE_ACP_HOME' }
  const config = readConfig({ ...settings, ...more })
  const found = await examineAgent(config, { FAKE_ACP_HOME: home }, { clock })
  return found.map((one) => told(one, texts('en'), (text) => text)).map(shown)
}
const system = createSystemClock()
const shown = ({ verdict, line, mend = '' }: { verdict: string; line: string; mend?: string }) =>
  [verdict, line, mend].join(' ').trim()
const fake = (...options: string[]) => [`'${process.execPath}' '${program}'`, ...options].join(' ')

it.each([
  ['', ['good CODING_AGENT: fake 1.2 answers and opens a session.']],
  [
    '--no-load --modes',
    [
      expect.stringMatching(/^good/),
      expect.stringMatching(/^note CODING_AGENT: it cannot take up an earlier session/),
      expect.stringMatching(/^note .*begin in its mode auto\. .*It has auto, ask\.$/),
    ],
  ],
  [
    '--sign-in',
    [expect.stringMatching(/^bad CODING_AGENT: nobody is signed in to it\. sign in first/)],
  ],
  ['--falls', [expect.stringMatching(/^bad .*it ended before it opened a session\. no settings/)]],
])('tells how an agent is that is started with %j (C938)', async (options, expected) => {
  expect(await lines(fake(options))).toEqual(expected)
})

it('names a program that is not there, a mode that it has not, and a repository that is none (C938)', async () => {
  expect(await lines('no-such-agent')).toEqual([
    expect.stringMatching(/^bad CODING_AGENT: there is no program no-such-agent\./),
  ])
  expect(await lines(fake('--modes'), { CODING_MODE: 'yolo' })).toEqual([
    'bad CODING_MODE: the agent has no such mode. Set one of these: auto, ask.',
  ])
  expect(await lines(fake('--modes'), { CODING_MODE: 'ask', CODING_REPO: '/nowhere' })).toEqual([
    expect.stringMatching(/^bad CODING_REPO: there is no folder \/nowhere\./),
    expect.stringMatching(/^good/),
  ])
})

it('does not wait for a program that says nothing in the protocol (C938)', async () => {
  const clock = createManualClock()
  let found: string[] | null = null
  void lines(fake('--mute'), {}, clock).then((all) => {
    found = all
  })
  while (found === null) {
    await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(1_000)
  }
  expect(found).toEqual([
    expect.stringMatching(/^bad CODING_AGENT: it starts, but does not answer .* acp or --acp/),
  ])
})
