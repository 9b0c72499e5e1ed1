import { expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'

const start = useClew()

it('a call that ends is waited for no longer, and one far slower than all before it is not cut off (C126)', async () => {
  const slow = Promise.withResolvers<void>()
  const took: number[] = []
  const tool: Tool = {
    name: 'measure',
    effect: 'none',
    description: 'Measures.',
    async run(input) {
      if (input === 'slow') await slow.promise
      took.push(clew.clock.now() - began)
      return { ok: true, text: `measured ${input}` }
    },
  }
  const clew = await start({ tools: [tool] })
  const began = clew.clock.now()
  clew.model.on('decision', decides.run('Measure'))
  clew.model.on('plan', plans('Measure'))
  const inputs = ['1', '2', '3', '4', '5', '6', '7', '8']
  clew.model.on(
    'thought',
    ...[...inputs, 'slow'].map((input) => acts(input, 'measure', 'Measure')),
    closes('measured'),
  )
  clew.model.on('replan', ends('Measured.'))
  await clew.say('Measure')
  await clew.idle(1)
  expect(took, 'no time has passed').toEqual(inputs.map(() => 0))
  await clew.advance(55_000)
  slow.resolve()
  await clew.idle()
  const { observations } = await clew.task()
  expect(observations.at(-1)).toMatchObject({ ok: true, result: 'measured slow' })
  expect((await clew.run()).status).toBe('succeeded')
})
