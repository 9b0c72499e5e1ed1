import type { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Model } from '../../../src/agent/ports/model.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import type { Fault } from '../../fakes/slack/server.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createLeapingClock, until } from './support.ts'
import { joinWhole, startWhole, threadOf, type Whole } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'

describeWith('redis-server', 'trouble in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole | null = null
  beforeEach(async () => {
    server = await startRedis(program)
  })
  afterEach(async () => {
    await whole?.stop()
    whole = null
    await server.stop()
  })
  async function start(settings: Record<string, string> = {}) {
    whole = await startWhole(server.url, 'socket', { settings })
    return whole.slack
  }

  it('tells somebody who is not allowed so, privately and once, and starts nothing', async () => {
    const slack = await start({ ALLOWED_USERS: 'UBEN' })
    const said = slack.people.mention('C1', 'UANA', offsite)
    await said.delivered
    const line = await until(() => slack.state.ephemerals[0])
    expect(line).toMatchObject({ user: 'UANA', text: expect.stringContaining('not on the list') })
    const command = await slack.people.command('C1', 'UANA', '/todo', 'list')
    expect(JSON.stringify(command.reply)).toContain('not on the list')
    expect(slack.state.ephemerals).toHaveLength(1)
    expect(threadOf(slack, 'C1', said.ts).own()).toEqual([])
  })

  it('brings the question to the requester directly when Clew is removed from the channel, and goes on there', async () => {
    const slack = await start()
    const said = slack.people.mention('C1', 'UANA', offsite)
    const thread = threadOf(slack, 'C1', said.ts)
    const asked = await thread.question()
    slack.state.channels.get('C1')?.members.delete('U0CLEW')
    await slack.people.click('C1', 'UANA', asked.ts, 'Lisbon')
    const report = await until(() =>
      directChannel(slack.state, 'UANA').messages.find(({ text }) => text.includes(': done.')),
    )
    expect(JSON.stringify(report.blocks)).toContain('I can’t post in <#C1>')
    expect(
      directChannel(slack.state, 'UANA').messages.filter(({ text }) => text.includes(': done.')),
    ).toHaveLength(1)
  })

  it('loses nothing while the sockets are cut and Slack answers with a 429 storm (P2, R111)', async () => {
    const slack = await start()
    const said = slack.people.mention('C1', 'UANA', offsite)
    const thread = threadOf(slack, 'C1', said.ts)
    const asked = await thread.question()
    for (const socket of slack.events.sockets) socket.cut()
    await until(() => slack.events.sockets.size > 0)
    slack.fail('chat.postMessage', '429', '429', '500_after', '429', 'lost_after')
    slack.fail('chat.update', '429', 'lost_after')
    await until(async () => (await slack.people.click('C1', 'UANA', asked.ts, 'Lisbon')).acked)
    await thread.saying(/: done\./)
    expect(thread.own().filter(({ text }) => text.includes(': done.'))).toHaveLength(1)
    expect(asked.text).toMatch(/^✅/)
  })

  it('sends at most once where that is wanted: what Slack takes late is there once, what it sends away is sent again (P2)', async () => {
    const slack = await start({ DELIVER_AT_MOST_ONCE: '1' })
    slack.fail('chat.postMessage', 'late')
    const late = slack.people.mention('C1', 'UANA', 'todo list')
    await until(() => slack.calls.some(({ outcome }) => outcome === 'late'))
    slack.fail('chat.postMessage', '429', '429')
    const other = slack.people.mention('C2', 'UANA', 'todo list')
    await until(() => threadOf(slack, 'C2', other.ts).own().length === 1)
    // It was looked for and given up: what is said next in its thread has its turn.
    slack.people.say('C1', 'UANA', '!todo add one more', { thread: late.ts })
    await threadOf(slack, 'C1', late.ts).saying(/one more/)
    slack.releaseLate()
    expect(threadOf(slack, 'C1', late.ts).said()).toHaveLength(2)
  })

  it('is not troubled by frames that it does not know, and opens its sockets again when Slack asks for it', async () => {
    const slack = await start()
    const { sockets } = slack.events
    await until(() => sockets.size === 2)
    const first = [...sockets]
    for (const socket of first) {
      for (const frame of [
        'not json',
        '{}',
        '{"type":"app_rate_limited","minute_rate_limited":1}',
        '{"type":"news"}',
      ])
        socket.send(frame)
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'warning', debug_info: {} }))
      socket.send(
        JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: {} }),
      )
    }
    await until(() => sockets.size === 2 && first.every((socket) => !sockets.has(socket)))
    const said = slack.people.mention('C1', 'UANA', 'todo list')
    expect((await said.delivered).every(({ acked }) => acked)).toBe(true)
    await until(() => threadOf(slack, 'C1', said.ts).own().length === 1)
  })

  it('names the scope that is missing and the token that was revoked mid-run, loses nothing, and logs no secret (P2, S7)', async () => {
    const clock = createLeapingClock()
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
    whole = await startWhole(server.url, 'socket', { around: { clock, log } })
    const { slack } = whole
    const { bot, appToken } = slack.state
    const said = slack.people.mention('C1', 'UANA', offsite)
    const thread = threadOf(slack, 'C1', said.ts)
    const asked = await thread.question()
    const errors = () => lines.filter((line) => JSON.parse(line).level >= 50).join('')

    bot.scopes.delete('chat:write')
    expect(await slack.people.click('C1', 'UANA', asked.ts, 'Lisbon')).toMatchObject({
      acked: true,
    })
    await until(() => errors().includes('chat:write'))
    bot.scopes.add('chat:write')
    bot.revoked = true
    // Once more where the outbox was given up after the first leap.
    const leaping = setInterval(() => clock.leap(31_000), 1_000)
    onTestFinished(() => clearInterval(leaping))
    await until(() => errors().includes('token_revoked'))
    expect(thread.own().some(({ text }) => text.includes(': done.'))).toBe(false)
    bot.revoked = false
    await thread.saying(/: done\./)
    await until(() => asked.text.startsWith('✅'))
    expect(thread.own().filter(({ text }) => text.includes(': done.'))).toHaveLength(1)

    const stored = await everythingIn(server.connect())
    const shown = JSON.stringify([
      slack.calls,
      slack.urls,
      [...slack.state.channels.values()],
      slack.state.ephemerals,
    ])
    for (const secret of [bot.token, appToken]) {
      expect(lines.join('')).not.toContain(secret)
      expect(shown).not.toContain(secret)
      expect(stored).not.toContain(secret)
    }
  })

  it('lets only the person who asked, or an admin, approve what a tool would do, and tells others privately', async () => {
    const slack = await start({ AGENT_TOOL_APPROVAL: 'todo=first', ADMIN_USERS: 'ULI' })
    for (const approver of ['UANA', 'ULI']) {
      const said = slack.people.mention('C1', 'UANA', offsite)
      const thread = threadOf(slack, 'C1', said.ts)
      const asked = await thread.question()
      // An ordinary question is anybody's.
      await slack.people.click('C1', 'UBEN', asked.ts, 'Lisbon')
      const approval = await until(() =>
        thread.own().find(({ blocks }) => JSON.stringify(blocks).includes('Only Ana or an admin')),
      )
      const [approve] = buttonsOf(approval.blocks)
      await slack.people.click('C1', 'UBEN', approval.ts, approve?.text ?? '')
      await until(() =>
        slack.state.ephemerals.find(
          (one) => one.user === 'UBEN' && one.thread_ts === said.ts && /Ana/.test(one.text),
        ),
      )
      expect(buttonsOf(approval.blocks)).not.toEqual([])
      await slack.people.click('C1', approver, approval.ts, approve?.text ?? '')
      await thread.saying(/: done\./)
    }
    // C117: by the native command and in a thread, the file goes to the admin directly, and nobody else sees a word.
    await slack.people.command('C1', 'ULI', '/privacy', 'export Ana')
    const typed = slack.people.mention('C1', 'ULI', '/privacy export Ana')
    const got = await until(() => {
      const names = [...slack.state.uploads.values()].flatMap(({ name, content }) =>
        content === null || !/^privacy-/.test(name) ? [] : [JSON.parse(content.toString())],
      )
      return names.length === 2 ? names : null
    })
    for (const one of got) expect(one).toMatchObject({ workspace: 'slack:T1', person: 'UANA' })
    const shared = () =>
      [...slack.state.channels.values()].flatMap(({ id, messages }) =>
        messages
          .filter(({ files = [] }) => files.some(({ name }) => /^privacy-/.test(name)))
          .map(() => id[0]),
      )
    await until(() => shared().length === 2)
    expect(shared()).toEqual(['D', 'D'])
    expect(threadOf(slack, 'C1', typed.ts).own()).toEqual([])
  })

  it('takes a typed choice, consent and an order to stop in the words that people use (C330, C331, C332)', async () => {
    const slack = await start({ AGENT_TOOL_APPROVAL: 'todo=first' })
    const { people } = slack
    const first = people.mention('C1', 'UANA', offsite)
    const thread = threadOf(slack, 'C1', first.ts)
    const asked = await thread.question()
    people.say('C1', 'UANA', 'Lisbon, please', { thread: first.ts })
    const approval = await until(() =>
      thread.own().find(({ blocks }) => JSON.stringify(blocks).includes('Only Ana or an admin')),
    )
    expect(asked.text).toContain(': Lisbon')
    people.say('C1', 'UANA', 'Yes, go ahead', { thread: first.ts })
    await thread.saying(/: done\./)
    expect(approval.text).toContain(': Approve')

    const second = people.mention('C1', 'UANA', offsite)
    await threadOf(slack, 'C1', second.ts).question()
    people.say('C1', 'UANA', 'please stop now, wrong city', { thread: second.ts })
    await threadOf(slack, 'C1', second.ts).saying(/Stopped by/)
  })

  it('does not acknowledge what it could not store, and takes it once when Slack sends it again (P4)', async () => {
    let broken = true
    const wrap = <P extends object>(name: string, port: P): P => {
      if (name !== 'store' || !('accept' in port)) return port
      const accept = port.accept as (...args: unknown[]) => Promise<unknown>
      const guarded = (...args: unknown[]) =>
        broken ? Promise.reject(new Error('away')) : accept(...args)
      return { ...port, accept: guarded }
    }
    whole = await startWhole(server.url, 'socket', {
      around: { wrap },
      slack: { ackMs: 300, retryMs: [10, 100, 500] },
    })
    const { slack } = whole
    const said = slack.people.mention('C1', 'UANA', 'todo list')
    await until(() => slack.events.delivered.some(({ acked }) => !acked))
    broken = false
    expect((await said.delivered).every(({ acked }) => acked)).toBe(true)
    await until(() => threadOf(slack, 'C1', said.ts).own().length === 1)
  })

  it('takes a reply in a thread that it has only just opened, before that is stored and Slack tells of it (R148, C997)', async () => {
    let hold = true
    const wrap = <P extends object>(name: string, port: P): P => {
      if (name !== 'store' || !('trying' in port) || !('sent' in port)) return port
      const sent = port.sent as (...args: unknown[]) => Promise<unknown>
      const late = async (...args: unknown[]) => {
        await until(() => !hold)
        return await sent(...args)
      }
      return { ...port, sent: late }
    }
    whole = await startWhole(server.url, 'socket', { around: { wrap } })
    const { slack } = whole
    await slack.people.command('C2', 'UANA', '/task', offsite)
    const root = await until(() =>
      slack.state.channels.get('C2')?.messages.find(({ user }) => user === 'U0CLEW'),
    )
    // Nothing is bound yet; the reply names nobody.
    slack.fail('conversations.replies', { status: 429, headers: { 'retry-after': '0' } })
    const reply = slack.people.say('C2', 'UANA', 'It must be in Lisbon', { thread: root.ts })
    expect((await reply.delivered).every(({ acked }) => acked)).toBe(true)
    hold = false
    await threadOf(slack, 'C2', root.ts).saying(/: done\./)
    const report = threadOf(slack, 'C2', root.ts)
      .own()
      .find(({ text }) => text.includes(': done.'))
    expect(report?.text).toContain('Lisbon')
  })

  it('takes a reply after the mention that it is below, which Slack sends later (C997)', async () => {
    const slack = await start()
    const first = slack.people.write('C1', 'UANA', '<@U0CLEW> todo add one')
    const reply = slack.people.write('C1', 'UANA', '!todo add two', { thread: first.ts })
    const place = slack.state.channels.get('C1')
    if (place === undefined) throw new Error('there is no C1')
    for (const message of [reply, first])
      await slack.people.send(slack.people.eventsOf(place, message))
    const thread = threadOf(slack, 'C1', first.ts)
    await thread.saying(/two/)
    expect(thread.own().map(({ text }) => /one|two/.exec(text)?.[0])).toEqual(['one', 'two'])
  })

  it('answers a button that one person sees in the thread where it stands (C997)', async () => {
    const slack = await start()
    const asked = slack.people.mention('C1', 'UANA', 'todo add one')
    await threadOf(slack, 'C1', asked.ts).saying(/one/)
    await slack.people.pressHidden('C1', 'UANA', asked.ts, '/todo list')
    const line = await until(() => slack.state.ephemerals[0])
    expect(line).toMatchObject({ user: 'UANA', thread_ts: asked.ts })
  })

  it('tells one person in plain text what Slack does not take as blocks (C995)', async () => {
    const slack = await start({ ALLOWED_USERS: 'UBEN' })
    slack.fail('chat.postEphemeral', 'bad_blocks')
    slack.fail('chat.postMessage', 'bad_blocks')
    slack.people.mention('C1', 'UANA', offsite)
    const line = await until(() => slack.state.ephemerals[0])
    expect(line).toMatchObject({ user: 'UANA', text: expect.stringContaining('not on the list') })
  })

  it('works each mention once when two processes serve one workspace', async () => {
    const slack = await start()
    const second = await joinWhole(server.url, 'socket', slack, 0)
    const all = Array.from({ length: 8 }, (_, index) =>
      slack.people.mention(index % 2 === 0 ? 'C1' : 'C2', 'UANA', `todo add number ${index}`),
    )
    const threads = all.map(({ ts }, index) => threadOf(slack, index % 2 === 0 ? 'C1' : 'C2', ts))
    await until(() => threads.every(({ own }) => own().length > 0), 40_000)
    const third = slack.people.mention('C1', 'UBEN', 'todo list')
    const list = await threadOf(slack, 'C1', third.ts).saying(/number/)
    expect(list.text.match(/number \d/g)).toHaveLength(4)
    expect(threads.map(({ own }) => own().length)).toEqual(all.map(() => 1))
    await second.stop()
  })

  describe('changes of what was said', () => {
    it('tells the task of an edit, stops on a deletion, and takes no notice of a preview (R149, C336)', async () => {
      const slack = await start()
      const said = slack.people.mention('C1', 'UANA', offsite)
      const thread = threadOf(slack, 'C1', said.ts)
      await thread.question()
      await slack.people.edit('C1', said.ts, `<@U0CLEW> ${offsite} in Porto`)
      await thread.saying(/saw your edit/)
      const other = slack.people.mention('C2', 'UANA', offsite)
      const otherThread = threadOf(slack, 'C2', other.ts)
      await otherThread.question()
      await until(() => otherThread.plan())
      await slack.people.remove('C2', other.ts)
      await otherThread.saying(/was deleted/)
      await until(() => otherThread.plan()?.text.endsWith(': Stopped'))
    })

    it('begins nothing of a mention that arrives after its deletion (C336)', async () => {
      const slack = await start()
      const regretted = slack.people.write('C1', 'UANA', `<@U0CLEW> ${offsite}`)
      const place = slack.state.channels.get('C1')
      if (place === undefined) throw new Error('there is no C1')
      const told = slack.people.eventsOf(place, regretted)
      await slack.people.remove('C1', regretted.ts)
      await slack.people.send(told)
      const next = slack.people.mention('C1', 'UANA', 'todo list')
      await threadOf(slack, 'C1', next.ts).saying(/./)
      const redis = server.connect()
      const rows = createRedisStore({ redis, clock: createSystemClock(), worker: 'judge' })
      const all = await rows.conversations.list('slack:T1', 10)
      redis.disconnect()
      expect(all.map(({ conversation }) => conversation.address.thread)).toEqual([next.ts])
    })

    it('stops what a mention began whose process ended while its deletion came (C336)', async () => {
      const slack = await start()
      const said = slack.people.mention('C1', 'UANA', offsite)
      const thread = threadOf(slack, 'C1', said.ts)
      await thread.question()
      const place = slack.state.channels.get('C1')
      const regretted = place?.messages.find(({ ts }) => ts === said.ts)
      if (place === undefined || regretted === undefined) throw new Error('it is not in C1')
      // As its deletion leaves it behind when the message is not stored yet.
      const redis = server.connect()
      const rows = createRedisStore({ redis, clock: createSystemClock(), worker: 'judge' })
      await rows.notes.put('slack:T1', `gone:C1:${said.ts}`, '', 60_000)
      redis.disconnect()
      // Slack sends again what was not acknowledged.
      await slack.people.send(slack.people.eventsOf(place, regretted))
      await thread.saying(/was deleted/)
      await until(() => thread.plan()?.text.endsWith(': Stopped'))
    })

    it('answers who wrote a message that is gone before its answer, and not at the top of the channel (C343)', async () => {
      const slack = await start()
      const regretted = slack.people.mention('C1', 'UANA', 'todo list')
      const place = slack.state.channels.get('C1')
      if (place === undefined) throw new Error('there is no C1')
      place.messages = place.messages.filter(({ ts }) => ts !== regretted.ts)
      const direct = directChannel(slack.state, 'UANA')
      const told = await until(() => direct.messages.find(({ user }) => user === 'U0CLEW'))
      expect(JSON.stringify(told.blocks)).toContain('The original message in <#C1> was deleted')
      expect(place.messages.filter(({ user }) => user === 'U0CLEW')).toEqual([])
    })

    it('leaves a post in its thread though Slack’s answer names none (C343)', async () => {
      const slack = await start()
      slack.fail('chat.postMessage', 'threadless')
      const asked = slack.people.mention('C1', 'UANA', 'todo list')
      const next = slack.people.mention('C1', 'UANA', 'todo add one')
      await threadOf(slack, 'C1', next.ts).saying(/one/)
      await until(() => threadOf(slack, 'C1', asked.ts).own().length === 1)
      expect(slack.calls.map(({ method }) => method)).not.toContain('chat.delete')
    })

    it.each<[string, Fault[]]>([
      ['tries again to take such a post back', ['500_before']],
      ['tells an operator which post it could not take back', [{ error: 'cant_delete_message' }]],
    ])('%s (C343)', async (_, faults) => {
      const lines: string[] = []
      const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
      whole = await startWhole(server.url, 'socket', { around: { log } })
      const { slack } = whole
      slack.fail('chat.delete', ...faults)
      const regretted = slack.people.mention('C1', 'UANA', 'todo list')
      const place = slack.state.channels.get('C1')
      if (place === undefined) throw new Error('there is no C1')
      place.messages = place.messages.filter(({ ts }) => ts !== regretted.ts)
      const direct = directChannel(slack.state, 'UANA')
      await until(() => direct.messages.some(({ user }) => user === 'U0CLEW'))
      const left = place.messages.filter(({ user }) => user === 'U0CLEW')
      const told = left.filter(({ ts }) => lines.some((line) => line.includes(ts)))
      expect(told).toEqual(left)
      expect(left).toHaveLength(faults.includes('500_before') ? 0 : 1)
    })

    it('takes a message as it stands when its turn comes, and not at all when it was taken back (R149)', async () => {
      const asked: string[] = []
      let busy = true
      const model: Model = {
        name: 'scripted',
        async call(contract, input) {
          if (contract === 'decision') asked.push((input as { message: string }).message)
          await until(() => !busy)
          const value = {
            decision: 'reply',
            confidence: 1,
            reason: '',
            reply: { content: `heard ${asked.length}` },
            run: null,
          }
          return { ok: true, value, usage: { promptTokens: 0, completionTokens: 0 } }
        },
      }
      whole = await startWhole(server.url, 'socket', { around: { model } })
      const { slack } = whole
      const said = slack.people.mention('C1', 'UANA', 'first')
      await until(() => asked.length === 1)
      const second = slack.people.say('C1', 'UANA', 'secnod', { thread: said.ts })
      const third = slack.people.say('C1', 'UANA', 'never mind this', { thread: said.ts })
      await Promise.all([second.delivered, third.delivered])
      await slack.people.edit('C1', second.ts, 'second')
      await slack.people.remove('C1', third.ts)
      busy = false
      await threadOf(slack, 'C1', said.ts).saying(/^heard 2/)
      const fourth = slack.people.say('C1', 'UANA', 'fourth', { thread: said.ts })
      await fourth.delivered
      await threadOf(slack, 'C1', said.ts).saying(/^heard 3/)
      expect(asked).toEqual(['first', 'second', 'fourth'])
    })
  })
})

/** All keys and values of a database, as one text. */
async function everythingIn(redis: Redis): Promise<string> {
  const readers: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
  }
  const keys = await redis.keys('*')
  const values = await Promise.all(keys.map(async (key) => readers[await redis.type(key)]?.(key)))
  return JSON.stringify([keys, values])
}
