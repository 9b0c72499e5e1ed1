import { describe, expect, it } from 'vitest'
import type { Overheard } from '../../../src/agent/domain/overheard.ts'
import { acts, closes, decides, ends, held, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const heard = (clew: TestClew, id = clew.conversationId): Promise<Overheard[]> =>
  clew.store.conversations.overheard(workspace, id)
const textsOf = (said: readonly { text: string }[]) => said.map(({ text }) => text)

/** A thread in which Clew has answered once. */
async function talking(options = {}): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.reply('Hello Ana'))
  await clew.say('Hello')
  await clew.idle()
  return clew
}

/** People's talk: Ben speaks to somebody else. */
const aside = (clew: TestClew, text: string, keys?: string[], files?: string[]) =>
  clew.say(text, {
    by: ben,
    forSomeoneElse: true,
    addressed: false,
    ...(keys && { keys }),
    ...(files && { files }),
  })

describe('a message in its thread that is for somebody else', () => {
  it('is kept with who said it, when, and the names of its files; no mark, no answer, no model (C71)', async () => {
    const clew = await talking()
    const calls = clew.model.calls.length
    const marks = clew.channel.shown.length
    await aside(clew, '@Dana the venue is booked', ['k1'], ['offer.pdf'])
    await clew.idle()
    expect(await heard(clew)).toEqual([
      {
        version: 1,
        key: 'k1',
        author: ben,
        text: '@Dana the venue is booked',
        at: clew.clock.now(),
        files: ['offer.pdf'],
      },
    ])
    expect(clew.model.calls).toHaveLength(calls)
    expect(clew.channel.shown).toHaveLength(marks)
    expect(textsOf((await clew.state()).messages)).toEqual(['Hello', 'Hello Ana'])
  })

  it('is kept once, through a crash and a second delivery (C71, P3)', async () => {
    const clew = await talking()
    clew.crashAt('before commits.commit')
    await aside(clew, '@Dana the venue is booked', ['k1'])
    await clew.idle()
    await clew.advance(20_000)
    await aside(clew, '@Dana the venue is booked', ['k1'])
    await clew.idle()
    expect(textsOf(await heard(clew))).toEqual(['@Dana the venue is booked'])
    expect(clew.lives()).toBe(2)
  })

  it('is what its author makes of it later, and is gone when it is taken back (C71, C73)', async () => {
    const clew = await talking()
    await aside(clew, '@Dana at nine', ['k1'])
    await aside(clew, '@Dana my password is 1234', ['k2'])
    await clew.idle()
    await clew.edit('k1', '@Dana at ten', { by: ben })
    await clew.remove('k2', { by: ben })
    await clew.idle()
    expect(textsOf(await heard(clew))).toEqual(['@Dana at ten'])
    const rows = await Promise.all(
      (await clew.redis.keys('*')).map(async (key) => await clew.redis.dump(key)),
    )
    expect(rows.filter((row) => row?.includes('1234'))).toEqual([])
    expect(clew.texts()).toEqual(['Hello Ana'])
  })

  it('is shown to the Decision between what was said to Clew, as talk of others (C71, C72, R92)', async () => {
    const clew = await talking()
    await clew.clock.advance(60_000)
    await aside(clew, '@Dana the venue is booked')
    await clew.idle()
    await clew.clock.advance(60_000)
    clew.model.on('decision', decides.reply('It is booked'))
    await clew.say('Is the venue booked?')
    await clew.idle()
    const last = clew.model.calls.at(-1)
    expect(last?.contract === 'decision' && last.input.recentMessages).toEqual([
      { role: 'user', author: 'Ana', text: 'Hello' },
      { role: 'assistant', author: null, text: 'Hello Ana' },
      {
        role: 'overheard',
        author: 'Ben',
        text: '@Dana the venue is booked',
        at: '2026-03-04 10:01',
      },
    ])
  })

  it('reaches a task that runs at its next step, as context and not as an order (C71)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues'))
    const thinking = held(acts('list'))
    clew.model.on('thought', thinking, closes('Found'))
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle(1)
    await clew.clock.advance(60_000)
    await aside(clew, '@Dana Lisbon is too hot')
    await clew.idle(1)
    thinking.release()
    await clew.idle()
    const [first, second] = clew.model.calls.filter(({ contract }) => contract === 'thought')
    expect(first?.contract === 'thought' && first.input.thread?.meanwhile).toEqual([])
    expect(second?.contract === 'thought' && second.input).toMatchObject({
      clarifications: [],
      thread: {
        before: [],
        meanwhile: [{ role: 'overheard', author: 'Ben', text: '@Dana Lisbon is too hot' }],
      },
    })
    expect((await clew.run()).status).toBe('succeeded')
    clew.model.assertDone()
  })

  it('stays in its thread (C72, R142)', async () => {
    const clew = await talking()
    await aside(clew, '@Dana the venue is booked')
    await clew.idle()
    clew.model.on('decision', decides.reply('Hi'))
    await clew.say('Hello', { thread: 'other' })
    await clew.idle()
    expect(JSON.stringify(clew.model.calls.at(-1))).not.toContain('venue')
  })

  it('is forgotten when it is older than what is kept, though its thread goes on (C73)', async () => {
    const clew = await talking({ retentionMs: 3_600_000 })
    await aside(clew, '@Dana the old plan')
    await clew.idle()
    await clew.advance(3_700_000)
    await aside(clew, '@Dana the new plan')
    await clew.idle()
    await clew.advance(3_600_000)
    // It is a chore: nobody waits for it.
    await expect.poll(async () => textsOf(await heard(clew))).toEqual(['@Dana the new plan'])
  })
})
