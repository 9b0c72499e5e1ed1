import { expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { acts, closes, ends } from '../../fakes/model.ts'
import { useClew, workspace } from '../../support/agent.ts'
import { working } from './story.ts'

const start = useClew()

/** A task in the middle of a call that says what the test says. */
async function calling(watchedUntil: number | null) {
  const over = Promise.withResolvers<void>()
  let say: ((line: string) => void) | undefined
  const copy: Tool = {
    name: 'copy',
    effect: 'none',
    description: 'Copies.',
    async run(_, { progress }) {
      say = progress
      await over.promise
      return { ok: true, text: 'copied' }
    },
  }
  const clew = await working(start, { tools: [copy] }, 'Find venues')
  clew.model.on('thought', acts('all', 'copy'), closes())
  clew.model.on('replan', ends('Booked.'))
  const watch = (until: number) => clew.redis.zadd(keysOf(workspace).watchers, until, 'page')
  if (watchedUntil !== null) await watch(watchedUntil)
  await clew.say('Book the offsite')
  await clew.idle(1)
  const says = async (lines: number, ms: number) => {
    for (let n = 1; n <= lines; n += 1) say?.(`${n}/${lines}`)
    await clew.advance(ms)
    await clew.idle(1)
  }
  return { clew, watch, says, end: over.resolve }
}

it('of many lines of a call few are shown, the newest at last (C922)', async () => {
  const { clew, says, end } = await calling(null)
  await says(1_000, 4_000)
  const lines = clew.channel.progress.flatMap(({ now }) =>
    now.kind === 'acting' ? [now.input] : [],
  )
  expect([...new Set(lines)]).toEqual(['all', '1/1000', '1000/1000'])
  expect(lines.length).toBeLessThan(6)
  end()
  await clew.idle()
  expect((await clew.run()).status).toBe('succeeded')
  expect((await clew.task()).observations).toMatchObject([{ tool: 'copy', input: 'all', ok: true }])
})

it('none is written while nobody looks (C922)', async () => {
  const { clew, watch, says, end } = await calling(1)
  await says(3, 5_000)
  expect((await clew.task()).intent?.said).toBeUndefined()
  await watch(9e12)
  await says(4, 30_000)
  expect((await clew.task()).intent?.said).toBe('4/4')
  end()
  await clew.idle()
})
