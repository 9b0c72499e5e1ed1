import { describe, expect, it } from 'vitest'
import { acts, asks, closes, decides, ends, plans } from '../../fakes/model.ts'
import { type TestClew, type TestOptions, useClew } from '../../support/agent.ts'
import { asideOf, keyOf } from './aside.ts'

const start = useClew()

/** A thread whose task waits for the city. */
async function asking(options?: TestOptions): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Book'))
  clew.model.on('thought', asks('Which city?'))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}
const gone =
  'I couldn’t go on with “Book the offsite”, so it has ended. Please ask for it again; an admin can see why.'

const lost =
  'I lost something here: work in progress, a schedule or a reminder. Check `/task list`, `/schedule list` and `/todo list`, and ask me again for what’s missing. An admin can see what it was.'

describe('a run', () => {
  it('that waits for what cannot be read hears what is behind it (P18)', async () => {
    const clew = await asking()
    clew.model.on('replan', { ...ends('Booked.') })
    const { id } = await clew.run()
    await clew.redis.rpush(keyOf(`run:${id}:inputs`), 'half a row {', Buffer.from([0xff, 0x80]))
    await clew.say('Lisbon')
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    expect((await clew.task()).clarifications).toMatchObject([{ text: 'Lisbon' }])
    expect(await asideOf(clew)).toMatchObject([
      { list: 'inputs', id, row: 'half a row {' },
      { list: 'inputs', id },
    ])
    expect((await clew.trace(id)).filter(({ kind }) => kind === 'set_aside')).toHaveLength(2)
  })

  it('whose task cannot be read ends, says so, and its thread goes on (P18, P11)', async () => {
    const clew = await asking()
    const { id } = await clew.run()
    await clew.redis.hset(keyOf(`run:${id}`), 'task.planItems', 'half a row {')
    await clew.say('Lisbon')
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'failed', error: gone })
    expect(clew.texts().at(-1)).toContain(gone)
    expect(await asideOf(clew)).toMatchObject([{ list: 'runs', id }])
    clew.model.on('decision', decides.reply('Here'))
    await clew.say('Are you there?')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('Here')
  })

  it('that cannot be read at all keeps nothing of its thread waiting (P18)', async () => {
    const clew = await asking()
    const { id } = await clew.run()
    await clew.redis.hset(keyOf(`run:${id}`), 'title', 'half a row {')
    clew.model.answer(() => decides.reply('Here'))
    await clew.say('Lisbon')
    await clew.advance(11_000)
    await clew.idle()
    expect(await clew.redis.hget(keyOf(`run:${id}`), 'status')).toBe('"failed"')
    await clew.say('And now?')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('Here')
    expect(await clew.redis.zscore(keyOf('due:run'), id)).toBeNull()
  })

  it('that cannot be read is told of in its thread where it still names one (P18)', async () => {
    const clew = await asking()
    const { id } = await clew.run()
    await clew.redis.hset(keyOf(`run:${id}`), 'title', 'half a row {', 'status', '"running"')
    await clew.redis.zadd(keyOf('due:run'), '1', id)
    await clew.advance(11_000)
    expect(clew.texts().at(-1)).toBe(lost)
    expect(await asideOf(clew)).toMatchObject([{ list: 'runs', id }])
  })

  it('that does not say where it belongs is told of in the log (P18)', async () => {
    const clew = await asking()
    const { id } = await clew.run()
    await clew.redis.hset(keyOf(`run:${id}`), 'conversationId', 'half a row {')
    await clew.redis.zadd(keyOf('due:run'), '1', id)
    const said = clew.texts()
    await clew.advance(11_000)
    expect(clew.texts()).toEqual(said)
    const fields = expect.objectContaining({ list: 'runs', row: id, isTold: false })
    expect(clew.logs).toContainEqual(expect.objectContaining({ level: 'error', fields }))
  })

  it('that fails every time ends after a few attempts and says so; another one goes on (P18, P14)', async () => {
    const broken = {
      name: 'broken',
      effect: 'none' as const,
      description: 'Breaks.',
      run: () => Promise.reject(new RangeError('deep')),
    }
    const clew = await start({ tools: [broken], runsAtOnce: 1 })
    clew.model.on('decision', decides.run('Book the offsite'), decides.reply('Here'))
    clew.model.answer(({ contract }) =>
      contract === 'plan'
        ? plans('Book')
        : contract === 'thought'
          ? acts('x', 'broken')
          : closes('x'),
    )
    await clew.say('Book the offsite')
    await clew.say('Are you there?', { thread: 'other' })
    await clew.idle()
    expect(clew.texts('other')).toEqual(['Here'])
    for (let waits = 0; waits < 6; waits += 1) await clew.advance(11_000)
    expect((await clew.run()).status).toBe('failed')
    const { messages } = await clew.state()
    expect(messages.filter(({ text }) => text.includes(': not done.'))).toHaveLength(1)
  })

  it.each([['agent_task'], ['sleep']])(
    'of type %s whose input nobody can read ends, and says so (P18)',
    async (type) => {
      const clew = await asking()
      const { id } = await clew.run()
      await clew.redis.hset(
        keyOf(`run:${id}`),
        'type',
        JSON.stringify(type),
        'input',
        '{}',
        'status',
        '"running"',
      )
      await clew.redis.hdel(keyOf(`run:${id}`), 'task.version')
      await clew.redis.zadd(keyOf('due:run'), '1', id)
      for (let waits = 0; waits < 6; waits += 1) await clew.advance(11_000)
      expect((await clew.run()).status).toBe('failed')
      expect(clew.texts().at(-1)).toContain(gone)
    },
  )
})
