import { existsSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openRecordings } from '../src/compose/recordings.ts'
import { temporary } from './adapters/coding/support.ts'
import { decides } from './fakes/model.ts'
import { useClew, workspace } from './support/agent.ts'
import { silent } from './support/silent.ts'

const start = useClew()

it('records nothing unless it is told to (S69)', async () => {
  const { store, clock } = await start()
  const how = { RECORD: undefined, AGENT_PROMPT_LAYOUT: 'shared' } as const
  expect(openRecordings(how, store, { clock, log: silent })).toBeNull()
})

it('removes recordings with their thread, and with a person whom they name (S70, S69)', async () => {
  const recordings = new Map<string, string>()
  const clew = await start({ recordings })
  clew.model.on('decision', decides.run('Tidy up'))
  clew.model.on('plan', { status: 'planned', plan: [] })
  await clew.say('Tidy up')
  await clew.idle()
  await clew.say('stop')
  await clew.idle()
  const { id } = await clew.run()
  const folder = join(await temporary(), 'recordings')
  const at = (name: string) => join(folder, encodeURIComponent(workspace), `${name}.jsonl`)
  await mkdir(dirname(at(id)), { recursive: true })
  const { conversationId: thread } = clew
  const write = async () => {
    for (const one of [id, thread]) await writeFile(at(one), recordings.get(one) ?? '')
    await writeFile(at('r_gone'), '{}')
  }
  await write()
  const how = { RECORD: folder, AGENT_PROMPT_LAYOUT: 'shared' } as const
  const opened = openRecordings(how, clew.store, { clock: clew.clock, log: silent })
  if (opened === null) throw new Error('nothing is recorded')
  await opened.store.privacy.erase(workspace, 'nobody')
  expect([id, thread].map((one) => existsSync(at(one)))).toEqual([true, true])
  await opened.store.privacy.erase(workspace, 'ana')
  expect([id, thread].map((one) => existsSync(at(one)))).toEqual([false, false])

  await write()
  expect(await opened.store.conversations.remove(workspace, clew.conversationId)).toBe('removed')
  expect([id, thread].map((one) => existsSync(at(one)))).toEqual([false, false])
  expect(existsSync(at('r_gone'))).toBe(false)
  opened.stop()

  const fresh = join(await temporary(), 'recordings')
  openRecordings({ ...how, RECORD: fresh }, clew.store, { clock: clew.clock, log: silent })?.stop()
  expect(statSync(fresh).mode & 0o077).toBe(0)
})
