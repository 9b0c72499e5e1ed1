import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLibrary } from '../../../src/adapters/library/library.ts'
import { createRepoSearchTool } from '../../../src/agent/tools/repo-search.ts'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'

const start = useClew()
const decision = {
  loopEnabled: true,
  allowedTypes: ['agent_task', 'index_repo'],
  timeoutMs: 30_000,
}
const indexes = (repo: string) => ({
  ...decides.run('Read it'),
  run: {
    type: 'index_repo',
    title: 'Read the handbook',
    conversation_id: null,
    input: JSON.stringify({ repo }),
  },
})

async function handbook() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-handbook-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'travel.md'), '# Travel\n\nTrains are booked two weeks ahead.\n')
  return createLibrary({
    folders: [{ name: 'handbook', path: folder }],
    keptIn: join(folder, '.index'),
  })
}

it('reads a folder when it is asked to, and says what came of it (R98, R112)', async () => {
  const clew = await start({ decision, library: await handbook() })
  clew.model.on('decision', indexes('Handbook'), indexes('/etc'))
  await clew.say('Read the handbook')
  await clew.idle()
  expect(clew.texts().at(-1)).toBe(
    'Read the handbook: done.\n\n“handbook” can be searched now: 1 file.',
  )
  await clew.say('Read /etc')
  await clew.idle()
  expect(clew.texts().at(-1)).toContain('I can’t read a folder of that name, only these: handbook.')
})

it('reads it again when the process dies meanwhile, and ends once (P1, P11)', async () => {
  const clew = await start({ decision, library: await handbook() })
  clew.model.on('decision', indexes(''))
  clew.crashAt('after library.index')
  await clew.say('Read the handbook')
  await clew.idle()
  await clew.advance(12_000)
  await clew.idle()
  expect(clew.lives()).toBe(2)
  expect(clew.texts().filter((text) => text.includes('can be searched now'))).toHaveLength(1)
})

it('lets a task search, and gives it what it finds as data (C40)', async () => {
  const library = await handbook()
  const clew = await start({ decision, library, tools: [createRepoSearchTool(library)] })
  clew.model.on('decision', decides.run('When are trains booked?'))
  clew.model.on('plan', plans('Look it up'))
  clew.model.on('thought', acts('in:handbook trains', 'repo_search'), closes('Two weeks ahead.'))
  clew.model.on('replan', ends('Two weeks ahead (handbook/travel.md).'))
  await clew.say('When are trains booked?')
  await clew.idle()
  expect((await clew.task()).observations[0]).toMatchObject({ ok: true, tool: 'repo_search' })
  expect((await clew.task()).observations[0]?.result).toContain('handbook/travel.md:1')
})
