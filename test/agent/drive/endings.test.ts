import { describe, expect, it } from 'vitest'
import { isUnread } from '../../../src/agent/domain/conversation.ts'
import { asks, closes, decides, ends, fails, held, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'
import { unattended, working } from './story.ts'

const start = useClew()

async function finished(clew: TestClew): Promise<TestClew> {
  clew.model.on('thought', closes())
  clew.model.on('replan', ends('Booked for 3 May.'))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

describe('the end of a run', () => {
  it('is one message in its conversation, which makes that unread (R105, R107, R109, R114)', async () => {
    const clew = await working(start, {})
    const last = held(ends('Booked for 3 May.'))
    clew.model.on('thought', closes())
    clew.model.on('replan', last)
    await clew.say('Book the offsite')
    await clew.model.received(4)
    await clew.advance(1_000)
    last.release()
    await clew.idle()
    const run = await clew.run()
    const { messages, conversation } = await clew.state()
    const ofRun = messages.filter(({ source }) => source.kind === 'run' && source.refId === run.id)
    expect(ofRun).toMatchObject([
      { role: 'assistant', text: 'Book the offsite: done.\n\nBooked for 3 May.' },
    ])
    expect(run).toMatchObject({ status: 'succeeded', result: 'Booked for 3 May.', error: null })
    expect(isUnread(conversation)).toBe(true)
    await clew.store.conversations.markRead(workspace, conversation.id, clew.clock.now() + 1)
    expect(isUnread((await clew.state()).conversation)).toBe(false)
  })

  it('has every word that the model reported, however long the report is (R16)', async () => {
    const report = Array.from(
      { length: 200 },
      (_, line) => `Line ${line} of the report about the offsite.`,
    ).join('\n')
    const clew = await working(start, {})
    clew.model.on('thought', closes())
    clew.model.on('replan', ends(report))
    await clew.say('Book the offsite')
    await clew.idle()
    expect(clew.texts().at(-1)).toContain(report)
    expect((await clew.run()).result).toContain(report)
  })

  it('has its template and names what was left out (C9, F28, R112)', async () => {
    const clew = await finished(await working(start, {}, 'Find venues', 'Book', 'Tell the team'))
    expect(clew.texts().at(-1)).toBe(
      'Book the offsite: done.\n\nBooked for 3 May.\n\nLeft out: Book; Tell the team.',
    )
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('stays as it is when the platform does not take the message, which comes later (R111, C27)', async () => {
    const clew = await working(start, {})
    clew.channel.fail({ kind: 'later', afterMs: 30_000 }, { times: 3 })
    await finished(clew)
    expect((await clew.run()).status).toBe('succeeded')
    expect(clew.texts()).toEqual([])
    for (let waited = 0; waited < 120; waited += 5) {
      await clew.advance(5_000)
      await clew.idle()
    }
    expect((await clew.run()).status).toBe('succeeded')
    expect(clew.texts()).toHaveLength(1)
  })

  it('is sent once when the platform took it and did not say so (P2, I6)', async () => {
    const clew = await working(start, {})
    clew.channel.fail({ kind: 'unknown' }, { times: 4, arrives: true })
    await finished(clew)
    for (let waited = 0; waited < 60; waited += 5) {
      await clew.advance(5_000)
      await clew.idle()
    }
    expect(clew.texts()).toHaveLength(1)
  })

  it('is not sent again after the platform has refused it for good (F29)', async () => {
    const clew = await working(start, {})
    clew.channel.fail({ kind: 'refused', reason: 'channel_not_found' }, { times: 20 })
    await finished(clew)
    await clew.advance(60_000)
    await clew.idle()
    expect(clew.texts()).toEqual([])
    expect(
      clew.logs.filter(({ fields }) => 'kind' in fields && fields.kind === 'final'),
    ).toHaveLength(1)
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('is the same for anyone who ends the run again (R110, R102)', async () => {
    const clew = await working(start, {})
    clew.crashAt('after commits.commit', 6)
    await finished(clew)
    const run = await clew.run()
    await clew.bus.open().wake({ kind: 'run', workspace, id: run.id })
    await clew.idle()
    expect(await clew.run()).toEqual(run)
    expect(clew.texts().filter((text) => text.includes(': done.'))).toHaveLength(1)
  })

  it('leaves nothing behind for an input that came too late (P5)', async () => {
    const clew = await finished(await working(start, {}))
    const { id } = await clew.run()
    const item = { kind: 'run' as const, workspace, id }
    const input = { kind: 'joined' as const, entryId: 'e', text: 'late', author: ben }
    const lease = await clew.store.leases.claim(
      { kind: 'conversation', workspace, id: clew.conversationId },
      1_000,
    )
    if (lease === null) throw new Error('held')
    await clew.store.commits.commit(lease, {
      id: 'late',
      at: clew.clock.now(),
      inputs: [{ runId: id, input }],
    })
    await clew.store.leases.release(lease)
    await clew.bus.open().wake(item)
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    expect(await clew.store.leases.due(10)).toEqual([])
  })
})

describe('work that nobody asked for in a thread', () => {
  const only = async (clew: TestClew) => {
    const [run] = await clew.store.runs.list(workspace, 10)
    const state = await clew.store.conversations.state(workspace, run?.conversationId ?? '', 100)
    if (run === undefined || state === null) throw new Error('it has opened no conversation')
    return { run, ...state }
  }

  it('opens a thread with its report, unread, and titled after its kind (R106, R147, R122)', async () => {
    const clew = await start()
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('All is well.'))
    await unattended(clew)
    await clew.idle()
    const { run, conversation, messages } = await only(clew)
    expect(run).toMatchObject({ status: 'succeeded', conversationId: conversation.id })
    expect(conversation).toMatchObject({
      title: 'Task completed: Weekly report',
      foreground: run.id,
      lastReadAt: null,
    })
    expect(conversation.address).toMatchObject({ channel: 'general', thread: expect.any(String) })
    expect(isUnread(conversation)).toBe(true)
    expect(messages.map(({ text }) => text)).toEqual(['Weekly report: done.\n\nAll is well.'])
    expect(await clew.store.runs.list(workspace, 10, conversation.id)).toMatchObject([
      { id: run.id },
    ])
  })

  it('titles the thread of a failure after that (R106, C35)', async () => {
    const clew = await start()
    clew.model.on('plan', 'x', 'x', 'x')
    await unattended(clew)
    await clew.idle()
    const { conversation, messages } = await only(clew)
    expect(conversation.title).toBe('Task failed: Weekly report')
    expect(messages).toHaveLength(1)
  })

  it('fails at its limit with the text of a pause (C35)', async () => {
    const clew = await start({ limits: { maxSteps: 1 } })
    clew.model.on('plan', plans('Collect', 'Write'))
    clew.model.on('thought', closes('Collected'))
    await unattended(clew)
    await clew.idle()
    const { run, messages } = await only(clew)
    expect(run.status).toBe('failed')
    expect(messages[0]?.text).toMatch(
      /^Weekly report: not done\..*Done so far.*Collect: Collected.*What next.*Press Retry/s,
    )
  })

  it('fails at its limit also in a thread that there is, and waits for nobody (C35)', async () => {
    const clew = await start({ limits: { maxSteps: 1 } })
    clew.model.on('decision', decides.reply('Hello.'))
    await clew.say('Good morning')
    await clew.idle()
    clew.model.on('plan', plans('Collect', 'Write'))
    clew.model.on('thought', closes('Collected'))
    const { id } = await unattended(clew, { conversationId: clew.conversationId })
    await clew.idle()
    expect((await clew.store.runs.state(workspace, id))?.run.status).toBe('failed')
  })

  it('opens a thread with its question, and goes on there (R106, C48, C42)', async () => {
    const clew = await start()
    clew.model.on('plan', plans('Write'))
    clew.model.on('thought', asks('For which team?'))
    clew.model.on('replan', ends('Written.'))
    await unattended(clew)
    await clew.idle()
    const { conversation, questions, run } = await only(clew)
    expect(conversation).toMatchObject({ title: 'Question: Weekly report', lastReadAt: null })
    expect(conversation.remindAt).toBeGreaterThan(clew.clock.now())
    expect([questions.length, run.status]).toEqual([1, 'awaiting_clarification'])
    await clew.say('Sales', { thread: conversation.address.thread ?? '', addressed: false })
    await clew.idle()
    const after = await only(clew)
    expect(after.run.status).toBe('succeeded')
    expect(after.messages.map(({ text }) => text)).toEqual([
      // C83: what it is about comes before the question.
      '**Weekly report**. I need an answer to go on:',
      'For which team?',
      'Sales',
      'Weekly report: done.\n\nWritten.\n\nLeft out: Write.',
    ])
    clew.model.assertDone()
  })

  it('is reminded of in the thread that its question opened (C48)', async () => {
    const clew = await start()
    clew.model.on('plan', plans('Write'))
    clew.model.on('thought', asks('For which team?'))
    await unattended(clew)
    await clew.idle()
    for (let hour = 0; hour < 24; hour++) {
      await clew.advance(3_600_000)
      await clew.idle()
    }
    const { messages } = await only(clew)
    expect(messages.at(-1)?.text).toMatch(/^Still waiting for an answer/)
  })

  it('is known to the conversation that goes on from it (R148, R114)', async () => {
    const clew = await start()
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Sales are up.'))
    await unattended(clew)
    await clew.idle()
    const { conversation } = await only(clew)
    clew.model.on('decision', fails('unavailable'))
    await clew.say('Why?', { thread: conversation.address.thread ?? '', addressed: false })
    await clew.idle()
    expect(clew.model.calls.at(-1)).toMatchObject({
      contract: 'decision',
      input: {
        recentMessages: [{ role: 'assistant', text: expect.stringContaining('Sales are up.') }],
        recentRuns: [{ title: 'Weekly report', status: 'succeeded' }],
      },
    })
  })
})

describe('a run of type sleep', () => {
  async function sleeping(): Promise<TestClew> {
    const clew = await start()
    clew.model.on('decision', {
      decision: 'run',
      run: { type: 'sleep', title: 'Tea', input: '{"seconds": 300}' },
      confidence: 1,
      reason: '',
    })
    await clew.say('Wake me in five minutes')
    await clew.idle()
    return clew
  }

  it('holds no worker while it waits, through a crash, and then says so (R102, R144)', async () => {
    const clew = await sleeping()
    await clew.crash()
    await clew.advance(299_000)
    await clew.idle()
    expect((await clew.run()).status).toBe('running')
    await clew.advance(6_000)
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('Tea: done.\n\nI’ve waited 5 minutes.')
  })

  it('can be canceled (R104)', async () => {
    const clew = await sleeping()
    await clew.say('stop')
    await clew.advance(600_000)
    await clew.idle()
    expect(clew.texts()).toEqual(['Stopped by Ana.\n\nThe request was “Tea”.'])
  })
})

describe('a run of a type that there is not', () => {
  it('fails, says so in a thread, and is no task (R102, R106)', async () => {
    const clew = await start()
    const run = await unattended(clew, { type: 'brew_coffee', title: 'Coffee' })
    await clew.idle()
    const state = await clew.store.runs.state(workspace, run.id)
    expect(state).toMatchObject({ task: null, run: { status: 'failed' } })
    const said = clew.channel.shown.map(({ delivery: { body } }) =>
      'text' in body ? body.text : '',
    )
    expect(said.at(-1)).toContain('a different version of Clew started it')
    expect(clew.model.calls.map(({ contract }) => contract)).not.toContain('plan')
  })
})
