import { describe, expect, it } from 'vitest'
import type { InboundEvent, InboxEntry } from '../../../src/agent/domain/event.ts'
import { nextInLine } from '../../../src/agent/turn/wait-for-model.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { closes, decides, ends, fails, failsAs, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const away = /^My model isn’t answering right now/
const minute = 60_000

/** Time passes, a second at a time or what is left of it, and what is due is done. */
async function passes(clew: TestClew, ms: number, step = 5_000): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    await clew.advance(Math.min(step, left))
    await clew.idle()
  }
}

describe('a model that is away for a while (C92)', () => {
  it.each([
    ['answers 429', failsAs('rate_limited')],
    ['answers 500', failsAs('overloaded')],
    ['breaks the line', fails('unavailable')],
    ['does not answer in time', fails('timeout')],
  ])(
    '%s: within the Decision’s own time the message is tried again and nobody hears of it',
    async (_, failure) => {
      const clew = await start()
      clew.model.on('decision', failure, failure, decides.reply('Lisbon'))
      await clew.say('Where to?')
      await clew.idle()
      await passes(clew, 5_000, 1_000)
      expect(clew.texts()).toEqual(['Lisbon'])
      expect(await clew.outcomes()).toEqual(['answered'])
      clew.model.assertDone()
    },
  )

  it('then people are told once, and the message is answered when it is back, in order, after a restart too (R150)', async () => {
    const clew = await start()
    clew.model.answer(() => failsAs('overloaded'))
    await clew.say('Where to?')
    await clew.say('And when?', { by: ben })
    await clew.idle()
    await passes(clew, 2 * minute)
    expect(clew.texts()).toEqual([expect.stringMatching(away)])
    await clew.restart()
    await clew.idle()
    clew.model.answer((call) =>
      decides.reply(
        call.contract === 'decision' && call.input.message === 'And when?' ? 'In May' : 'Lisbon',
      ),
    )
    await passes(clew, minute)
    expect(clew.texts().slice(1)).toEqual(['Lisbon', 'In May'])
    expect(await clew.outcomes()).toEqual(['answered', 'answered'])
  })

  it('what needs no model passes it: a command, a click, and a cancel text that calls it off', async () => {
    const clew = await start()
    clew.model.answer(() => failsAs('unreachable', 10 * minute))
    await clew.say('Where to?')
    await clew.say('And when?', { by: ben })
    await clew.say('/todo add Call Ana')
    await clew.press('cancel', 'r_gone')
    await clew.idle()
    const [waits, todo, click] = clew.texts()
    expect([waits, todo, click]).toEqual([
      expect.stringMatching(away),
      expect.stringContaining('Call Ana'),
      '(to ana) I can’t find that request any more.',
    ])
    expect(clew.model.calls).toHaveLength(1)
    await clew.say('stop')
    await clew.idle()
    expect(clew.texts().slice(3)).toEqual(['Stopped by Ana. I hadn’t started yet.'])
    await passes(clew, 20 * minute, minute)
    expect(clew.model.calls).toHaveLength(1)
    expect(await clew.outcomes()).toEqual(['answered', 'answered', 'command', 'answered'])
  })

  it('the thread that Clew opens for it begins once, however often it is tried (C83)', async () => {
    const clew = await start()
    clew.channel.fail({ kind: 'later', afterMs: minute })
    clew.model.on('decision', failsAs('overloaded'), failsAs('overloaded'), decides.reply('Lisbon'))
    const taken = await clew.say('Where to?', { thread: null })
    await clew.idle()
    await passes(clew, 10_000, 1_000)
    const id = taken.kind === 'ignored' ? '' : taken.conversationId
    const waiting = await clew.redis.lrange(keysOf(workspace).conversation(id).outbox, 0, -1)
    expect(waiting.filter((row) => row.includes('asked: Where to?'))).toHaveLength(1)
    expect(waiting.join()).toContain('Lisbon')
  })

  it('a message that was changed meanwhile is answered as it stands, and one that was taken back is not', async () => {
    const clew = await start()
    clew.model.on(
      'decision',
      failsAs('overloaded'),
      failsAs('overloaded'),
      decides.reply('Porto it is'),
    )
    await clew.say('Lisbon?', { keys: ['one'] })
    await clew.idle()
    await clew.edit('one', 'Porto?')
    await passes(clew, 5_000, 1_000)
    expect(clew.model.calls.at(-1)).toMatchObject({ input: { message: 'Porto?' } })
    expect(clew.texts()).toEqual(['Porto it is'])
  })

  it('for an hour: the apology, with the cause (R99, C25)', async () => {
    const clew = await start()
    clew.model.answer(() => failsAs('rate_limited', 20 * minute))
    await clew.say('Where to?')
    await clew.idle()
    await passes(clew, 59 * minute, minute)
    expect(clew.texts()).toEqual([expect.stringMatching(away)])
    await passes(clew, 2 * minute, minute)
    expect(clew.texts().slice(1)).toEqual([
      expect.stringMatching(/^Sorry, .*isn’t taking any more requests/),
    ])
    expect(await clew.outcomes()).toEqual(['failed'])
  })

  it('a run is made once, by the try that is answered', async () => {
    const clew = await start()
    clew.model.on('decision', failsAs('overloaded'), decides.run('Book it'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book it')
    await clew.idle()
    await passes(clew, 2_000, 1_000)
    expect(await clew.runs()).toMatchObject([{ status: 'succeeded' }])
    clew.model.assertDone()
  })
})

describe('what passes a message that waits for the model (C92, R150)', () => {
  const entry = (id: string, content: InboundEvent['content']): InboxEntry => {
    const said = { workspace, channel: 'general', thread: 't', keys: [id], at: 0, content }
    return {
      version: 1,
      id,
      messageId: null,
      event: {
        ...said,
        whose: { way: 'typed' as const, by: 'member' as const },
        author: { id: 'ana', name: 'Ana', bot: false },
      },
    }
  }
  const words = { kind: 'message', addressed: true, forSomeoneElse: false } as const
  const first = entry('e_1', { ...words, text: 'Where to?' })
  const command = entry('e_2', { ...words, text: '/todo add Call Ana' })
  const waiting = { entryId: 'e_1', since: 0, until: 1_000, tries: 1, said: true }
  const isCommand = ({ content }: InboundEvent) =>
    content.kind === 'message' && content.text.startsWith('/')
  const next = (...inbox: InboxEntry[]) =>
    nextInLine({ conversation: { waiting }, inbox }, 500, isCommand)

  it('is a command, but not one that was changed into words for the model meanwhile', () => {
    expect(next(first, command)).toBe(1)
    expect(
      next(
        first,
        command,
        entry('e_3', { kind: 'edited', key: 'e_2', text: '/todo add Call Ben' }),
      ),
    ).toBe(1)
    expect(
      next(first, command, entry('e_3', { kind: 'edited', key: 'e_2', text: 'Call Ana' })),
    ).toBe(3)
  })
})

describe('an apology for a model that failed (C92, R99)', () => {
  const button = (clew: TestClew) => {
    const bodies = clew.channel.shown.map(({ delivery }) => delivery.body)
    return bodies.flatMap((body) => (body.kind === 'message' ? (body.offers ?? []) : [])).at(-1)
  }

  it('has a button that tries the message again as its author’s, with what was attached, and once', async () => {
    const clew = await start()
    clew.model.on('decision', failsAs('key_refused'), decides.run('Book it'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book it', { files: ['offer.txt'] })
    await clew.idle()
    expect(await clew.outcomes()).toEqual(['failed'])
    const { label, command = '' } = button(clew) ?? {}
    const apology = clew.texts().at(-1)
    expect(label).toBe('Retry')
    await clew.restart()
    await clew.say(command, { by: ben })
    await clew.say(command, { by: ben })
    await clew.idle()
    expect(clew.model.calls[1]).toMatchObject({
      input: { message: 'Book it\n\noffer.txt', author: { id: 'ana' } },
    })
    expect(await clew.runs()).toMatchObject([{ status: 'succeeded', requestedBy: { id: 'ana' } }])
    expect(await clew.outcomes()).toEqual(['started', 'command', 'command'])
    expect(clew.texts()).toContainEqual(
      expect.stringMatching(/^\(to ben\) I’ve already retried that message/),
    )
    // C166: the button is gone, and it says why.
    expect(clew.texts()).toContain(`(now) ${apology}\n\n↻ Ben asked me to try again.`)
    clew.model.assertDone()
  })

  it('tried again it waits for a model that is away, and fails again with a button of its own', async () => {
    const clew = await start()
    clew.model.on(
      'decision',
      failsAs('no_credit'),
      failsAs('overloaded'),
      failsAs('no_credit'),
      decides.reply('Lisbon'),
    )
    await clew.say('Where to?')
    await clew.idle()
    const first = button(clew)?.command ?? ''
    await clew.say(first)
    await clew.idle()
    await passes(clew, 5_000, 1_000)
    const second = button(clew)?.command ?? ''
    expect(second).not.toBe(first)
    await clew.say(second)
    await clew.idle()
    expect(clew.texts()).toContain('Lisbon')
    clew.model.assertDone()
  })
})
