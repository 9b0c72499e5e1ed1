import { expect, it } from 'vitest'
import { useClew, workspace } from '../support/agent.ts'

const create = useClew()
const hour = 3_600_000

it('removes within the hour a thread in which nothing happened for as long as it is kept', async () => {
  const clew = await create({ retentionMs: 60_000 })
  await clew.say('/help')
  await clew.idle()
  await clew.advance(hour - 1)
  await clew.idle()
  expect(await clew.store.conversations.list(workspace, 10)).toHaveLength(1)
  await clew.advance(1)
  await expect
    .poll(() => clew.logs.filter(({ line }) => line === 'old conversations removed'))
    .toMatchObject([{ fields: { gone: 1 } }])
  expect(await clew.store.conversations.list(workspace, 10)).toEqual([])
})

it('removes at the start what became old while nothing ran', async () => {
  const clew = await create({ retentionMs: 60_000 })
  await clew.say('/help')
  await clew.idle()
  await clew.away(61_000)
  await expect.poll(() => clew.store.conversations.list(workspace, 10)).toEqual([])
})

it('keeps everything where nothing else is set', async () => {
  const clew = await create()
  await clew.say('/help')
  await clew.idle()
  await clew.advance(2 * hour)
  await clew.idle()
  expect(await clew.store.conversations.list(workspace, 10)).toHaveLength(1)
})
