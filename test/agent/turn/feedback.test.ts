import { expect, it } from 'vitest'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import { ana, ben, useClew } from '../../support/agent.ts'

const start = useClew()

async function reported() {
  const clew = await start()
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Book'))
  clew.model.on('thought', closes())
  clew.model.on('replan', ends('Booked in Porto.'))
  await clew.say('Book the offsite')
  await clew.idle()
  const { id: runId } = await clew.run()
  const rate = async (opinion: object, by = ana) => {
    await clew.gesture({ kind: 'feedback', runId, good: false, ...opinion }, { by })
    await clew.idle()
    const shown = clew.channel.shown.at(-1)?.delivery.body
    return shown?.kind === 'private' ? shown : null
  }
  return { clew, runId, rate, kept: async () => (await clew.run()).feedback }
}

it('asks who pressed 👎 what was wrong, once, and them alone (C730)', async () => {
  const { runId, rate, kept } = await reported()
  expect(await rate({})).toMatchObject({ to: 'ana', asks: { about: 'reason', runId } })
  expect((await rate({ reason: 'wrong' }))?.asks?.about).not.toBe('reason')
  expect((await rate({ good: true }, ben))?.asks).toBeUndefined()
  expect(await kept()).toMatchObject([
    { author: { id: 'ana' }, good: false, reason: 'wrong' },
    { author: { id: 'ben' }, good: true },
  ])
})

it('keeps the reason and the words beside each other; a change of mind drops both (C730)', async () => {
  const { rate, kept } = await reported()
  await rate({ reason: 'incomplete' })
  await rate({ words: '  The hotel is missing. ' })
  expect(await kept()).toMatchObject([{ reason: 'incomplete', words: 'The hotel is missing.' }])
  await rate({ reason: 'unasked' })
  expect(await kept()).toMatchObject([{ reason: 'unasked', words: 'The hotel is missing.' }])
  await rate({ words: 'x'.repeat(9_000) })
  expect((await kept())?.[0]?.words).toHaveLength(2_000)
  await rate({ good: true })
  expect(Object.keys((await kept())?.[0] ?? {})).not.toContain('reason')
})

it('reads votes of earlier versions, which have no reason (C730)', async () => {
  const { clew, kept } = await reported()
  const { id, workspace } = await clew.run()
  const feedback = JSON.stringify([{ author: ben, good: false, at: 1 }])
  await clew.redis.hset(keysOf(workspace).run(id).row, { feedback })
  expect(await kept()).toEqual([{ author: ben, good: false, at: 1 }])
})

it('leaves the thread where it stands in the list, and says who sees the vote (C731, C908)', async () => {
  const { clew, rate } = await reported()
  const before = (await clew.state()).conversation.updatedAt
  await clew.clock.advance(60_000)
  expect((await rate({ good: true }))?.text).toContain('whoever runs Clew')
  expect((await clew.state()).conversation.updatedAt).toBe(before)
})
