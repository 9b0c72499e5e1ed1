import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, asks, closes, decides, ends, hangs, plans, replans } from '../../fakes/model.ts'
import { ben, type TestClew, type TestOptions, useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const todos = async (clew: TestClew) =>
  (await clew.store.todos.list(workspace, 'channel:general')).map(({ text }) => text)

/** A task of two steps that made a to-do and was stopped while it thought about what is left. */
async function stopped(options: TestOptions = {}): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Note the renewals'))
  clew.model.on('plan', plans('Note northwind', 'Note contoso'))
  clew.model.on('thought', acts('add Renew northwind'), hangs())
  await clew.say('Note the renewals')
  await clew.idle(1)
  await clew.say('stop')
  await clew.idle()
  expect(await clew.run()).toMatchObject({ status: 'canceled' })
  return clew
}

/** The rest of it, done right by a model that reads what has happened. */
function finishes({ model }: TestClew): void {
  model.on('thought', closes('noted'), acts('add Renew contoso'), closes('noted'))
  model.on('replan', replans('Note contoso'), ends('Both are noted.'))
}

describe('a task that was stopped', () => {
  it.each(['continue', 'Go on', '继续'])(
    'goes on by “%s” with its plan, what it found and what it did, as a new run (C517, R102)',
    async (words) => {
      const clew = await stopped()
      const [parent] = await clew.runs()
      finishes(clew)
      await clew.say(words)
      await clew.idle()
      const [before, after] = await clew.runs()
      expect(before).toEqual(parent)
      expect(after).toMatchObject({ status: 'succeeded', parentRunId: parent?.id })
      expect(await todos(clew)).toEqual(['Renew northwind', 'Renew contoso'])
      const thoughts = clew.model.calls.filter(({ contract }) => contract === 'thought')
      expect(thoughts.at(-3)?.input).toMatchObject({
        observations: [{ input: 'add Renew northwind', ok: true }],
        currentPlanIndex: 0,
      })
      expect(clew.texts()).toContainEqual(
        expect.stringMatching(/(?:go on with|继续)“?.*Note the renewals”/),
      )
    },
  )

  it('goes on by Retry, too, for whoever presses it (C517, F27)', async () => {
    const clew = await stopped()
    finishes(clew)
    await clew.press('retry', (await clew.run()).id, ben)
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'succeeded', requestedBy: ben })
    expect(await todos(clew)).toEqual(['Renew northwind', 'Renew contoso'])
  })

  it('hears what stands behind the word (C517)', async () => {
    const clew = await stopped()
    finishes(clew)
    await clew.say('continue, but only for this year')
    await clew.idle()
    const heard = clew.model.calls.filter(({ input }) =>
      JSON.stringify(input).includes('but only for this year'),
    )
    expect(heard.map(({ contract }) => contract)).toEqual(['replan', 'thought', 'replan'])
  })

  it('begins once, however often “continue” comes (C517, P1)', async () => {
    const clew = await stopped()
    finishes(clew)
    clew.crashAt('after commits.commit')
    void clew.say('continue', { keys: ['the word'] })
    await clew.idle()
    await clew.say('continue', { keys: ['the word'] })
    await clew.idle()
    expect(await clew.runs()).toHaveLength(2)
    expect(await todos(clew)).toEqual(['Renew northwind', 'Renew contoso'])
  })

  it('asks its open question anew (C517)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Note it'))
    clew.model.on('plan', plans('Note it'))
    clew.model.on('thought', acts('add One'), asks('Which list?', ['Ours', 'Theirs']))
    await clew.say('Note it')
    await clew.idle()
    await clew.say('stop')
    await clew.idle()
    clew.model.on('thought', asks('Which list?', ['Ours', 'Theirs']))
    await clew.say('continue')
    await clew.idle()
    expect((await clew.state()).questions).toHaveLength(1)
  })
})

/** A task that was stopped while its one call, of a tool that never ends, was being made or waited for approval. */
async function stoppedAt(tool: Pick<Tool, 'effect' | 'approval'>) {
  const made: string[] = []
  const send: Tool = {
    ...{ name: 'send', description: 'Sends it.', ...tool },
    run: async (input, { signal }) => {
      made.push(input)
      if (made.length > 1) return { ok: true, text: 'sent' }
      return await new Promise((_, fail) => signal.addEventListener('abort', fail))
    },
  }
  const clew = await start({ tools: [send] })
  clew.model.on('decision', decides.run('Send it'))
  clew.model.on('plan', plans('Send it'))
  clew.model.on('thought', acts('to Ana', 'send', 'Send it'))
  await clew.say('Send it to Ana')
  await clew.idle(tool.approval === 'always' ? 0 : 1)
  await clew.say('stop')
  await clew.idle()
  return { clew, made }
}

describe('a call that was cut off by a stop', () => {
  it.each(['unkeyed', 'keyed'] as const)(
    'is asked about and not made again by itself: %s (C517)',
    async (effect) => {
      const { clew, made } = await stoppedAt({ effect })
      await clew.say('continue')
      await clew.idle()
      expect((await clew.state()).questions.map(({ text }) => text)).toEqual([
        expect.stringContaining('I was interrupted while using “send”'),
      ])
      expect(made).toEqual(['to Ana'])
    },
  )

  it('is made again where it only reads (C517)', async () => {
    const { clew, made } = await stoppedAt({ effect: 'none' })
    clew.model.on('thought', closes('read'))
    clew.model.on('replan', ends('It is read.'))
    await clew.say('continue')
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'succeeded' })
    expect(made).toEqual(['to Ana', 'to Ana'])
  })

  it('is put to people once more where it waited for their approval (C517)', async () => {
    const { clew, made } = await stoppedAt({ effect: 'unkeyed', approval: 'always' })
    await clew.say('continue')
    await clew.idle()
    expect(await clew.task()).toMatchObject({ lastQuestion: { reason: 'approval' } })
    expect(made).toEqual([])
  })
})

describe('“continue”', () => {
  it('is judged like any words where the newest task has ended well (C517)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Note it'), decides.reply('With what?'))
    clew.model.on('plan', plans('Note it'))
    clew.model.on('thought', closes('ok'))
    clew.model.on('replan', ends('Noted.'))
    await clew.say('Note it')
    await clew.idle()
    await clew.say('continue')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('With what?')
    expect(await clew.runs()).toHaveLength(1)
  })
})
