import { describe, expect, it } from 'vitest'
import { asks, closes, decides, ends, held, plans, task } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'
import { asideOf, keyOf } from './aside.ts'

const start = useClew()
const madeAnew =
  'I lost my place in this thread and rebuilt it from what was said. If I was working on something, please ask me again.'

/** A thread in which somebody was answered, and then `damage` befell its row. */
async function damaged(field?: string, value = ''): Promise<TestClew> {
  const clew = await start()
  clew.model.answer(({ input }) =>
    decides.reply(`You said ${'message' in input ? input.message : ''}`),
  )
  await clew.say('hello')
  await clew.idle()
  if (field !== undefined) await clew.redis.hset(rowOf(clew), field, value)
  return clew
}
const rowOf = ({ conversationId }: TestClew) => keyOf(`conversation:${conversationId}`)

describe('a conversation', () => {
  it.each([
    ['title', 'half a row {'],
    ['createdAt', '"yesterday"'],
    ['remindAt', '\ud800'],
    ['locale', ''],
    ['address', '7'],
    ['version', 'half a row {'],
    ['strategy', '[]'],
    ['foreground', '{}'],
  ])(
    'whose %s is %j goes on with what can be read of it, and people are told once (P18)',
    async (field, value) => {
      const clew = await damaged(field, value)
      const before = await clew.redis.hgetall(rowOf(clew))
      await clew.say('are you there?')
      await clew.say('and now?')
      await clew.idle()
      expect(clew.texts()).toEqual([
        'You said hello',
        madeAnew,
        'You said are you there?',
        'You said and now?',
      ])
      const [aside, ...more] = await asideOf(clew)
      expect(more).toEqual([])
      expect(aside).toMatchObject({ list: 'conversations', id: clew.conversationId })
      expect(JSON.parse(aside?.row ?? '')).toMatchObject({
        id: before.id,
        [field]: value.toWellFormed(),
      })
      expect(await clew.trace(clew.conversationId)).toContainEqual(
        expect.objectContaining({ kind: 'set_aside', list: 'conversations' }),
      )
      const { conversation, broken, messages } = await clew.state()
      expect(broken).toBeNull()
      expect(conversation.address).toEqual({
        workspace: 'test:team',
        channel: 'general',
        thread: 't',
      })
      expect(messages.map(({ text }) => text)).toContain('hello')
      expect(clew.logs.filter(({ level }) => level === 'error')).toHaveLength(1)
    },
  )

  it('that is lost while two tasks of one turn work lets the first end in a thread of its own, and the second begin (P18, R120)', async () => {
    const clew = await start()
    const first = held(ends('One.'))
    clew.model.on('decision', decides.runs(task('First'), task('Second')))
    clew.model.on('plan', plans('Do it'), plans('Do it'))
    clew.model.on('thought', closes(), closes())
    clew.model.on('replan', first, ends('Two.'))
    await clew.say('First, then second')
    await clew.model.received(4)
    await clew.redis.del(rowOf(clew))
    first.release()
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(JSON.stringify(clew.channel.shown)).toContain('One.')
    clew.model.assertDone()
  })

  it('of which nothing can be read any more goes on when somebody writes there (P18)', async () => {
    const clew = await damaged()
    const fields = Object.keys(await clew.redis.hgetall(rowOf(clew))).filter(
      (name) => !name.startsWith('~'),
    )
    for (const name of fields) await clew.redis.hset(rowOf(clew), name, 'half a row {')
    expect(await clew.store.conversations.state('test:team', clew.conversationId, 10)).toBeNull()
    await clew.say('are you there?')
    await clew.idle()
    expect(clew.texts()).toEqual(['You said hello', madeAnew, 'You said are you there?'])
    expect(
      (await clew.store.conversations.list('test:team', 10)).map(
        ({ conversation }) => conversation.id,
      ),
    ).toEqual([clew.conversationId])
  })

  it('that lost its version goes on too (P18)', async () => {
    const clew = await damaged()
    await clew.redis.hdel(rowOf(clew), 'version', 'title')
    await clew.say('are you there?')
    await clew.idle()
    expect(clew.texts()).toEqual(['You said hello', madeAnew, 'You said are you there?'])
  })

  it('keeps its task and its question (P18, P5)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Book'))
    clew.model.on('thought', asks('Which city?'))
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    await clew.redis.hset(rowOf(clew), 'foreground', 'half a row {', 'title', '7')
    await clew.say('Lisbon')
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    expect(clew.texts()).toContain(madeAnew)
    expect(clew.texts().at(-1)).toContain('Booked.')
  })

  it('of a newer version is left to it (P18, C59)', async () => {
    const clew = await damaged('version', '2')
    await clew.say('are you there?')
    await clew.advance(11_000)
    expect(clew.texts()).toEqual(['You said hello'])
    expect(await asideOf(clew)).toEqual([])
    expect(await clew.redis.llen(`${rowOf(clew)}:inbox`)).toBe(1)
  })
})
