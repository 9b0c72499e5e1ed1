import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig, startClew } from 'clew'
import daysLeft from '../agent/tools/days_left.ts'
import { setSchedule } from '../schedule.js'

const agentHome = join(import.meta.dirname, '../agent')
let clew
let folder

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'))
  const settings = { PORT: '0', DATA_DIR: folder, AGENT_HOME: agentHome, LOG_LEVEL: 'error' }
  clew = await startClew(readConfig(settings))
})

after(async () => {
  await clew?.stop()
  await rm(folder, { recursive: true })
})

test('the tool counts working days, and says what it does not understand', async () => {
  const { signal } = new AbortController()
  const answer = (input) => daysLeft.run(input, { signal })
  assert.deepEqual(await answer('2026-05-20'), { ok: true, text: '8 working days are left' })
  assert.equal((await answer('soon')).ok, false)
})

test('Clew reads the tool and the skill', async () => {
  assert.match(clew.lines.join('\n'), /1 skills, 0 plans, 2 tools/, 'the second one reads skills')
  const health = await (await fetch(`${clew.url}/healthz`)).json()
  assert.deepEqual(health.problems, [])
})

test('the schedule is set once', async () => {
  const { id, title } = await setSchedule(clew.url)
  assert.equal(title, 'Say how many working days are left this month')
  assert.equal((await setSchedule(clew.url)).id, id)
})
