import { expect, it } from 'vitest'
import { watchFolders } from '../../src/agent/folder-watch.ts'
import { createHooks } from '../../src/agent/hooks.ts'
import type { FolderFile } from '../../src/agent/ports/library.ts'
import { scheduleOf } from '../agent/schedules/rows.ts'
import { closes, ends, plans } from '../fakes/model.ts'
import { useClew, workspace } from '../support/agent.ts'

const start = useClew()

async function watching() {
  const clew = await start()
  clew.model.answer(({ contract }) => {
    if (contract === 'plan') return plans('Look')
    return contract === 'thought' ? closes('looked') : ends('Looked.')
  })
  const { store, clock } = clew
  const files: FolderFile[] = []
  const put = (path: string, age = 60_000, more: Partial<FolderFile> = {}) => {
    const at = clock.now() - age
    files.push({ path, bytes: 1, changedAt: at, addedAt: clock.now(), ...more })
  }
  const rule = async () => {
    const {
      version: _,
      id: __,
      ...row
    } = scheduleOf({
      when: { kind: 'event', source: 'folder:contracts', match: [] },
      title: 'Look into it',
      createdAt: clock.now(),
      place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
    })
    await store.schedules.add(workspace, 'channel:general', 'e1', row)
  }
  const hooks = createHooks({ store, schedules: store.schedules, clock })
  let isThere = true
  const library = {
    names: ['Contracts', 'other'],
    files: async (name: string) => (isThere && name === 'Contracts' ? [...files] : null),
  }
  const look = async () => {
    await watchFolders({ library, hooks, store, clock }, new AbortController().signal)
    await clew.advance(30_000)
    await clew.idle()
  }
  const begun = async () => {
    const runs = await store.runs.list(workspace, 99)
    return runs.map(({ event }) => /"path":"([^"]*)"/.exec(event?.text ?? '')?.[1]).sort()
  }
  return { clew, files, put, rule, look, begun, away: (gone: boolean) => (isThere = !gone) }
}

it('a new file starts one task, however often it is looked at, whoever is killed (C786)', async () => {
  const { clew, put, rule, look, begun } = await watching()
  put('old.pdf', 60_000, { addedAt: clew.clock.now() - 1 })
  await rule()
  put('a.pdf')
  put('deep/b.pdf')
  clew.crashAt('after commits.commit', 2)
  for (let n = 0; n < 4; n += 1) await look()
  expect(await begun()).toEqual(['a.pdf', 'deep/b.pdf'])
  put('c.pdf')
  await look()
  await look()
  expect(await begun()).toEqual(['a.pdf', 'c.pdf', 'deep/b.pdf'])
})

it('a file is left until it is whole, and a folder that is away makes none of its files new (C786)', async () => {
  const { files, put, rule, look, begun, away } = await watching()
  await rule()
  put('a.pdf')
  put('growing.pdf', 0)
  await look()
  expect(await begun()).toEqual(['a.pdf'])
  away(true)
  await look()
  away(false)
  await look()
  expect(await begun()).toEqual(['a.pdf', 'growing.pdf'])
  const [first] = files
  if (first === undefined) throw new Error('there is no file')
  // Taken out and put in again, it is new.
  files.splice(0, 1)
  await look()
  files.push({ ...first, changedAt: first.changedAt + 1 })
  await look()
  expect(await begun()).toEqual(['a.pdf', 'a.pdf', 'growing.pdf'])
})

it('of many new files ten start in one look, and the others in the next ones (C786)', async () => {
  const { put, rule, look, begun } = await watching()
  await rule()
  for (let n = 0; n < 25; n += 1) put(`${n}.pdf`)
  await look()
  expect(await begun()).toHaveLength(10)
  await look()
  await look()
  expect(await begun()).toHaveLength(25)
})
