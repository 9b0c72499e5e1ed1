import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { texts } from '../../../src/locales/texts.ts'
import { acts, asks, closes, decides, ends, hangs, held, plans } from '../../fakes/model.ts'
import { ana, ben, type TestClew, type TestOptions, useClew } from '../../support/agent.ts'

const start = useClew()

/** A task of Ana's in the thread `t` that thinks about the second of two steps. */
async function working(options?: TestOptions): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', closes('Found three.'))
  clew.model.on('replan', hangs())
  await clew.say('Book the offsite', { keys: ['asked'], ref: 'asked' })
  await clew.model.received(4)
  return clew
}

async function asking(question: string, choices: string[]): Promise<TestClew> {
  const clew = await start()
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', asks(question, choices))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}
const status = async (clew: TestClew) => (await clew.run()).status

describe('an order to stop, while a task works', () => {
  it.each([
    'please stop',
    'Clew, stop now',
    'never mind',
    'hold on',
    'stop, wrong city',
    '🛑',
    '先停一下',
  ])('stops it: %s (C330)', async (words) => {
    const clew = await working()
    await clew.say(words)
    await clew.idle()
    expect(await status(clew)).toBe('canceled')
    expect(await clew.outcomes()).toEqual(['started', 'answered'])
  })

  it('names who gave it and how far the task was (C333)', async () => {
    const clew = await working()
    await clew.say('please stop', { by: ben })
    await clew.idle()
    expect(clew.texts()).toEqual([
      'Stopped by Ben. I’d finished 1 of 2 steps.\n\nThe request was “Book the offsite”.',
    ])
  })

  it('names the page where who stopped it gave no name (C333)', async () => {
    const clew = await working()
    await clew.say('please stop', { by: { ...ben, name: texts('en').page.unnamed } })
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/^Stopped on Clew’s page\. I’d finished 1 of 2/)
  })

  it('names what was done outside and stays done (C333)', async () => {
    const mail: Tool = {
      name: 'mail',
      effect: 'unkeyed',
      description: 'Sends mail.',
      run: async () => ({ ok: true, text: 'sent' }),
    }
    const clew = await start({ tools: [mail] })
    clew.model.on('decision', decides.run('Invite all'))
    clew.model.on('plan', plans('Invite'))
    clew.model.on('thought', acts('to: all\nDear all', 'mail', 'Invite'), hangs())
    await clew.say('Invite all, dear Clew')
    await clew.model.received(4)
    await clew.say('stop')
    await clew.idle()
    expect(clew.texts().at(-1)).toContain(
      'Stopped by Ana. There was one step, and I hadn’t finished it.\n\nThis was already done, and I haven’t undone it:\n- **mail** to: all\n',
    )
  })

  it.each([
    ['mail', 'unkeyed', 'to: all', ['mail to: all → sent to 12']],
    ['note', 'keyed', 'add Renew\nnorthwind', ['note add Renew northwind → sent to 12']],
    ['look', 'none', 'list', []],
  ] as const)('leaves a run that says what it did: %s (C497)', async (name, effect, input, did) => {
    const run = async () => ({ ok: true, text: 'sent to\n12' })
    const clew = await start({ tools: [{ name, effect, description: 'Does it.', run }] })
    clew.model.on('decision', decides.run('Invite all'))
    clew.model.on('plan', plans('Invite'))
    clew.model.on('thought', acts(input, name, 'Invite'), hangs())
    await clew.say('Invite all')
    await clew.model.received(4)
    await clew.say('stop')
    await clew.idle()
    clew.model.on('decision', decides.reply('On it.'))
    await clew.say('continue with that')
    await clew.idle()
    expect(clew.model.calls.at(-1)?.input).toMatchObject({
      recentRuns: [{ title: expect.any(String), status: 'canceled', did }],
    })
  })

  it('that says more is asked about, with a button that stops it; the task hears it (C330)', async () => {
    const clew = await working()
    await clew.say('stop. Use Porto')
    await clew.idle(1)
    expect(clew.texts()).toEqual(['Shall I stop “Book the offsite”?'])
    const { messages } = await clew.state()
    const [offer] = messages.at(-1)?.offers ?? []
    expect(offer?.label).toBe('Stop')
    await clew.say(offer?.command ?? '', { by: ben, way: 'pressed' })
    await clew.idle()
    expect(await status(clew)).toBe('canceled')
    expect(clew.texts().at(-1)).toMatch(/^Stopped by Ben\./)
  })

  it.each(['stop it, Ben!', 'stop asking her'])(
    'is none where it is for others: %s (C330)',
    async (words) => {
      const clew = await working()
      await clew.say(words)
      await clew.idle(1)
      expect(await status(clew)).toBe('running')
      expect(await clew.outcomes()).toEqual(['started', 'joined'])
    },
  )

  it('among people is asked about where it may be talk (C330)', async () => {
    const clew = await working()
    await clew.say('hold on', { by: ben, addressed: false })
    await clew.idle(1)
    expect(clew.texts()).toEqual(['Shall I stop “Book the offsite”?'])
    expect(await status(clew)).toBe('running')
  })
})

describe('an order to stop, while a question is open', () => {
  it.each(['please stop', 'never mind', 'forget it', 'cancel that', '算了吧'])(
    'stops the task and is no answer: %s (C330, R155)',
    async (words) => {
      const clew = await asking('Which city?', ['Lisbon', 'Porto'])
      await clew.say(words)
      await clew.idle()
      expect(await status(clew)).toBe('canceled')
    },
  )

  it('that may be none is asked about, and the question stays open (C330)', async () => {
    const clew = await asking('Which city?', ['Lisbon', 'Porto'])
    await clew.say('hold on')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('Shall I stop “Book the offsite”?')
    expect((await clew.state()).questions).toHaveLength(1)
  })

  it.each([
    ['cancel', 'Cancel'],
    ['Abort.', 'Abort'],
    ['取消', '取消'],
  ])('is its answer where it is one of the choices: %s (C332)', async (words, choice) => {
    const clew = await asking('What now?', ['Cancel', 'Abort', '取消', 'Move it'])
    clew.model.on('replan', ends('Done.'))
    await clew.say(words)
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([{ text: choice }])
    expect(await status(clew)).toBe('succeeded')
  })
})

describe('an order to stop beside the thread', () => {
  it('stops the task that began with the message it replies to (C334)', async () => {
    const clew = await working()
    await clew.say('stop', { thread: 'beside', repliesTo: 'asked', by: ben })
    await clew.idle()
    expect(await status(clew)).toBe('canceled')
    expect(clew.texts().at(-1)).toMatch(/^Stopped by Ben\. I’d finished 1 of 2 steps\./)
    expect(clew.texts('beside')).toEqual([
      'Stopping “Book the offsite”. Its thread will say how far I got.',
    ])
  })

  it('offers the tasks of the person who gives it, and of nobody else (C334)', async () => {
    const clew = await working()
    await clew.say('please stop', { thread: 'bens', by: ben })
    await clew.say('never mind', { thread: 'beside' })
    await clew.idle(1)
    expect(clew.texts('bens')).toEqual(['Nothing is running here.'])
    expect(clew.texts('beside')).toEqual([
      'Nothing is running in this thread. Elsewhere in this channel I’m working on these for you: “Book the offsite”.',
    ])
    const [offer] = (await clew.state('beside')).messages.at(-1)?.offers ?? []
    expect(offer?.label).toBe('Stop “Book the offsite”')
    await clew.say(offer?.command ?? '', { thread: 'beside', way: 'pressed' })
    await clew.idle()
    expect(await status(clew)).toBe('canceled')
    expect(clew.texts().at(-1)).toMatch(/^Stopped by Ana\./)
  })

  it('does not know tasks of other channels (R142)', async () => {
    const clew = await working()
    await clew.say('stop', { thread: 'beside', channel: 'elsewhere' })
    await clew.idle(1)
    const said = clew.channel.shown.map(({ delivery: { body } }) => 'text' in body && body.text)
    expect(said).toContain('Nothing is running here.')
    expect(await status(clew)).toBe('running')
  })

  it('reaches what waits for its Decision (C334)', async () => {
    const clew = await start()
    clew.model.on('decision', hangs())
    await clew.say('Book the offsite', { ref: 'asked' })
    await clew.model.received(1)
    await clew.say('stop', { thread: 'beside' })
    await clew.idle()
    expect(clew.texts()).toEqual(['Stopped by Ana. I hadn’t started yet.'])
    expect(clew.texts('beside')).toEqual([
      'Stopping “Book the offsite”. Its thread will say how far I got.',
    ])
    expect(await clew.runs()).toEqual([])
  })

  it('that is read after the end says so (C334)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book it'))
    clew.model.on('plan', plans('Book'))
    const last = held(ends('Booked.'))
    clew.model.on('thought', closes())
    clew.model.on('replan', last)
    await clew.say('Book it')
    await clew.model.received(4)
    const written = clew.clock.now()
    await clew.clock.advance(5_000)
    last.release()
    await clew.idle()
    await clew.say('stop', { at: written })
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('It was already finished when I read your message.')
    await clew.say('stop')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('Nothing is running here.')
  })
})

describe('a request whose message is deleted', () => {
  it('stops, and its words are posted nowhere again (C336)', async () => {
    const clew = await working()
    await clew.remove('asked')
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'canceled', title: 'Deleted request' })
    expect(clew.texts()).toEqual([
      'The message that asked for this was deleted, so I’ve stopped. I’d finished 1 of 2 steps.\n\n' +
        'The request was “Deleted request”.',
    ])
    expect(clew.channel.current.get((await clew.run()).id)?.title).toBe('Deleted request')
  })

  it('calls nobody, also where the platform does not say who deleted it (C333)', async () => {
    const clew = await working()
    await clew.remove('asked', { by: { id: '', name: '' } })
    await clew.idle()
    const final = clew.channel.shown.find(({ delivery }) => delivery.body.kind === 'final')
    expect(final?.delivery.to).toEqual(ana)
    expect(final?.delivery.notify).toBeUndefined()
  })

  it('begins nothing while it is decided about (C336)', async () => {
    const clew = await start()
    clew.model.on('decision', hangs())
    await clew.say('Book the offsite', { keys: ['asked'] })
    await clew.model.received(1)
    await clew.remove('asked')
    await clew.idle()
    expect(clew.texts()).toEqual([])
    expect(await clew.runs()).toEqual([])
    expect((await clew.state()).messages).toEqual([])
  })

  it.each(['at once', 'after what others said'])(
    'begins nothing while its thread is read, %s (C336)',
    async (when) => {
      const clew = await start()
      clew.channel.readThread = async () => {
        if (when !== 'at once')
          await clew.say('Is it warm there?', { by: ben, forSomeoneElse: true })
        await clew.remove('asked', { keys: ['gone'] })
        return { kind: 'read', said: [], gap: false }
      }
      clew.model.on('decision', hangs())
      await clew.say('Book the offsite', { keys: ['asked'] })
      await clew.idle()
      expect(clew.texts()).toEqual([])
      expect(await clew.runs()).toEqual([])
      expect((await clew.state()).messages.map(({ text }) => text)).not.toContain(
        'Book the offsite',
      )
    },
  )

  it('ends without a word while nothing of it is shown (C343)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', hangs())
    await clew.say('Book the offsite', { keys: ['asked'] })
    await clew.model.received(2)
    await clew.remove('asked')
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'canceled', title: 'Deleted request' })
    expect(clew.texts()).toEqual([])
  })

  it('is only left out where its words had joined a task (C336)', async () => {
    const clew = await working()
    await clew.say('Under 4,000 euros', { keys: ['joined'] })
    await clew.idle(1)
    await clew.remove('joined')
    await clew.idle(1)
    expect(await status(clew)).toBe('running')
    const state = await clew.store.runs.state('test:team', (await clew.run()).id)
    expect(state?.inputs.at(-1)).toMatchObject({
      kind: 'joined',
      text: '(I’ve deleted my message about this; please ignore it.)',
      author: ana,
    })
  })
})
