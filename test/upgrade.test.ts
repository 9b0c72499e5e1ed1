import { writeFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Clock } from '../src/agent/ports/clock.ts'
import { createSystemClock } from '../src/clock.ts'
import { startClew } from '../src/compose/clew.ts'
import { readConfig } from '../src/config.ts'
import { ask } from './adapters/web/support.ts'
import { gateFile, passedIn } from './soak/instance.ts'
import { createScriptedModel } from './soak/model.ts'
import { createEffectTools, effectsIn } from './soak/tools.ts'
import { silent } from './support/silent.ts'
import { when } from './support/whole-clew.ts'

/** Written by an earlier version, which was killed with -9 in the middle of the soak's story; see its README. */
const earlier = join(import.meta.dirname, 'fixtures/earlier-version')
const minuteMs = 60_000

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A minute after the earlier version died, whatever the day is. */
function clockFrom(at: number): Clock {
  const system = createSystemClock()
  const behindMs = system.now() - at - minuteMs
  return { ...system, now: () => system.now() - behindMs }
}

async function startOnEarlierData() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-upgrade-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  await cp(earlier, folder, { recursive: true })
  const threads = JSON.parse(await readFile(join(folder, 'threads.json'), 'utf8')) as Record<
    string,
    string
  >
  const config = readConfig({
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    AGENT_MAX_TOOL_CALLS: '7',
    AGENT_STRATEGY: 'step',
  })
  const clew = await startClew(config, {
    clock: clockFrom(Number(threads.at)),
    log: silent,
    model: createScriptedModel(passedIn(folder)),
    tools: createEffectTools(folder),
  })
  open.push(() => clew.stop())
  return {
    url: clew.url ?? '',
    folder,
    threads: threads as Record<'offsite' | 'grind' | 'chat' | 'dig', string>,
  }
}

it('finishes what an earlier version began and left when it was killed (P1)', async () => {
  const { url, folder, threads } = await startOnEarlierData()
  const { offsite, grind, chat, dig } = threads
  const post = async (path: string, body: object) =>
    expect((await ask(url + path, 'POST', body)).status).toBeLessThan(300)

  const asked = await when(url, offsite, ({ question }) => question !== null)
  expect(asked.question).toMatchObject({
    text: 'One question: Which city?',
    choices: ['Lisbon', 'Porto'],
  })
  await post(`/api/questions/${asked.question?.id}/answer`, {
    text: 'Lisbon',
    author: { id: 'ana', name: 'Ana' },
  })
  const paused = await when(url, grind, ({ run }) => run?.status === 'paused')
  await post(`/api/runs/${paused.run?.id}/continue`, {})
  writeFileSync(gateFile(folder, 'canceled'), '')

  for (const id of [offsite, grind, dig])
    await when(url, id, ({ run }) => run?.status === 'succeeded')
  const effects = effectsIn(folder).map(({ input }) => input)
  const ground = Array.from({ length: 8 }, (_, index) => `ground ${index}`)
  expect(effects.sort()).toEqual(['Lisbon', 'checked the price', 'dug', ...ground, 'looked around'])

  const said = (await when(url, chat, () => true)).messages.map(({ text }) => text)
  expect(said).toEqual(['Thank you!', 'You said: Thank you!'])
  const { body: todos } = await ask(`${url}/api/todos?conversation=${offsite}`)
  expect(JSON.stringify(todos)).toContain('Buy stamps')
  const { body: schedules } = await ask(`${url}/api/schedules?conversation=${offsite}`)
  expect(JSON.stringify(schedules)).toContain('Look back')
})
