import { describe, expect, it } from 'vitest'
import { decides } from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()

/** Bytes that the store has answered since it started. */
async function answeredBytes({ redis }: TestClew): Promise<number> {
  const stats = await redis.info('stats')
  return Number(/total_net_output_bytes:(\d+)/.exec(stats)?.[1])
}

const toBen = { by: ben, forSomeoneElse: true, addressed: false }
const kinds = {
  'talk among people': [toBen],
  commands: [{}],
  'talk with a command now and then': [toBen, toBen, toBen, {}],
} as const

/** Bytes that draining so many waiting lines of one thread reads, a line. */
async function bytesALine(kind: keyof typeof kinds, lines: number): Promise<number> {
  const clew = await start()
  clew.model.on('decision', decides.reply('Hello Ana'))
  await clew.say('Hello')
  await clew.idle()
  const before = await answeredBytes(clew)
  await Promise.all(
    Array.from({ length: lines }, (_, index) => {
      const how = kinds[kind][index % kinds[kind].length] ?? {}
      return clew.say('by' in how ? `@Dana line ${index} of the talk` : '/todo list', how)
    }),
  )
  await clew.idle()
  expect((await clew.state()).inbox).toEqual([])
  const bytes = (await answeredBytes(clew)) - before
  await clew.stop()
  return bytes / lines
}

describe('a backlog in one thread', () => {
  it.each(['talk among people', 'commands', 'talk with a command now and then'] as const)(
    'of %s costs as much a line when three times as many wait (P24)',
    async (kind) => {
      const [few, many] = [await bytesALine(kind, 80), await bytesALine(kind, 240)]
      // A cost that grows with what waits is near three.
      expect(many / few).toBeLessThan(2)
    },
  )

  it('leaves words that were only overheard out of what a search finds (C71, P24)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Hello Ana'))
    await clew.say('Hello')
    await clew.idle()
    await Promise.all([clew.say('@Dana aubergine', toBen), clew.say('/todo list')])
    await clew.idle()
    const term = { word: 'aubergine', whole: true }
    const nothing = { people: [], places: [], only: null, group: null, from: null, until: null }
    const found = await clew.store.search.find([workspace], { ...nothing, said: [term] }, null, 10)
    expect(found.found).toEqual([])
  })
})
