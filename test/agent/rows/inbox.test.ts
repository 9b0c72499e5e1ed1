import { describe, expect, it } from 'vitest'
import { decides } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'
import { asideOf, keyOf } from './aside.ts'

const start = useClew()
const notHeard =
  'I couldn’t handle one of the last messages here. If you’re missing an answer, please send it again in other words; an admin can see why.'

/** A thread in which nobody works for now, so that rows can be put into its inbox. */
async function heard(): Promise<TestClew> {
  const clew = await start()
  clew.model.answer(({ input }) =>
    decides.reply(`You said ${'message' in input ? input.message : ''}`),
  )
  await clew.say('hello')
  await clew.idle()
  return clew
}
const inboxOf = (clew: TestClew) => keyOf(`conversation:${clew.conversationId}:inbox`)

describe('an inbox', () => {
  it.each(['half a row {', '{"version":1,"id":"e_9"}', '', '\ud800'])(
    'sets %j aside, says so, and hears what is behind it (P18)',
    async (row) => {
      const clew = await heard()
      await clew.redis.rpush(inboxOf(clew), row, row)
      await clew.say('are you there?')
      await clew.idle()
      expect(clew.texts()).toEqual(['You said hello', notHeard, 'You said are you there?'])
      const aside = await asideOf(clew)
      expect(aside).toMatchObject([{ list: 'inbox', row: row.toWellFormed() }])
      expect(await clew.trace(clew.conversationId)).toContainEqual(
        expect.objectContaining({
          kind: 'set_aside',
          list: 'inbox',
          problem: aside[0]?.problem.slice(0, 300),
        }),
      )
    },
  )

  it('is not stopped by bytes that are no text (P18)', async () => {
    const clew = await heard()
    await clew.redis.rpush(inboxOf(clew), Buffer.from([0xff, 0xfe, 0x80, 0x00]))
    await clew.say('are you there?')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('You said are you there?')
    expect(await clew.redis.exists(inboxOf(clew))).toBe(0)
  })

  it('hears one behind the other, with a damaged one between them (P18, R150)', async () => {
    const clew = await heard()
    const held = await clew.store.leases.claim(
      { kind: 'conversation', workspace: 'test:team', id: clew.conversationId },
      5_000,
    )
    await clew.say('one')
    await clew.redis.rpush(inboxOf(clew), 'half a row {')
    await clew.say('two')
    if (held !== null) await clew.store.leases.park(held, clew.clock.now())
    await clew.advance(6_000)
    await clew.idle()
    expect(clew.texts().filter((text) => text !== notHeard)).toEqual([
      'You said hello',
      'You said one',
      'You said two',
    ])
    expect(await asideOf(clew)).toHaveLength(1)
  })

  it('sets an input aside that fails every time, tells its author, and hears the next one (P18, P5)', async () => {
    const clew = await heard()
    let tries = 0
    clew.model.answer(({ input }) => {
      const said = 'message' in input ? input.message : ''
      if (said !== 'poison') return decides.reply(`You said ${said}`)
      tries += 1
      throw new RangeError('Maximum call stack size exceeded')
    })
    await clew.say('poison')
    await clew.say('after it')
    for (let waits = 0; waits < 3; waits += 1) await clew.advance(11_000)
    expect(tries).toBe(3)
    expect(clew.texts()).toEqual(['You said hello', notHeard, 'You said after it'])
    expect(await clew.outcomes()).toEqual(['answered', 'failed', 'answered'])
    const [aside] = await asideOf(clew)
    expect(JSON.parse(aside?.row ?? '')).toMatchObject({ event: { content: { text: 'poison' } } })
  })

  it('waits for as long as something is away, and loses nothing by it (P18, P5)', async () => {
    const clew = await heard()
    clew.model.answer(() => {
      throw Object.assign(new Error('the store is away'), { code: 'away' })
    })
    await clew.say('are you there?')
    for (let waits = 0; waits < 6; waits += 1) await clew.advance(11_000)
    expect(await asideOf(clew)).toEqual([])
    clew.model.answer(() => decides.reply('Here'))
    await clew.advance(11_000)
    expect(clew.texts()).toEqual(['You said hello', 'Here'])
  })
})
