import { expect, it } from 'vitest'
import { type Connector, createConnectors } from '../../../src/agent/connectors.ts'
import { createRunTypes } from '../../../src/agent/drive/run-types.ts'
import { closes, ends, plans } from '../../fakes/model.ts'
import { useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const home = { workspace, channel: 'general' }
const ci: Connector = { name: 'ci', runTypes: ['agent_task'], channels: [home] }

const points = [
  'before commits.commit',
  'after commits.commit',
  'before leases.release',
  'after leases.release',
]
const cases = points.flatMap((point) =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => [point, n] as const),
)

it.each(cases)('a group is one report, once, killed %s number %i (C123, P1)', async (point, n) => {
  const clew = await start()
  clew.model.answer(({ contract, input }) => {
    if (contract === 'plan') return plans('Look')
    if (contract === 'thought') return closes('looked')
    return ends(`Done: ${'goal' in input ? input.goal : ''}`)
  })
  const allowed = { runTypes: createRunTypes(), allowedTypes: ['agent_task'] }
  const connectors = createConnectors({
    ...allowed,
    store: clew.store,
    wakeups: clew.bus.open(),
    clock: clew.clock,
    home,
  })
  clew.crashAt(point, n)
  const send = (part: number) =>
    connectors.start(ci, {
      ...{
        requestId: `m${part}`,
        type: 'agent_task',
        input: { goal: `Part ${part}` },
        channel: home,
      },
      group: { id: 'night', size: 2, waitMinutes: 60 },
    })
  await send(1)
  await clew.idle()
  await send(2)
  await clew.idle()
  await send(2)
  await clew.advance(30_000)
  const runs = await clew.store.runs.list(workspace, 10)
  expect(runs.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
    'agent_task succeeded',
    'agent_task succeeded',
    'gather succeeded',
  ])
  const said = clew.channel.shown.filter(({ delivery }) => delivery.body.kind === 'final')
  expect(said).toHaveLength(1)
  expect(said[0]?.delivery.body).toMatchObject({
    text: expect.stringMatching(/Done: Part 1[\s\S]*Done: Part 2/),
  })
})
