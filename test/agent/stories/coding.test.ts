import { describe, expect, it } from 'vitest'
import { reportText } from '../../fakes/coding-agent.ts'
import type { FakeModel } from '../../fakes/model.ts'
import { type TestClew, type TestOptions, useClew } from '../../support/agent.ts'
import { allowed, codingAgent, decision, judges, live, steps } from './coding-folder.ts'

const start = useClew()
/** A thread in which a mission with these steps has been asked for. */
async function mission(
  options: TestOptions,
  script: (model: FakeModel) => void,
): Promise<TestClew> {
  const clew = await start({ decision: allowed, ...options })
  clew.model.on('decision', decision)
  script(clew.model)
  await clew.say('Mend add()')
  await clew.idle()
  return clew
}

describe('waiting for a report', () => {
  it('holds no worker, and takes a report only when it is whole and grows no more (R136, C29, C43)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding, runsAtOnce: 1 }, (model) => {
      model.on('mission', steps('Mend it'))
      model.on('evaluate', judges('next'))
      model.on('mission_report', { report: 'It is mended.' })
    })
    // Idle means that nothing is claimed: the one place for runs is free while the agent works.
    expect((await clew.run()).status).toBe('running')
    agent.work(() => null)
    const id = agent.taken[0]?.id ?? ''
    agent.report(id, '---\nstatus: SUCC')
    for (let poll = 0; poll < 3; poll++) await clew.advance(5_000)
    expect((await clew.task()).observations).toEqual([])
    agent.report(id, reportText('SUCCESS', 'Half of it'))
    await clew.advance(5_000)
    agent.report(id, reportText('SUCCESS', 'Half of it and the rest'))
    await clew.advance(5_000)
    expect((await clew.task()).observations).toEqual([])
    await clew.advance(6_000)
    await clew.idle()
    expect((await clew.task()).observations[0]).toMatchObject({ ok: true, tool: 'coding_agent' })
    expect((await clew.task()).observations[0]?.result).toContain('Half of it and the rest')
    expect(clew.texts().at(-1)).toBe('Mend add(): done.\n\nIt is mended.')
    clew.model.assertDone()
  })

  it('shows what the agent has in hand while it works, like any other plan (R38, R137)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding }, (model) =>
      model.on('mission', steps('Mend it', 'Test it')),
    )
    const shown = clew.channel.current.get((await clew.run()).id)
    expect(shown).toMatchObject({
      items: [{ text: 'Mend it' }, { text: 'Test it' }],
      now: { kind: 'acting', tool: 'coding_agent', input: 'Mend it' },
    })
    expect(agent.mission((await clew.run()).id)).toMatch(
      /status: running[\s\S]*\| 1 \| Mend it \| open/,
    )
  })

  it('counts ten minutes without a report as a failure of the step, and tries again (R135, R131)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding }, (model) => {
      model.on('mission', steps('Mend it'))
      model.on('evaluate', judges('next'))
      model.on('mission_report', { report: 'It is mended.' })
    })
    agent.work(() => null)
    await clew.advance(590_000)
    expect((await clew.task()).observations).toEqual([])
    await clew.advance(16_000)
    expect((await clew.task()).observations).toMatchObject([{ ok: false }])
    await live(clew, agent, () => reportText('SUCCESS', 'Done'))
    expect(agent.taken.map(({ command }) => command)).toEqual(['new', 'continue', 'end'])
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('pauses with a reason when no folder is shared any more, and goes on with “continue” (R140)', async () => {
    const clew = await mission({}, (model) => model.on('mission', steps('Mend it')))
    expect(clew.texts().at(-1)).toContain('I can’t reach the coding agent')
    expect((await clew.run()).status).toBe('paused')
  })
})

describe('people in a mission', () => {
  it('are asked after three steps have failed in a row, and their words become the step (R134, F32, C38)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding, limits: { maxRetries: 0 } }, (model) => {
      model.on('mission', steps('A', 'B', 'C', 'D'))
      model.on(
        'evaluate',
        judges('retry'),
        judges('retry'),
        judges('retry', 'No luck.'),
        judges('next'),
        judges('next'),
      )
      model.on('mission_report', { report: 'Two are done.' })
    })
    const answer = (task: { text: string }) =>
      reportText(/^[ABC]$/m.test(task.text) ? 'FAILED' : 'SUCCESS', 'So it went.')
    await live(clew, agent, answer, (_, status) =>
      status === 'awaiting_clarification' ? 'Use the other parser' : null,
    )
    const texts = clew.texts()
    expect(texts.find((text) => text.startsWith('“C” failed'))).toContain('No luck.')
    const [, , , replaced] = agent.taken
    expect(replaced?.text).toContain('Use the other parser')
    // Two steps stay undone, so the mission did not reach its goal; they are named.
    expect(texts.at(-1)).toContain('Two are done.')
    expect(texts.at(-1)).toContain('Left out: A; B.')
    expect((await clew.run()).status).toBe('failed')
  })

  it('stop it, and the agent is told so even when the process dies in between (R104, R126, P1)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding }, (model) =>
      model.on('mission', steps('Mend it')),
    )
    agent.work(() => null)
    clew.crashAt('before coding_folder.dismiss')
    await clew.say('stop')
    await clew.idle()
    for (let seconds = 0; seconds < 30; seconds += 6) {
      await clew.advance(6_000)
      agent.work(() => null)
    }
    expect(clew.lives()).toBe(2)
    expect(agent.taken.map(({ command }) => command)).toEqual(['new', 'end'])
    expect(agent.taken[1]?.missionId).toBe(agent.taken[0]?.missionId)
    expect(clew.texts().filter((text) => text.includes('Stopped by'))).toHaveLength(1)
    expect(agent.mission((await clew.run()).id)).toContain('status: canceled')
  })
})
