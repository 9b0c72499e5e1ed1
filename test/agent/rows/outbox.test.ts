import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/agent/domain/delivery.ts'
import { deliveryOf } from '../../contracts/store/rows.ts'
import { decides } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'
import { asideOf, keyOf } from './aside.ts'

const start = useClew()
const notShown =
  'I couldn’t post one of my messages here. If you’re missing an answer, please ask again; an admin can see which message it was.'

/** A thread in which somebody was answered already. */
async function greeted(): Promise<TestClew> {
  const clew = await start()
  clew.model.on('decision', decides.reply('Hi'), decides.reply('Here I am'))
  await clew.say('Hello')
  await clew.idle()
  return clew
}
const put = (clew: TestClew, row: string) =>
  clew.redis.rpush(keyOf(`conversation:${clew.conversationId}:outbox`), row)

describe('an outbox', () => {
  it.each([
    ['a to-do', '/todo add Buy \ud800 milk'],
    ['a message', 'Say \ud800 again'],
  ])('is not silenced by half a character in %s (P11, P17)', async (_, text) => {
    const clew = await start()
    clew.model.answer(({ contract }) =>
      contract === 'decision' ? decides.reply('It is \ud800 \0 here') : null,
    )
    await clew.say(text)
    await clew.say('/todo list')
    await clew.say('Are you there?')
    await clew.idle()
    const said = clew.texts()
    expect(said.length).toBeGreaterThanOrEqual(3)
    expect(said.at(-1)).toBe('It is \ufffd  here')
    expect(said.every((one) => one.isWellFormed())).toBe(true)
  })

  it('goes on with what an earlier version wrote with half a character (P11)', async () => {
    const clew = await greeted()
    await put(
      clew,
      JSON.stringify(deliveryOf(1, clew.conversationId)).replace(
        'line 1',
        String.raw`a \\ \ud800 b`,
      ),
    )
    await clew.say('Are you there?')
    await clew.idle()
    expect(clew.texts()).toEqual(['Hi', String.raw`a \ ${'\ufffd'} b`, 'Here I am'])
    expect(await asideOf(clew)).toEqual([])
  })

  it.each(['half a row {', '{"version":1,"id":"d_9"}', '[]', ''])(
    'sets %j aside, says so, and sends what is behind it (P18)',
    async (row) => {
      const clew = await greeted()
      await put(clew, row)
      await clew.say('Are you there?')
      await clew.idle()
      expect(clew.texts()).toEqual(['Hi', 'Here I am', notShown])
      expect(await asideOf(clew)).toMatchObject([
        { list: 'outbox', row, problem: expect.stringContaining('record') },
      ])
      expect(await clew.trace(clew.conversationId)).toContainEqual(
        expect.objectContaining({ kind: 'set_aside', list: 'outbox' }),
      )
    },
  )

  it('sets aside what its channel fails on every time, and not before the third (P18, R111)', async () => {
    const clew = await greeted()
    const { send } = clew.channel
    let tries = 0
    Object.assign(clew.channel, {
      async send(...[delivery, conversation]: Parameters<typeof send>) {
        if ('text' in delivery.body && delivery.body.text === 'Here I am') {
          tries += 1
          throw new RangeError('Maximum call stack size exceeded')
        }
        return await send(delivery, conversation)
      },
    })
    await clew.say('Are you there?')
    await put(clew, JSON.stringify(deliveryOf(1, clew.conversationId)))
    for (let waits = 0; waits < 3; waits += 1) await clew.advance(11_000)
    expect(tries).toBe(3)
    expect(clew.texts()).toEqual(['Hi', 'line 1', notShown])
    const [aside] = await asideOf(clew)
    expect(aside).toMatchObject({
      list: 'outbox',
      problem: 'RangeError: Maximum call stack size exceeded',
    })
    expect(JSON.parse(aside?.row ?? '')).toMatchObject({
      body: { text: 'Here I am' },
    } satisfies Partial<{
      body: Partial<Delivery['body']>
    }>)
  })

  it('sets one row aside, not the one before it that its own log has already (P18, C172)', async () => {
    const clew = await greeted()
    const { send } = clew.channel
    Object.assign(clew.channel, {
      isLog: true,
      async send(...[delivery, conversation]: Parameters<typeof send>) {
        if ('text' in delivery.body && delivery.body.text === 'line 2') throw new RangeError('no')
        return await send(delivery, conversation)
      },
    })
    for (const n of [1, 2, 3]) await put(clew, JSON.stringify(deliveryOf(n, clew.conversationId)))
    await clew.say('Are you there?')
    for (let waits = 0; waits < 3; waits += 1) await clew.advance(11_000)
    expect(clew.texts()).toEqual(['Hi', 'line 1', 'line 3', 'Here I am', notShown])
    expect((await asideOf(clew)).map(({ row }) => JSON.parse(row).body.text)).toEqual(['line 2'])
  })

  it('says nothing about a line that says so and cannot be shown either (P18)', async () => {
    const clew = await greeted()
    Object.assign(clew.channel, { send: () => Promise.reject(new TypeError('no')) })
    await put(clew, 'half a row {')
    await clew.say('/todo list')
    for (let waits = 0; waits < 30; waits += 1) await clew.advance(11_000)
    const aside = await asideOf(clew)
    expect(await clew.redis.llen(keyOf(`conversation:${clew.conversationId}:outbox`))).toBe(0)
    // The row, the answer with its receipt, and one line for each of the three.
    expect(aside.length).toBeLessThanOrEqual(6)
  })

  it('keeps everything for as long as the store is away (R111)', async () => {
    const clew = await greeted()
    Object.assign(clew.channel, {
      send: () =>
        Promise.reject(Object.assign(new Error('Connection is closed.'), { code: 'away' })),
    })
    await clew.say('Are you there?')
    for (let waits = 0; waits < 8; waits += 1) await clew.advance(11_000)
    expect(await asideOf(clew)).toEqual([])
    expect(
      await clew.redis.llen(keyOf(`conversation:${clew.conversationId}:outbox`)),
    ).toBeGreaterThan(0)
  })

  it('passes over progress that cannot be shown (P18)', async () => {
    const clew = await greeted()
    await clew.redis.hset(keyOf('run:r_gone'), 'version', '1', 'title', '5')
    await clew.redis.hset(keyOf(`conversation:${clew.conversationId}:progress`), 'r_gone', '1')
    await clew.say('Are you there?')
    await clew.idle()
    expect(clew.texts()).toEqual(['Hi', 'Here I am'])
    expect(await asideOf(clew)).toMatchObject([{ list: 'progress', id: 'r_gone' }])
    expect(await clew.redis.exists(keyOf(`conversation:${clew.conversationId}:progress`))).toBe(0)
  })
})

it('of a set-aside row nothing is kept longer than conversations are (P18)', async () => {
  const clew = await greeted()
  await put(clew, 'half a row {')
  await clew.say('Are you there?')
  await clew.idle()
  expect(await clew.store.retention.purge(clew.clock.now())).toBeGreaterThanOrEqual(0)
  expect(await asideOf(clew)).toHaveLength(1)
  await clew.store.retention.purge(clew.clock.now() + 1)
  expect(await asideOf(clew)).toEqual([])
})
