import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/agent/domain/task.ts'
import { recallOf } from '../../../src/agent/drive/recall-tool.ts'
import { acts, closes, decides, ends, plans, replans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'
import { act, begun, observed, planned, play, replan, stepDone } from '../strategies/support.ts'
import { toolContext } from '../tools/context.ts'

const start = useClew()

it('lets a task read again what its prompts have folded (rule 3)', async () => {
  const reads = { name: 'venues', effect: 'none', description: 'Lists.' } as const
  const tool = { ...reads, run: async () => ({ ok: true, text: 'Casa Azul, 1900 euros' }) }
  const clew = await start({ tools: [tool] })
  clew.model.on('decision', decides.run('Compare the venues'))
  clew.model.on('plan', plans('Look', 'Compare'))
  clew.model.on(
    'thought',
    acts('all', 'venues', 'Look'),
    closes('Seen.'),
    acts('1', 'recall', 'Compare'),
    closes('Done.'),
  )
  clew.model.on('replan', replans('Compare'), ends('Casa Azul.'))
  await clew.say('Compare the venues')
  await clew.idle()
  expect(await clew.run()).toMatchObject({ status: 'succeeded' })
  const offered = clew.model.calls.flatMap(({ contract, input }) =>
    contract === 'thought' && 'tools' in input
      ? [input.tools.some(({ name }) => name === 'recall')]
      : [],
  )
  expect(offered).toEqual([true, true, true, true])
  expect((await clew.task()).observations[1]).toMatchObject({
    ...{ tool: 'recall', ok: true, result: 'Casa Azul, 1900 euros' },
  })
})

describe('recall', () => {
  const folded = play(
    planned(['Look']),
    act('venues', 'all'),
    observed(false, 'closed today'),
    stepDone(),
    replan('Compare'),
  )

  it('is there from the beginning, so that the list of tools stays as it is (C140); not for a mission', () => {
    expect(recallOf(begun())).not.toBeNull()
    expect(recallOf({ ...folded, strategy: 'coding' } as unknown as Task)).toBeNull()
  })

  it('gives a result as it was', async () => {
    expect(await recallOf(folded)?.run('step 1', toolContext())).toEqual({
      ok: false,
      text: 'closed today',
    })
  })

  it.each(['', 'all', '2', '1 2'])('says which steps there are for %j', async (input) => {
    const text = 'there is no such step; the steps are 1'
    expect(await recallOf(folded)?.run(input, toolContext())).toEqual({ ok: false, text })
  })
})
