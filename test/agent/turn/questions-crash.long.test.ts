import { describe, expect, it } from 'vitest'
import { deriveId } from '../../../src/agent/domain/id.ts'
import { asks, decides, ends, plans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'

const start = useClew()

async function asking(): ReturnType<typeof start> {
  const clew = await start()
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', asks('Which city?', ['Lisbon', 'Porto']))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}
describe('a question through a crash', () => {
  /** How often each is called at least. Whether progress reads the run itself depends on whether the run is still at work. */
  const reached = {
    'commits.commit': 3,
    'conversations.state': 4,
    'runs.state': 1,
    'channel.send': 3,
    'model.call': 1,
    'leases.claim': 3,
    'leases.release': 2,
    'outbox.sent': 2,
  }
  const cases = Object.entries(reached).flatMap(([point, times]) =>
    Array.from({ length: times }, (_, n) => [
      [`before ${point}`, n + 1] as const,
      [`after ${point}`, n + 1] as const,
    ]).flat(),
  )

  it.each(cases)(
    '%s (%i) is asked once, answered once and replanned once (P13, R144)',
    async (point, n) => {
      const clew = await asking()
      clew.model.answer(({ contract }) => (contract === 'replan' ? ends('Booked.') : null))
      clew.crashAt(point, n)
      // A platform that hears nothing sends its event again.
      void clew.say('Lisbon', { keys: ['the answer'] })
      await clew.idle()
      await clew.say('Lisbon', { keys: ['the answer'] })
      await clew.idle()
      await clew.advance(15_000)
      await clew.idle()
      expect((await clew.run()).status).toBe('succeeded')
      expect((await clew.task()).clarifications).toHaveLength(1)
      const id = deriveId('m', 'run', (await clew.run()).id, 'terminal')
      expect((await clew.state()).messages.filter((message) => message.id === id)).toHaveLength(1)
      expect(clew.texts()).toEqual([
        'Which city?',
        'Ana answered: Lisbon',
        'Book the offsite: done.\n\nBooked.\n\nLeft out: Find venues; Book.',
      ])
      expect(clew.lives()).toBe(2)
    },
  )
})
