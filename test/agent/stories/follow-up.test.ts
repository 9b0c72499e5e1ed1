import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSpent, nothingSpent } from '../../../src/agent/domain/budget.ts'
import { leftOf } from '../../../src/agent/domain/chain.ts'
import { closes, decides, ends, type FakeModel, fails, held, plans } from '../../fakes/model.ts'
import { type TestClew, type TestOptions, useClew } from '../../support/agent.ts'
import { runs } from '../../support/runs.ts'

const start = useClew()

const next = (goal: string, title: string | null = goal) => ({
  ...{ decision: 'next', goal, title, summary: null, reason: 'as agreed' },
})
const close = (summary: string | null = null) => ({
  ...{ decision: 'close', goal: null, title: null, summary, reason: 'nothing more' },
})
/** A task of one thought. */
function works(model: FakeModel, report: string) {
  model.on('plan', plans('Look'))
  model.on('thought', closes('ok'))
  model.on('replan', ends(report))
}
async function asked(options: TestOptions, script: (model: FakeModel) => void): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Compare the venues'))
  works(clew.model, 'The Alfama wins.')
  script(clew.model)
  await clew.say('Compare the venues, then book the best one')
  await clew.idle()
  return clew
}
const typesOf = async (clew: TestClew) =>
  (await clew.runs()).map(({ type, status }) => `${type} ${status}`)

describe('a follow-up (R121)', () => {
  it('is off unless a setting says otherwise', async () => {
    const clew = await asked({}, () => {})
    expect(await typesOf(clew)).toEqual(['agent_task succeeded'])
    clew.model.assertDone()
  })

  it('starts what was agreed, says so in the thread, and closes with a summary', async () => {
    const clew = await asked({ followUp: 3 }, (model) => {
      model.on('follow_up', next('Book the Alfama'), close('Compared and booked.'))
      works(model, 'Booked.')
    })
    expect(await typesOf(clew)).toEqual([
      ...[
        'agent_task succeeded',
        'follow_up succeeded',
        'agent_task succeeded',
        'follow_up succeeded',
      ],
    ])
    const said = clew.texts()
    expect(said).toEqual([
      'Compare the venues: done.\n\nThe Alfama wins.',
      'Next, as agreed: Book the Alfama',
      'Book the Alfama: done.\n\nBooked.',
      'Compared and booked.',
    ])
    const [first, decided, second] = await clew.runs()
    expect([decided?.parentRunId, second?.parentRunId]).toEqual([first?.id, decided?.id])
    clew.model.assertDone()
  })

  it('is bounded in depth', async () => {
    const clew = await asked({ followUp: 1 }, (model) => {
      model.on('follow_up', next('Book the Alfama'))
      works(model, 'Booked.')
    })
    expect((await typesOf(clew)).filter((one) => one.startsWith('follow_up'))).toHaveLength(1)
    clew.model.assertDone()
  })

  it('never goes in a circle: a goal that was done is refused, and then it is closed', async () => {
    const clew = await asked({ followUp: 5 }, (model) => {
      model.on('follow_up', next('Book the Alfama'))
      works(model, 'Booked.')
      model.on(
        'follow_up',
        next('compare THE venues!'),
        next('Book the Alfama.'),
        next('Compare the venues'),
      )
    })
    expect(clew.texts().at(-1)).toBe('That was all we agreed on, so I’m done here.')
    expect(await clew.runs()).toHaveLength(4)
    const refusals = clew.model.calls.flatMap((call) =>
      call.contract === 'follow_up' ? [call.input.refusal] : [],
    )
    expect(refusals).toEqual([
      null,
      null,
      expect.stringMatching(/done already/),
      expect.stringMatching(/done already/),
    ])
  })

  it('lives on what the runs before it left of their one allowance', async () => {
    const clew = await asked({ followUp: 5, limits: { maxTokens: 1_000 } }, (model) => {
      model.on('follow_up', next('Book the Alfama'))
      works(model, 'Booked.')
      model.on('follow_up', close())
    })
    // Each call takes 120 tokens: three of the first task and one that decided.
    expect(
      (await clew.store.runs.state('test:team', (await clew.runs())[2]?.id ?? ''))?.task?.limits
        .maxTokens,
    ).toBe(520)
    const poor = await asked({ followUp: 5, limits: { maxTokens: 360 } }, () => {})
    expect(await typesOf(poor)).toEqual(['agent_task succeeded'])
  })

  it('closes when its Decision cannot be had', async () => {
    const clew = await asked({ followUp: 2 }, (model) =>
      model.on('follow_up', fails('unavailable')),
    )
    expect(clew.texts().at(-1)).toBe('That was all we agreed on, so I’m done here.')
  })

  it('is stopped by the word while it decides, and starts nothing then (R104)', async () => {
    const deciding = held(next('Book the Alfama'))
    const clew = await start({ followUp: 2 })
    clew.model.on('decision', decides.run('Compare the venues'))
    works(clew.model, 'The Alfama wins.')
    clew.model.on('follow_up', deciding)
    await clew.say('Compare the venues, then book the best one')
    await clew.model.received(5)
    await clew.say('stop')
    await clew.advance(5_000)
    deciding.release()
    await clew.idle()
    expect(await typesOf(clew)).toEqual(['agent_task succeeded', 'follow_up canceled'])
  })

  it.each([
    ['before commits.commit', 8],
    ['after commits.commit', 8],
    ['before model.call', 5],
    ['after model.call', 5],
    ['before commits.commit', 10],
    ['after commits.commit', 10],
  ] as const)(
    'is decided and started once when the process dies %s (%s) (P1, R116)',
    async (point, n) => {
      const clew = await start({ followUp: 2 })
      clew.model.answer(({ contract, input }) => {
        if (contract === 'decision') return decides.run('Compare the venues')
        if (contract === 'plan') return plans('Look')
        if (contract === 'thought') return closes('ok')
        if (contract === 'replan') return ends('Done.')
        return 'earlier' in input && input.earlier.length > 0
          ? close('All done.')
          : next('Book the Alfama')
      })
      clew.crashAt(point, n)
      await clew.say('Compare the venues, then book the best one')
      await clew.idle()
      await clew.advance(20_000)
      expect(clew.lives()).toBe(2)
      expect(await typesOf(clew)).toEqual([
        ...[
          'agent_task succeeded',
          'follow_up succeeded',
          'agent_task succeeded',
          'follow_up succeeded',
        ],
      ])
      expect(clew.texts().filter((text) => text.startsWith('Next, as agreed'))).toHaveLength(1)
      expect(clew.texts().filter((text) => text === 'All done.')).toHaveLength(1)
    },
  )
})

it('what is left is never more than what there was, and runs out (R121, P12)', () => {
  const limits = {
    ...{ maxSteps: 20, maxModelCalls: 30, maxToolCalls: 30, maxTokens: 5_000, maxWallMs: 60_000 },
    ...{ maxToolFailures: 3, maxContractFailures: 2, maxUnavailable: 5 },
  }
  const count = fc.integer({ min: 0, max: 12 })
  const spending = fc.record({
    iterations: count,
    modelCalls: count,
    toolCalls: count,
    promptTokens: count,
  })
  fc.assert(
    fc.property(fc.array(spending, { minLength: 1, maxLength: 12 }), (runs) => {
      let spent = nothingSpent
      for (const run of runs) {
        const before = leftOf(limits, spent)
        if (before === null) return
        spent = addSpent(spent, { ...nothingSpent, ...run })
        const after = leftOf(limits, spent)
        if (after === null) continue
        expect(after.maxModelCalls).toBe(before.maxModelCalls - run.modelCalls)
        expect(after.maxSteps).toBeLessThanOrEqual(before.maxSteps)
      }
    }),
    { numRuns: runs() },
  )
})
