import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { aboutAll, createReader, threads } from '../../fakes/threads.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const reader = createReader()
const { requests, recording, requestOf } = reader

describeWith('redis-server', 'called into a thread in Slack, Clew', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', { around: { model: recording } })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })
  beforeEach(() => requests.splice(0))
  const reported = (ts: string) => threadOf(whole.slack, 'C1', ts).saying(/Here is what was said/)

  it.each(threads)(
    'has read what was said in $count messages when it answers “$ask” (C69, C70)',
    async ({ count, line, ask }) => {
      const by = 'UBEN'
      const { people } = whole.slack
      const root = people.write('C1', by, line(0), {
        files: [{ name: 'plan.pdf', mimetype: 'application/pdf', content: Buffer.from('x') }],
      })
      for (let n = 1; n < count; n++) people.write('C1', by, line(n), { thread: root.ts })
      people.mention('C1', 'UANA', ask, { thread: root.ts })
      await reported(root.ts)
      for (const contract of ['decision', 'plan']) {
        const request = requestOf(contract)
        const read = Array.from({ length: count }, (_, n) => line(n)).filter((one) =>
          request.includes(`${one}\n`),
        )
        expect(read[0]).toBe(line(0))
        expect(read.at(-1)).toBe(line(count - 1))
        expect(read).toHaveLength(Math.min(count, 200))
        expect(request).toContain('plan.pdf')
        expect(request.includes('More was said')).toBe(count > 200)
      }
      const report = await reported(root.ts)
      expect(report.text).toContain(aboutAll(line, Math.min(count, 200), count - 1))
      const todos = await people.command('C1', 'UANA', '/todo', 'list')
      expect(JSON.stringify(todos.reply)).toContain(line(count - 1))
    },
  )

  it('knows the last lines of the channel when it is first named there, and none of its threads (C69)', async () => {
    const { people } = whole.slack
    const above = people.write('C2', 'UBEN', 'The printer on floor 2 is broken')
    people.write('C2', 'UBEN', 'hidden in its thread', { thread: above.ts })
    people.write('C2', 'UBEN', 'alert: disk full', { bot: true })
    const said = people.mention('C2', 'UANA', 'who can mend it?')
    await threadOf(whole.slack, 'C2', said.ts).saying(/Here is what was said/)
    expect(requestOf('decision')).toMatch(
      /Ben, in the channel above: The printer on floor 2 is broken\n.*alert: disk full/,
    )
    expect(requestOf('decision')).not.toContain('hidden')
  })

  const file = (name: string, text: string) => ({
    files: [{ name, mimetype: 'text/plain', content: Buffer.from(text) }],
  })

  it('reads the files of the message that the thread grew from, and of the newest with any (C976)', async () => {
    const { people } = whole.slack
    const root = people.write('C1', 'UBEN', 'the offer', file('offer.txt', 'It is 950'))
    people.write('C1', 'UBEN', 'old', { thread: root.ts, ...file('old.txt', 'It was 800') })
    people.write('C1', 'UBEN', 'new', { thread: root.ts, ...file('new.txt', 'Now 990') })
    people.write('C1', 'UBEN', 'what do you think?', { thread: root.ts })
    const first = people.mention('C1', 'UANA', 'what is the price?', { thread: root.ts })
    await first.delivered
    await reported(root.ts)
    expect(requestOf('decision')).toContain('It is 950')
    expect(requestOf('decision')).toContain('Now 990')
    expect(requestOf('decision')).not.toContain('It was 800')
    expect(requestOf('decision')).toContain('old.txt')
  })

  it('reads the file right above a first mention in a channel, and no other there (C976)', async () => {
    const { people, state } = whole.slack
    const members = new Set([...(state.channels.get('C1')?.members ?? [])])
    state.channels.set('C4', { id: 'C4', kind: 'channel', members, archived: false, messages: [] })
    people.write('C4', 'UBEN', '', file('menu.txt', 'Soup of the day'))
    const said = people.mention('C4', 'UANA', 'what is there to eat?')
    await threadOf(whole.slack, 'C4', said.ts).saying(/Here is what was said/)
    const read = /Ben, in the channel above: [^(]*menu\.txt[^(]*Soup of the day/
    expect(requestOf('decision')).toMatch(read)
    expect(requestOf('decision')).not.toContain('not read')
    people.write('C4', 'UBEN', 'never mind')
    people.mention('C4', 'UANA', 'and now?')
    await until(() => requestOf('decision').includes('and now?'))
    expect(requestOf('decision')).not.toContain('Soup of the day')
    expect(requestOf('decision')).toContain('(files, not read: menu.txt)')
  })

  it('knows by their names the channels that are mentioned, unless they are private (C978)', async () => {
    const { people, state } = whole.slack
    const members = new Set([...(state.channels.get('C1')?.members ?? [])])
    state.channels.set('C77', { id: 'C77', kind: 'group', members, archived: false, messages: [] })
    const said = people.mention('C1', 'UANA', 'sum up <#C2|>, <#C77|> and <#C3|the-third>')
    await reported(said.ts)
    expect(requestOf('decision')).toContain('sum up #c2, #C77 and #the-third')
  })

  it('answers all the same, and says to the model that it could not read, without the scope of that kind of channel (C70)', async () => {
    const { people, state } = whole.slack
    const members = new Set([...(state.channels.get('C1')?.members ?? [])])
    state.channels.set('G1', { id: 'G1', kind: 'group', members, archived: false, messages: [] })
    state.bot.scopes.delete('groups:history')
    const root = people.write('G1', 'UBEN', 'a secret plan')
    const said = people.mention('G1', 'UANA', 'sum this up', { thread: root.ts })
    await said.delivered
    await threadOf(whole.slack, 'G1', root.ts).saying(/Here is what was said/)
    expect(requestOf('decision')).toContain('you are not allowed to read it')
    state.bot.scopes.add('groups:history')
    await until(() => whole.slack.calls.some(({ outcome }) => outcome === 'missing_scope'))
  })

  it('waits for a rate limit that ends soon, and knows what the mention itself shares (C158)', async () => {
    const { people } = whole.slack
    whole.slack.fail('conversations.replies', '429', '429')
    const root = people.write('C1', 'UBEN', 'a plan behind a limit')
    people.mention('C1', 'UANA', 'sum this up', {
      thread: root.ts,
      shared: { author: 'Ben', text: 'the venue is *booked*' },
    })
    await reported(root.ts)
    expect(requestOf('decision')).toContain('Ben: a plan behind a limit')
    expect(requestOf('decision')).toContain(
      'Ben, in what is linked or shared: the venue is *booked*',
    )
  })

  it('reads first also when the mention joins a task that works (C158)', async () => {
    const { people } = whole.slack
    const { promise, resolve } = Promise.withResolvers<void>()
    reader.hold = promise
    const said = people.mention('C1', 'UANA', 'sum this up')
    await until(() => requests.some((one) => one.startsWith('plan')))
    // Nobody told Clew of it.
    people.write('C1', 'UBEN', 'the room is taken', { thread: said.ts })
    await Promise.all(
      (await people.mention('C1', 'UANA', 'keep that in mind', { thread: said.ts }).delivered).map(
        ({ acked }) => expect(acked).toBe(true),
      ),
    )
    await until(() =>
      whole.slack.calls.some(
        ({ method, args }) => method === 'conversations.replies' && args.ts === said.ts,
      ),
    )
    resolve()
    await reported(said.ts)
    await until(() =>
      requests.some((one) => /^(thought|replan)/.test(one) && one.includes('the room is taken')),
    )
  })

  it('keeps what people say to each other in its thread, as they leave it, without a mark (C71, C73)', async () => {
    const { people, state } = whole.slack
    const said = people.mention('C1', 'UANA', 'sum this up')
    await reported(said.ts)
    const kept = people.say('C1', 'UBEN', '<@UANA> the venue is boked', { thread: said.ts })
    const regretted = people.say('C1', 'UBEN', '<@UANA> my password is 1234', { thread: said.ts })
    await Promise.all([kept.delivered, regretted.delivered])
    await people.edit('C1', kept.ts, '<@UANA> the venue is booked')
    await people.remove('C1', regretted.ts)
    // Nothing of it can be read again: what is known was heard.
    whole.slack.fail('conversations.replies', 'refused')
    people.mention('C1', 'UANA', 'and now?', { thread: said.ts })
    await until(() => requests.filter((one) => one.startsWith('decision')).length === 2)
    expect(requestOf('decision')).toContain('Ben: @Ana the venue is booked')
    expect(requestOf('decision')).not.toMatch(/boked|1234/)
    const message = state.channels.get('C1')?.messages.find(({ ts }) => ts === kept.ts)
    expect([...(message?.reactions.keys() ?? [])]).toEqual([])
  })
  it('keeps nobody waiting for a rate limit that lasts (C70, C158)', async () => {
    const { people } = whole.slack
    whole.slack.fail('conversations.replies', '429_long')
    const other = people.write('C1', 'UBEN', 'another plan')
    people.mention('C1', 'UANA', 'sum this up', { thread: other.ts })
    await reported(other.ts)
    expect(requestOf('decision')).toContain('the platform did not let you read it just now')
  })
})
