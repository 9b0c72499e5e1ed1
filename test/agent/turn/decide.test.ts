import { describe, expect, it } from 'vitest'
import {
  closes,
  decides,
  ends,
  fails,
  failsAs,
  hangs,
  held,
  plans,
  sleep,
  task,
} from '../../fakes/model.ts'
import { ana, useClew } from '../../support/agent.ts'

const start = useClew()

describe('a Decision', () => {
  it('sees the message, the recent messages and the recent runs (R92, F29)', async () => {
    const clew = await start()
    for (let n = 1; n <= 7; n++) {
      clew.model.on('decision', decides.reply(`answer ${n}`))
      await clew.say(`question ${n}`)
      await clew.idle()
    }
    clew.model.on('decision', decides.run('Book the offsite'), decides.reply('It is done'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    await clew.say('Is it booked?', { locale: 'en' })
    await clew.idle()
    const last = clew.model.calls.at(-1)
    expect(last).toMatchObject({
      contract: 'decision',
      input: {
        message: 'Is it booked?',
        author: ana,
        recentRuns: [{ type: 'agent_task', title: 'Book the offsite', status: 'succeeded' }],
        runTypes: [{ type: 'agent_task' }, { type: 'sleep' }],
        now: '2026-03-04T10:00+00:00',
      },
    })
    const recent = last?.contract === 'decision' ? last.input.recentMessages : []
    expect(recent).toHaveLength(10)
    expect(recent.map(({ text }) => text)).not.toContain('Is it booked?')
    // R114: the terminal message is part of the history.
    expect(recent.at(-1)).toMatchObject({
      role: 'assistant',
      text: expect.stringContaining('Booked.'),
    })
    clew.model.assertDone()
  })

  it('is told of the tools that there are in its workspace, and of no others (C148, C159)', async () => {
    const tool = (name: string, isOffered: boolean) => ({
      ...{ name, effect: 'none' as const, description: 'Reads.', offeredIn: () => isOffered },
      run: async () => ({ ok: true, text: '' }),
    })
    const clew = await start({ tools: [tool('read_here', true), tool('read_elsewhere', false)] })
    clew.model.on('decision', decides.reply('Yes'))
    await clew.say('Can you read this channel?')
    await clew.idle()
    const [call] = clew.model.calls
    const tools = call?.contract === 'decision' ? call.input.tools : []
    expect(tools?.map(({ name }) => name)).toEqual(['todo', 'read_here'])
  })

  it('to reply answers and starts nothing (R94)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Lisbon is lovely'))
    await clew.say('Where to?')
    await clew.idle()
    expect(clew.texts()).toEqual(['Lisbon is lovely'])
    expect(await clew.runs()).toEqual([])
    expect(await clew.outcomes()).toEqual(['answered'])
  })

  it('to run shows no reply and no start notice: the plan is the sign, then the report (C81, R95, R113, R101)', async () => {
    const clew = await start()
    clew.model.on('decision', {
      ...decides.run('Book it', 'The booking'),
      reply: { content: 'a secret reply' },
    })
    const planning = held(plans())
    clew.model.on('plan', planning)
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book it')
    await clew.idle(1)
    expect(clew.texts()).toEqual([])
    expect(clew.channel.progress.at(-1)).toMatchObject({ title: 'The booking', status: 'running' })
    planning.release()
    await clew.idle()
    expect(clew.texts()).toEqual(['The booking: done.\n\nBooked.'])
    // Beside the plan, which has the title, only what is new is shown.
    expect(clew.channel.shown.at(-1)?.delivery.body).toMatchObject({
      kind: 'final',
      brief: 'Booked.',
    })
  })

  it('reports in the thread’s own language (R112)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('订会议室', '会议室'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('订好了。'))
    await clew.say('订会议室', { locale: 'zh' })
    await clew.idle()
    expect(clew.texts()).toEqual(['任务已完成：会议室\n\n订好了。'])
  })

  it('to do both replies at once; the terminal message leads back to the Decision (R96, R119)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.both('On it!', 'Book it'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    const { entryId } = (await clew.say('Book it')) as { entryId: string }
    await clew.idle()
    expect(clew.texts()).toEqual(['On it!', 'Book it: done.\n\nBooked.'])
    const run = await clew.run()
    expect(run).toMatchObject({ requestId: entryId, conversationId: clew.conversationId })
    const said = clew.channel.shown.flatMap(({ delivery: { body } }) =>
      'runId' in body ? [body.runId] : [],
    )
    expect(said).toEqual([run.id, run.id])
    expect(await clew.trace(clew.conversationId)).toEqual([
      { kind: 'decided', decision: 'reply_and_run', entryId, confidence: 0.9, reason: 'as asked' },
      { kind: 'created', runId: run.id, type: 'agent_task', parentRunId: null },
    ])
    const { messages } = await clew.state()
    const terminal = messages.at(-1)
    expect(terminal?.source).toEqual({ kind: 'run', refId: run.id })
    const story = await clew.trace(run.id)
    expect(story.at(0)).toMatchObject({ kind: 'created', runId: run.id })
    expect(story.filter(({ kind }) => kind === 'status')).toEqual([
      { kind: 'status', status: 'running', reason: null, ms: 0 },
      { kind: 'status', status: 'succeeded', reason: null, ms: 0 },
    ])
    expect(story.at(-1)).toEqual({ kind: 'said', messageId: terminal?.id })
  })

  it('never chooses the conversation of its run (R97, C52, S5)', async () => {
    const clew = await start()
    clew.model.on('decision', {
      ...decides.run('Book it'),
      run: { ...task('Book it'), conversation_id: 'c_other' },
    })
    clew.model.on('plan', hangs())
    await clew.say('Book it')
    await clew.idle(1)
    expect((await clew.run()).conversationId).toBe(clew.conversationId)
  })

  it.each([
    ['a type that does not exist', 'mine_coins'],
    ['a type that is not on the list', 'sleep'],
  ])('for %s explains and starts nothing (R98, F29)', async (_, type) => {
    const clew = await start({
      decision: { loopEnabled: true, allowedTypes: ['agent_task'], timeoutMs: 1_000 },
    })
    clew.model.on('decision', decides.runs({ ...task('x'), type, input: '{"seconds": 5}' }))
    await clew.say('Go', { locale: 'zh' })
    await clew.idle()
    expect(clew.texts()).toEqual([`抱歉，任务类型 '${type}' 不在允许列表中。`])
    expect(await clew.runs()).toEqual([])
  })

  it('whose run cannot be made still gives its reply, with a note and a line in the log (R100, F29)', async () => {
    const clew = await start()
    clew.model.on('decision', {
      ...decides.both('On it!', 'x'),
      run: { ...task('x'), input: '{"aim": "x"}' },
    })
    await clew.say('Book it')
    await clew.idle()
    expect(clew.texts()).toEqual([
      expect.stringMatching(/^On it!\n\nSorry, I couldn’t start that: .*goal/s),
    ])
    expect(await clew.runs()).toEqual([])
    expect(clew.logs).toMatchObject([{ level: 'warn', line: 'run not created' }])
  })

  it.each([
    ['is refused its key', 1, failsAs('key_refused')],
    ['is no JSON twice', 2, fails('bad_reply')],
    ['breaks its contract twice', 2, { decision: 'run', confidence: 3 }],
    ['carries a run in a reply twice', 2, { ...decides.reply('Hi'), run: task('x') }],
  ])(
    'that %s gives an apology, no run and a line in the log with both ids (R99, R93, C25, C349)',
    async (_, requests, reply) => {
      const clew = await start()
      for (let sent = 0; sent < requests; sent++) clew.model.on('decision', reply)
      const { entryId } = (await clew.say('Book it')) as { entryId: string }
      await clew.idle()
      expect(clew.texts()).toEqual([expect.stringMatching(/^Sorry, I couldn’t answer that/)])
      expect(await clew.runs()).toEqual([])
      expect(await clew.outcomes()).toEqual(['failed'])
      expect(clew.logs).toMatchObject([
        { level: 'warn', fields: { request: entryId, conversation: clew.conversationId } },
      ])
      clew.model.assertDone()
    },
  )

  it.each([
    ['is no JSON', fails('bad_reply')],
    ['breaks its contract', { decision: 'run', confidence: 3 }],
    ['comes without choices', fails('bad_reply')],
    ['writes a call as words', decides.reply('<tool_call>{"name":"todo"}</tool_call>')],
  ])('that %s is asked for again once, and says why (C349)', async (_, reply) => {
    const clew = await start()
    clew.model.on('decision', reply, decides.reply('Hi'))
    await clew.say('Hello')
    await clew.idle()
    expect(clew.texts()).toEqual(['Hi'])
    expect(clew.model.calls.at(-1)?.input).toMatchObject({ refusal: expect.any(String) })
    clew.model.assertDone()
  })

  it('is given up after its time and tried again (F29, R117, C92)', async () => {
    const clew = await start()
    clew.model.on('decision', hangs())
    await clew.say('Book it')
    await clew.model.received(1)
    await clew.advance(29_000)
    await clew.idle(1)
    expect(clew.texts()).toEqual([])
    await clew.advance(1_000)
    await clew.idle()
    expect(clew.texts()).toEqual([expect.stringMatching(/^My model isn’t answering right now/)])
  })

  it('without a model says so, while commands work (R44)', async () => {
    const clew = await start()
    clew.model.answer(() => fails('not_configured'))
    for (const text of ['Book it', '/todo add Call Ana', 'Please?']) await clew.say(text)
    await clew.idle()
    const [first, second, third] = clew.texts()
    expect(first).toMatch(/^I’m not connected to a language model yet.*OPENAI_API_KEY/)
    expect(third).toBe(first)
    expect(second).toMatch(/Call Ana/)
    expect(await clew.outcomes()).toEqual(['failed', 'command', 'failed'])
  })

  it('is not made where the loop is turned off; a plain reply is (R118, R117)', async () => {
    const clew = await start({
      decision: { loopEnabled: false, allowedTypes: ['agent_task'], timeoutMs: 1_000 },
    })
    clew.model.on('chat', { content: 'Hello Ana' })
    await clew.say('Hello')
    await clew.idle()
    expect(clew.texts()).toEqual(['Hello Ana'])
    expect(clew.model.contracts()).toEqual(['chat'])
    expect(await clew.trace(clew.conversationId)).toEqual([])
  })

  it('is cut off by a cancel text, which is confirmed at once (R151)', async () => {
    const clew = await start()
    clew.model.on('decision', hangs())
    await clew.say('Book it')
    await clew.model.received(1)
    await clew.say('取消当前任务')
    await clew.idle()
    expect(clew.texts()).toEqual(['Stopped by Ana. I hadn’t started yet.'])
    expect(await clew.outcomes()).toEqual(['answered', 'answered'])
    expect(await clew.runs()).toEqual([])
  })
})

describe('a turn that is cut off', () => {
  it.each([
    'after model.call',
    'before commits.commit',
    'after commits.commit',
    'after leases.release',
  ])('%s makes one run all the same (R116, R144)', async (point) => {
    const clew = await start()
    clew.model.answer(({ contract }) =>
      contract === 'decision' ? decides.run('Book it') : plans(),
    )
    clew.crashAt(point)
    void clew.say('Book it', { keys: ['the request'] })
    await clew.idle()
    await clew.say('Book it', { keys: ['the request'] })
    await clew.idle()
    expect(clew.lives()).toBe(2)
    expect(await clew.runs()).toHaveLength(1)
  })
})

describe('a command', () => {
  it('calls no model (R1)', async () => {
    const clew = await start()
    for (const text of ['/todo add Call Ana', '!todo list', '/nonsense', '/help'])
      await clew.say(text)
    await clew.idle()
    expect(clew.model.calls).toEqual([])
    expect(clew.texts()).toHaveLength(4)
  })

  it('keeps its grammar and its defaults in a thread (R43, F6, F8)', async () => {
    const clew = await start()
    for (const text of [
      '/todo add --tag "#Team Work" Call Ana',
      '/todo add Book --priority 2',
      '/view inbox --tag team-work',
    ])
      await clew.say(text)
    await clew.idle()
    expect(await clew.store.todos.list('test:team', 'channel:general')).toMatchObject([
      { id: 1, text: 'Call Ana', tag: 'team-work', priority: 0 },
      { id: 2, text: 'Book', tag: 'default', priority: 2 },
    ])
    const shown = clew.texts().at(-1)
    expect([shown?.includes('Call Ana'), shown?.includes('Book')]).toEqual([true, false])
  })

  it('has one effect, also when its turn is repeated after a crash (I10, C45)', async () => {
    const clew = await start()
    clew.crashAt('before commits.commit')
    await clew.say('/todo add Call Ana')
    await clew.idle()
    expect(await clew.store.todos.list('test:team', 'channel:general')).toHaveLength(1)
    expect(clew.texts()).toHaveLength(1)
  })
})

describe('several runs of one turn', () => {
  it('are worked on one after the other, and each reports (C56, R120)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.runs(task('First'), sleep(60), task('Second')))
    const planning = held(plans())
    clew.model.on('plan', planning, plans())
    clew.model.on('thought', closes(), closes())
    clew.model.on('replan', ends('One.'), ends('Two.'))
    await clew.say('First, then wait, then second')
    await clew.model.received(2)
    await clew.idle(1)
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['running', 'queued', 'queued'])
    planning.release()
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual([
      'succeeded',
      'running',
      'queued',
    ])
    await clew.advance(60_000)
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
    ])
    expect(clew.texts()).toEqual([
      'First: done.\n\nOne.',
      'Wait: done.\n\nI’ve waited 60 seconds.',
      'Second: done.\n\nTwo.',
    ])
    clew.model.assertDone()
  })

  it('show the plan of the one that goes on, and what is said joins that one (C42, C50)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.runs(task('First'), task('Second')))
    const thinking = held(closes())
    clew.model.on('plan', plans(), plans('Look'))
    clew.model.on('thought', closes(), thinking)
    clew.model.on('replan', ends('One.'), ends('Two.'))
    await clew.say('First, then second')
    await clew.model.received(6)
    await clew.idle(1)
    const [, second] = await clew.runs()
    expect((await clew.state()).foreground?.id).toBe(second?.id)
    await clew.say('Hurry')
    await clew.idle(1)
    thinking.release()
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([{ text: 'Hurry' }])
  })

  it('wait for their turn even if something is said to one that waits (R120, C50)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.runs(sleep(600), task('Then')))
    await clew.say('Wait, then work')
    await clew.idle()
    await clew.say('For 12 people')
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['running', 'queued'])
    expect((await clew.task()).clarifications).toMatchObject([{ text: 'For 12 people' }])
    clew.model.on('plan', plans())
    clew.model.on('replan', ends('Done.'))
    await clew.advance(600_000)
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    clew.model.assertDone()
  })

  it('end together when the first one is canceled, in one line and one mark (R104, R120, C84, C146)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.runs(task('First'), task('Second')))
    clew.model.on('plan', hangs())
    await clew.say('First, then second', { ref: 'asked' })
    await clew.model.received(2)
    await clew.say('stop')
    await clew.idle()
    const [first, second] = await clew.runs()
    expect([first?.status, second?.status]).toEqual(['canceled', 'canceled'])
    expect(clew.texts()).toEqual([
      'Stopped by Ana. I also stopped what was waiting behind it: “Second”.\n\nThe request was “First”.',
    ])
    expect(clew.channel.current.get(first?.id ?? '')).toMatchObject({ status: 'canceled' })
    const marks = clew.channel.shown.flatMap(({ delivery: { body } }) =>
      body.kind === 'receipt' && body.ref === 'asked' ? [body.ended] : [],
    )
    expect(marks).toEqual([undefined, 'canceled'])
  })
})
