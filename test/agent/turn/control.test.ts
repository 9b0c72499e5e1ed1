import { describe, expect, it } from 'vitest'
import { endRun } from '../../../src/agent/kernel/end-run.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { isResumeText } from '../../../src/agent/turn/resume.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import {
  acts,
  asks,
  closes,
  decides,
  ends,
  fails,
  hangs,
  plans,
  replans,
} from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()

/** A thread with a task that is paused at its limit, with one of two items done. */
async function pausing(): Promise<TestClew> {
  const clew = await start({ limits: { maxSteps: 2 } })
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', closes('Three venues'))
  clew.model.on('replan', replans('Book'))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

describe('a resume word', () => {
  it.each([
    'continue',
    'Continue!',
    'go on',
    'proceed',
    'resume',
    '继续',
    '继续。',
    '继续执行',
    '继续任务',
    'continue, but in Porto',
    '继续，改到上海',
  ])('is %s (C21, F21)', (text) => {
    expect(isResumeText(text)).toBe(true)
  })

  it.each([
    'do not continue',
    'please do not go on',
    'continued',
    '不要继续',
    'let us continue this tomorrow',
    'next',
    'continue with the second plan that you made',
    '',
  ])('is not: %s (C21)', (text) => {
    expect(isResumeText(text)).toBe(false)
  })
})

describe('a pause', () => {
  it('names the calls that took effect, also of a step that is not closed (R25)', async () => {
    const tool = (name: string, effect: Tool['effect']): Tool => ({
      ...{ name, effect, description: 'Does it.' },
      run: async () => ({ ok: true, text: 'done' }),
    })
    const tools = [tool('mail', 'unkeyed'), tool('look', 'none')]
    const clew = await start({ tools, limits: { maxSteps: 4 } })
    clew.model.on('decision', decides.run('Invite all'))
    clew.model.on('plan', plans('Invite'))
    clew.model.on('thought', acts('list', 'look', 'Invite'), acts('to: Ana', 'mail', 'Invite'))
    await clew.say('Invite all')
    await clew.idle()
    const text = clew.texts().at(-1)
    expect(text).toMatch(/What I’ve changed so far:\n- \*\*mail\*\* to: Ana\n\n\*\*Why I stopped/)
  })

  it('says what is done, why the rest is not, and how to go on (R25, C35, R88)', async () => {
    const clew = await pausing()
    expect((await clew.run()).status).toBe('paused')
    const text = clew.texts().at(-1)
    expect(text).toMatch(/\*\*Done so far\*\* \(1 of 2 done\)\s+- Find venues: Three venues/)
    expect(text).toMatch(/\*\*Why I stopped\*\*\s+I hit my limit of 2 steps.*Still open: Book\./s)
    expect(text).toMatch(/\*\*What next\*\*\s+Write `continue`/)
    const body = clew.channel.shown.at(-1)?.delivery.body
    expect(body?.kind).not.toBe('final')
    expect((await clew.trace((await clew.run()).id)).slice(-2)).toMatchObject([
      { kind: 'status', status: 'paused', reason: 'steps' },
      { kind: 'said' },
    ])
  })

  it('has an id of its own each time (C35)', async () => {
    const clew = await pausing()
    clew.model.on('thought', 'x', 'x')
    await clew.say('continue')
    await clew.idle()
    const pauses = (await clew.state()).messages.filter(({ text }) =>
      text.includes('Why I stopped'),
    )
    expect(pauses).toHaveLength(2)
    expect(new Set(pauses.map(({ id }) => id)).size).toBe(2)
  })

  it('ends with "continue": a fresh budget, and no finished step again (C35, R85, R86)', async () => {
    const clew = await pausing()
    clew.model.on('thought', closes('Booked'))
    clew.model.on('replan', ends('Booked.'))
    await clew.say('continue')
    await clew.idle()
    expect(clew.model.calls.at(-2)).toMatchObject({
      contract: 'thought',
      input: { currentItem: 'Book', stepCount: 0 },
    })
    expect(await clew.task()).toMatchObject({ spent: { steps: 2, iterations: 4, pauses: 1 } })
    expect((await clew.run()).status).toBe('succeeded')
    expect(await clew.outcomes()).toEqual(['started', 'joined'])
    clew.model.assertDone()
  })

  it('ends by a click, once, even when two people press (C35, R150)', async () => {
    const clew = await pausing()
    clew.model.on('thought', closes('Booked'))
    clew.model.on('replan', ends('Booked.'))
    const { id } = await clew.run()
    await Promise.all([clew.press('continue', id), clew.press('continue', id, ben)])
    await clew.idle()
    expect((await clew.task()).spent.pauses).toBe(1)
    expect(clew.texts().filter((text) => text.includes('nothing to continue'))).toHaveLength(1)
    clew.model.assertDone()
  })

  it('takes in what follows the word (C21, C50)', async () => {
    const clew = await pausing()
    clew.model.on('replan', replans('Book in Porto'), ends('Booked.'))
    clew.model.on('thought', hangs())
    await clew.say('Continue, but in Porto', { by: ben })
    await clew.idle(1)
    expect((await clew.task()).clarifications).toMatchObject([
      { text: 'but in Porto', author: ben },
    ])
    expect(clew.model.contracts().slice(-2)).toEqual(['replan', 'thought'])
  })

  it('does not end with a negated word; that is an ordinary message (C21)', async () => {
    const clew = await pausing()
    clew.model.on('decision', decides.reply('Fine, I leave it there.'))
    await clew.say('Do not continue')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().at(-1)).toBe('Fine, I leave it there.')
  })

  it('is not revived by a word that is meant for a running task (C42, C21)', async () => {
    const clew = await pausing()
    clew.model.on('decision', decides.run('Something else'))
    clew.model.on('plan', plans('Look'))
    clew.model.on('thought', hangs())
    await clew.say('Do something else first')
    await clew.model.received(7)
    await clew.say('go on')
    await clew.idle(1)
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['paused', 'running'])
    expect(await clew.outcomes()).toEqual(['started', 'started', 'joined'])
  })

  it('can still end after another task has (R85)', async () => {
    const clew = await pausing()
    clew.model.on('decision', decides.run('Something else'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Else.'))
    await clew.say('Do something else first')
    await clew.idle()
    clew.model.on('thought', closes('Booked'))
    clew.model.on('replan', ends('Booked.'))
    await clew.say('continue')
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    clew.model.assertDone()
  })

  it('is no pause for a word without one (C21)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Continue with what?'))
    await clew.say('continue')
    await clew.idle()
    expect(clew.texts()).toEqual(['Continue with what?'])
  })
})

describe('a cancel', () => {
  it('without a task says that there is none (R151, F1)', async () => {
    const clew = await start()
    await clew.say('取消当前任务', { locale: 'zh' })
    await clew.idle()
    expect(clew.texts()).toEqual(['当前没有进行中的任务。'])
  })

  it('stops the model call in flight and is the one terminal message (R104, R151, F1, R112, F28)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('订会议室', '会议室'))
    clew.model.on('plan', hangs())
    await clew.say('订会议室', { locale: 'zh' })
    await clew.model.received(2)
    await clew.say('取消当前任务')
    await clew.idle()
    expect(clew.texts()).toEqual(['已取消当前任务。\n\n任务已取消：会议室'])
    expect(await clew.run()).toMatchObject({ status: 'canceled', endedAt: clew.clock.now() })
    expect(
      clew.channel.shown.filter(({ delivery }) => delivery.body.kind === 'final'),
    ).toHaveLength(1)
    clew.model.assertDone()
  })

  it.each(['never mind', '算了。'])(
    'is "%s" too where a question waits, and nowhere else (R151)',
    async (words) => {
      const clew = await start()
      clew.model.on('decision', decides.run('Book it'), decides.reply('All right.'))
      clew.model.on('plan', plans('Book'))
      clew.model.on('thought', asks('Which city?'))
      await clew.say('Book it')
      await clew.idle()
      await clew.say(words)
      await clew.idle()
      expect((await clew.run()).status).toBe('canceled')
      expect((await clew.state()).questions).toEqual([])
      await clew.say(words)
      await clew.idle()
      expect(clew.texts().at(-1)).toBe('All right.')
    },
  )

  it('works for a run that is only queued (R104, F27)', async () => {
    const clew = await start({ runsAtOnce: 1 })
    clew.model.on('decision', decides.run('One'), decides.run('Two'))
    clew.model.on('plan', hangs())
    await clew.say('One')
    await clew.model.received(2)
    await clew.say('Two', { thread: 'other' })
    // One works, one waits for its place.
    await clew.idle(2)
    await clew.say('stop', { thread: 'other' })
    await clew.idle(2)
    expect((await clew.state('other')).foreground).toMatchObject({
      status: 'canceled',
      startedAt: null,
    })
    expect(clew.texts('other').at(-1)).toMatch(/The request was/)
  })

  it('of a paused task ends it (R104)', async () => {
    const clew = await pausing()
    // As people give it who have seen commands.
    await clew.say('/stop')
    await clew.idle()
    expect((await clew.run()).status).toBe('canceled')
  })

  it('of an ended run is refused with its status, and changes nothing (F27, R102)', async () => {
    const clew = await pausing()
    const { id } = await clew.run()
    await clew.say('stop')
    await clew.idle()
    const before = await clew.run()
    await clew.press('cancel', id)
    await clew.press('continue', id)
    await clew.idle()
    expect(clew.texts().slice(-2)).toEqual([
      '(to ana) “Book the offsite” has already ended (stopped).',
      '(to ana) Nothing is paused here, so there’s nothing to continue.',
    ])
    expect(await clew.run()).toEqual(before)
  })

  it('of another thread’s run is not known here (S5, R142)', async () => {
    const clew = await pausing()
    const { id } = await clew.run()
    clew.model.on('decision', decides.reply('Hi'))
    await clew.say('Hello', { thread: 'other' })
    for (const action of ['cancel', 'continue', 'retry'] as const)
      await clew.pressIn('other', action, id)
    await clew.idle()
    // C84: what is pressed too late is told to the person who pressed.
    expect(clew.texts('other').slice(1)).toEqual([
      '(to ana) I can’t find that request any more.',
      '(to ana) Nothing is paused here, so there’s nothing to continue.',
      '(to ana) I can’t find that request any more.',
    ])
    expect((await clew.run()).status).toBe('paused')
  })

  it('reaches a worker that does not hear of it, at its next renewal (F26, P6, I8)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book it'))
    clew.model.on('plan', hangs())
    await clew.say('Book it')
    await clew.model.received(2)
    await cancelElsewhere(clew)
    await clew.idle(1)
    expect((await clew.run()).status).toBe('canceled')
    await clew.advance(3_000)
    await clew.idle()
    // What the other process left to be said, the sweep finds.
    await clew.advance(5_000)
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/The request was/)
  })
})

/** As another process does it, whose wake-ups nobody here hears. */
async function cancelElsewhere({
  store,
  clock,
  conversationId,
  run,
  state,
}: Awaited<ReturnType<typeof start>>) {
  const lease = await store.leases.claim(
    { kind: 'conversation', workspace, id: conversationId },
    10_000,
  )
  if (lease === null) throw new Error('the conversation is being worked on')
  const at = clock.now()
  const reminder = { afterMs: 0, hours: { fromHour: 9, toHour: 18, days: [1] } }
  const end = endRun(await run(), await state(), {
    status: 'canceled',
    text: 'Stopped.',
    at,
    reminder,
  })
  await store.commits.commit(lease, { id: 'k_elsewhere', at, conversationId, ...end })
  await store.leases.release(lease)
}

describe('a retry', () => {
  it('is a new run that names its parent and starts from nothing (F27, R103)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', 'x', 'x', 'x', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    const [parent] = await clew.runs()
    expect(parent?.status).toBe('failed')
    await clew.press('retry', parent?.id ?? '', ben)
    await clew.idle()
    const [before, again] = await clew.runs()
    expect(before).toEqual(parent)
    expect(again).toMatchObject({
      status: 'succeeded',
      parentRunId: parent?.id,
      requestedBy: ben,
      title: 'Book the offsite',
    })
    expect(clew.texts()).toContain('Trying again.')
    expect(await clew.trace(again?.id ?? '')).toContainEqual({
      kind: 'created',
      runId: again?.id,
      type: 'agent_task',
      parentRunId: parent?.id,
    })
    clew.model.assertDone()
  })

  it('has nothing of what people thought of the report, and is in no group (C123, C182)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', 'x', 'x', 'x', hangs())
    await clew.say('Book the offsite')
    await clew.idle()
    const { id } = await clew.run()
    const feedback = JSON.stringify([{ author: ben, good: false, at: 1 }])
    const connector = JSON.stringify({ name: 'ci', gatherer: 'r_group' })
    await clew.redis.hset(keysOf(workspace).run(id).row, { feedback, connector })
    await clew.press('retry', id)
    await clew.idle(1)
    const again = await clew.run()
    expect(again).toMatchObject({ parentRunId: id, status: 'running' })
    expect([again.feedback, again.connector]).toEqual([undefined, undefined])
  })

  it('that two people ask for is one (F27, R116)', async () => {
    const clew = await pausing()
    const { id } = await clew.run()
    await clew.say('stop')
    await clew.idle()
    clew.model.on('thought', hangs())
    await clew.press('retry', id)
    await clew.press('retry', id, ben)
    await clew.idle(1)
    expect(await clew.runs()).toHaveLength(2)
    expect(clew.texts().at(-1)).toBe('(to ben) “Book the offsite” is already being retried.')
  })

  it('of a follow-up is one of the work that it followed (R121)', async () => {
    const clew = await start({ followUp: 1 })
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Book'), hangs())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    clew.model.on('follow_up', {
      decision: 'close',
      goal: null,
      title: null,
      summary: null,
      reason: 'done',
    })
    await clew.say('Book the offsite')
    await clew.idle()
    const [task, followUp] = await clew.runs()
    expect(followUp).toMatchObject({ type: 'follow_up', status: 'succeeded' })
    await clew.press('retry', followUp?.id ?? '')
    await clew.idle(1)
    expect(await clew.run()).toMatchObject({
      type: 'agent_task',
      parentRunId: task?.id,
      input: task?.input,
    })
  })

  it('of a run that still goes on is refused (F27)', async () => {
    const clew = await pausing()
    await clew.press('retry', (await clew.run()).id)
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/^\(to ana\) “Book the offsite” is still running/)
    expect(await clew.runs()).toHaveLength(1)
  })
})

describe('a paused task', () => {
  it('that the model could not be reached for goes on at once, not after the last wait (C35)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book it'))
    clew.model.on('plan', ...Array.from({ length: 5 }, () => fails('unavailable')), plans())
    await clew.say('Book it')
    await clew.idle()
    for (let waited = 0; waited < 60; waited += 5) {
      await clew.advance(5_000)
      await clew.idle()
    }
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().at(-1)).toMatch(/I can’t reach my language model/)
    clew.model.on('thought', asks('Which city?'))
    await clew.say('continue')
    await clew.idle()
    expect((await clew.run()).status).toBe('awaiting_clarification')
  })

  it('goes on with the tool that it was about to use, which is not taken for interrupted (rule 5)', async () => {
    const mail = { sent: 0 }
    const tool = {
      name: 'mail',
      effect: 'unkeyed' as const,
      description: 'Sends a mail.',
      run: async () => ({ ok: true, text: `sent ${++mail.sent}` }),
    }
    const clew = await start({ limits: { maxModelCalls: 2 }, tools: [tool] })
    clew.model.on('decision', decides.run('Book it'))
    clew.model.on('plan', plans('Write'))
    clew.model.on('thought', acts('to Ana', 'mail'), closes())
    await clew.say('Book it')
    await clew.idle()
    expect([(await clew.run()).status, mail.sent]).toEqual(['paused', 0])
    await clew.say('continue')
    await clew.idle()
    expect(mail.sent).toBe(1)
    expect((await clew.task()).observations).toMatchObject([
      { tool: 'mail', ok: true, result: 'sent 1' },
    ])
  })
})
