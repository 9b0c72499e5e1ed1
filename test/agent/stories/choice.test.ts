import { describe, expect, it } from 'vitest'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'
import { unattended } from '../drive/story.ts'

const start = useClew()
const batch = (clew: TestClew) => {
  clew.model.on('plan_tool_call', {
    steps: [{ tool: 'todo', arguments: 'list' }],
    reasoning: '',
    estimated_steps: null,
  })
  clew.model.on('think', {
    ...{
      internal_analysis: '',
      user_summary: 'Done.',
      task_completed: true,
      next_steps_preview: null,
    },
  })
}

describe('the way of working', () => {
  it('is settled for a thread by a word that lasts, and a request still goes first (C32)', async () => {
    const clew = await start()
    await clew.say('/strategy quick')
    await clew.idle()
    expect(clew.texts()).toEqual(['From now on I’ll do several steps at once in this thread.'])
    clew.model.on('decision', decides.run('Tidy up'))
    batch(clew)
    await clew.say('Tidy up')
    await clew.idle()
    expect((await clew.task()).strategy).toBe('batch')
    clew.model.on('decision', decides.run('Tidy up once more'))
    clew.model.on('plan', plans('Look'))
    clew.model.on('thought', closes('ok'))
    clew.model.on('replan', ends('Done.'))
    await clew.say('Tidy up once more, step by step')
    await clew.idle()
    expect((await clew.task()).strategy).toBe('step')
    await clew.say('/strategy default')
    await clew.idle()
    expect((await clew.state()).conversation.strategy).toBeNull()
  })

  it.each([
    ['/strategy', 'Try: `/strategy batch`'],
    ['/strategy bach', 'Try: `/strategy batch`'],
    ['/strategy fre', 'Try: `/strategy free`'],
  ])('%s is answered with the nearest right form', async (line, words) => {
    const clew = await start()
    await clew.say(line)
    await clew.idle()
    expect(clew.texts().at(-1)).toContain(words)
  })

  it('of a schedule is in its own words, else in the setting', async () => {
    for (const [goal, strategy] of [
      ['Post the digest', 'step'],
      ['Quickly post the digest', 'batch'],
    ] as const) {
      const clew = await start()
      if (strategy === 'batch') batch(clew)
      else clew.model.on('plan', plans())
      await unattended(clew, { input: { goal } })
      await clew.idle()
      expect((await clew.store.runs.state('test:team', 'r_unattended'))?.task?.strategy).toBe(
        strategy,
      )
    }
    const clew = await start({ strategy: 'batch' })
    batch(clew)
    await unattended(clew)
    await clew.idle()
    expect((await clew.store.runs.state('test:team', 'r_unattended'))?.task?.strategy).toBe('batch')
  })
})

describe('a paused task in mode auto (F24)', () => {
  it('goes on with any next message, which it hears, for five budgets; then it fails', async () => {
    const clew = await start({ onPause: 'auto', limits: { maxSteps: 2 } })
    clew.model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Grind')
      return contract === 'plan'
        ? plans('Grind')
        : contract === 'replan'
          ? { status: 'replanned', plan: ['Grind'], response: null }
          : acts('list')
    })
    await clew.say('Grind')
    await clew.idle()
    for (let budget = 1; budget < 5; budget++) {
      expect((await clew.run()).status).toBe('paused')
      await clew.say(`and mind the ${budget}`)
      await clew.idle()
    }
    expect(await clew.run()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Why I stopped'),
    })
    expect((await clew.task()).clarifications.map(({ text }) => text)).toContain('and mind the 1')
    expect(clew.model.contracts().filter((name) => name === 'decision')).toHaveLength(1)
  })

  it('is off unless a setting says so: another message is a message', async () => {
    const clew = await start({ limits: { maxSteps: 1 } })
    clew.model.on('decision', decides.run('Grind'), decides.reply('Hello'))
    clew.model.on('plan', plans('Grind'))
    clew.model.on('thought', acts('list'))
    await clew.say('Grind')
    await clew.idle()
    await clew.say('By the way')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().at(-1)).toBe('Hello')
  })
})
