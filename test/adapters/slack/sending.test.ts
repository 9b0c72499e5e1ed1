import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Delivery, DeliveryBody } from '../../../src/agent/domain/delivery.ts'
import type { Channel, Sent } from '../../../src/agent/ports/channel.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { calledOut } from '../../fakes/slack/methods.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { type FakeSlack, type Fault, startFakeSlack } from '../../fakes/slack/server.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { conversationIn, createChannel, until } from './support.ts'

const says = (text: string): DeliveryBody => ({ kind: 'message', messageId: 'm', text, runId: 'r' })
const deliveryOf = (id: string, body: DeliveryBody, conversationId = 'c_test'): Delivery => ({
  ...{ version: 1, id: `d_${id}`, conversationId, at: Date.now(), body },
})
const question = {
  version: 1 as const,
  id: 'q_1',
  runId: 'r',
  text: 'Which city?',
  choices: ['Lisbon', 'Porto'],
  askedAt: Date.now(),
  askedOf: 'Ana',
}

describeWith('redis-server', 'sending to Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let slack: FakeSlack
  let channel: Channel
  let store: Store
  let root: string
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    await redis.flushall()
    slack = await startFakeSlack({ retryMs: [], minuteMs: null })
    root = slack.people.write('C1', 'UANA', 'hello').ts
    ;({ channel, store } = createChannel(slack, redis))
    await channel.start(async () => ({ kind: 'ignored', reason: 'not_addressed' }))
  })
  afterEach(async () => {
    await channel.stop()
    await slack.stop()
  })

  const own = (id = 'C1') =>
    slack.state.channels.get(id)?.messages.filter(({ user }) => user === 'U0CLEW') ?? []
  const conversation = () => conversationIn('C1', root)

  /** As the core does it: after the first try every other one looks first, possibly in another process. */
  async function insist(delivery: Delivery, place = conversation(), tries = 6): Promise<Sent> {
    let sent = await channel.send(delivery, place)
    for (let again = 1; again < tries && sent.kind !== 'sent' && sent.kind !== 'refused'; again++) {
      const other = createChannel(slack, redis)
      await other.channel.start(async () => ({ kind: 'ignored', reason: 'not_addressed' }))
      const found = await other.channel.find(delivery, place)
      if (found === null) sent = await other.channel.send(delivery, place)
      else sent = found === 'unknown' ? { kind: 'unknown' } : { kind: 'sent', ...found }
      await other.channel.stop()
    }
    return sent
  }

  const faults: Fault[] = [
    '429',
    '500_before',
    '500_after',
    'lost_before',
    'lost_after',
    'not_json',
  ]
  it.each(faults)('posts once whatever happens to the call: %s (P2, I6)', async (fault) => {
    slack.fail('chat.postMessage', fault)
    expect(await insist(deliveryOf('one', says('hello')))).toMatchObject({ kind: 'sent' })
    expect(own().map(({ text }) => text)).toEqual(['hello'])
  })

  it.each<[string, Fault]>([
    ['a rate limit without a time', { status: 429 }],
    ['a rate limit of some time', { status: 429, headers: { 'retry-after': 'soon' } }],
    ['a channel that moves', { error: 'external_channel_migrating' }],
    ['a workspace that the token is not granted', { error: 'team_access_not_granted' }],
  ])(
    'sends later what Slack does not take now, and looks for nothing: %s (C995)',
    async (_, fault) => {
      slack.fail('chat.postMessage', fault)
      const delivery = deliveryOf('one', says('hello'))
      expect(await channel.send(delivery, conversation())).toMatchObject({
        kind: 'later',
        afterMs: expect.any(Number),
      })
      expect(slack.calls.map(({ method }) => method)).not.toContain('conversations.replies')
    },
  )

  it.each(faults)(
    'posts the parts of a long report once and in order through %s, and the whole as a file (P2, R152)',
    async (fault) => {
      const line = 'The quick brown fox jumps over the lazy dog. '
      const text = Array.from(
        { length: 40 },
        (_, index) => `## Part ${index}\n\n${line.repeat(20)}`,
      ).join('\n\n')
      const calls = slack.calls
      const body: DeliveryBody = {
        kind: 'final',
        messageId: 'm',
        text,
        runId: 'r',
        status: 'succeeded',
      }
      const posting = insist(deliveryOf('long', body))
      await until(() => calls.some(({ method }) => method === 'chat.postMessage'))
      slack.fail('chat.postMessage', fault)
      expect(await posting).toMatchObject({ kind: 'sent' })
      const parts = own().filter(({ blocks }) => blocks.length > 0)
      const written = parts.map(({ blocks }) => (blocks[0] as { text: string }).text)
      expect(written.length).toBeGreaterThan(2)
      expect(written.join('\n\n')).toBe(text)
      const files = own().flatMap((message) => message.files ?? [])
      expect(files.map(({ content }) => content.toString())).toEqual([text])
    },
  )

  it('looks for what an earlier release only noted that it tries (P2)', async () => {
    slack.fail('chat.postMessage', 'lost_after')
    const delivery = deliveryOf('one', says('hello'))
    expect(await channel.send(delivery, conversation())).toEqual({ kind: 'unknown' })
    await store.notes.put('slack:T1', 'sending:d_one:C1', '1', null)
    expect(await channel.send(delivery, conversation())).toMatchObject({
      kind: 'sent',
      ref: own()[0]?.ts,
    })
    expect(own()).toHaveLength(1)
  })

  it('shows the one window that cannot be closed: a post that is accepted late appears twice (P2)', async () => {
    slack.fail('chat.postMessage', 'late')
    expect(await insist(deliveryOf('one', says('hello')))).toMatchObject({ kind: 'sent' })
    slack.releaseLate()
    expect(own()).toHaveLength(2)
    const ids = own().map(({ metadata }) => metadata?.event_payload.id)
    expect(new Set(ids).size).toBe(1)
  })

  it('asks for nothing while it was told to wait, in this channel only', async () => {
    slack.fail('chat.postMessage', '429')
    const sent = await channel.send(deliveryOf('one', says('one')), conversation())
    expect(sent).toMatchObject({ kind: 'later' })
    const other = slack.people.write('C2', 'UANA', 'hello').ts
    expect(
      await channel.send(deliveryOf('two', says('two')), conversationIn('C2', other)),
    ).toMatchObject({
      kind: 'sent',
    })
  })

  it('opens one thread, whatever happens to the call that opens it (P2, R106, R147)', async () => {
    slack.fail('chat.postMessage', 'lost_after')
    const sent = await insist(deliveryOf('opening', says('a report')), conversationIn('C2', null))
    expect(own('C2')).toHaveLength(1)
    expect(sent).toMatchObject({ kind: 'sent', thread: own('C2')[0]?.ts })
  })

  it('asks with opaque one-shot buttons and closes the question by the person who answered, after a crash too (P13)', async () => {
    await channel.send(deliveryOf('q', { kind: 'question', question, runId: 'r' }), conversation())
    const [asked] = own()
    expect(buttonsOf(asked?.blocks ?? [])).toEqual([
      { text: 'Lisbon', actionId: 'clew:answer:0', value: 'q_1' },
      { text: 'Porto', actionId: 'clew:answer:1', value: 'q_1' },
      // C183: an answer in one's own words.
      { text: 'In my own words', actionId: 'clew:words', value: 'q_1' },
    ])
    const answered = {
      question,
      answer: 'Lisbon',
      author: { id: 'UANA', name: 'Ana *the* <!channel>' },
      at: Date.now(),
    }
    slack.fail('chat.update', 'lost_after')
    await insist(deliveryOf('a', { kind: 'answered', answered, runId: 'r' }))
    expect(own()).toHaveLength(1)
    expect(asked?.text).toMatch(/^✅ Ana/)
    expect(calledOut(slack.state)).toEqual([])
  })

  it('attaches the whole of a call that is to be approved where its question shows the beginning (C87)', async () => {
    const approval = {
      ...question,
      text: 'Shall I?',
      approval: true,
      whole: `to: all\n${'x'.repeat(9_000)}`,
    }
    await insist(deliveryOf('whole', { kind: 'question', question: approval, runId: 'r' }))
    const files = own().flatMap((message) => message.files ?? [])
    expect(files.map(({ content }) => content.toString())).toEqual([approval.whole])
  })

  it('sends what a channel refuses to the person directly, with a note, once (P2)', async () => {
    slack.state.channels.get('C1')?.members.delete('U0CLEW')
    const delivery = deliveryOf('report', {
      kind: 'final',
      messageId: 'm',
      text: 'the report',
      runId: 'r',
    })
    expect(await channel.send(delivery, conversation())).toEqual({
      kind: 'refused',
      reason: 'not_in_channel',
    })
    slack.fail('chat.postMessage', 'lost_after')
    const direct = () => channel.direct?.(delivery, conversation(), { id: 'UANA', name: 'Ana' })
    expect((await direct())?.kind).toBe('unknown')
    expect(await channel.send(delivery, conversation())).toEqual({
      kind: 'refused',
      reason: 'not_in_channel',
    })
    expect((await direct())?.kind).toBe('sent')
    const posted = directChannel(slack.state, 'UANA').messages
    expect(posted).toHaveLength(1)
    expect(JSON.stringify(posted[0]?.blocks)).toContain('I can’t post in <#C1>')
  })

  it('keeps everything while the token does not work, and says which scope is missing', async () => {
    slack.state.bot.scopes.delete('chat:write')
    expect(await channel.send(deliveryOf('one', says('one')), conversation())).toMatchObject({
      kind: 'later',
    })
    expect(channel.health()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('chat:write'),
    })
    slack.state.bot.scopes.add('chat:write')
    slack.state.bot.revoked = true
    expect(await channel.send(deliveryOf('one', says('one')), conversation())).toMatchObject({
      kind: 'later',
    })
    expect(channel.health().detail).toContain('token_revoked')
    slack.state.bot.revoked = false
    expect(await channel.send(deliveryOf('one', says('one')), conversation())).toMatchObject({
      kind: 'sent',
    })
    expect(channel.health().ok).toBe(true)
  })

  it.each<Fault>(['bad_blocks', { error: 'invalid_attachments' }])(
    'lets its words arrive when Slack does not take its form (C995): %o',
    async (fault) => {
      const text = `${'a'.repeat(10_990)} ${'<'.repeat(400)}`
      slack.fail('chat.postMessage', fault)
      expect(await channel.send(deliveryOf('one', says(text)), conversation())).toMatchObject({
        kind: 'sent',
      })
      expect(own().every(({ blocks }) => blocks.length === 0)).toBe(true)
      expect(own().length).toBeGreaterThan(2)
    },
  )

  it('lets all of its words arrive without its blocks, also when the line breaks between two parts (P1, P2)', async () => {
    const text = Array.from({ length: 500 }, (_, index) => `Line ${index} of the report.`).join(
      '\n',
    )
    slack.fail('chat.postMessage', 'bad_blocks', 'lost_after')
    expect(await insist(deliveryOf('one', says(text)))).toMatchObject({ kind: 'sent' })
    const words = own().map((message) => message.text)
    expect(words.join('\n')).toBe(text)
  })

  it('answers a command whole, also where that has no room in the acknowledgement (C44)', async () => {
    await channel.stop()
    await until(() => slack.events.sockets.size === 0)
    const lines = Array.from({ length: 400 }, (_, index) => `- Entry ${index} of a long month`)
    const endpoint = async () => ({ ok: true, text: lines.join('\n') })
    ;({ channel } = createChannel(slack, redis, { endpoint }))
    await channel.start(async () => ({ kind: 'ignored', reason: 'not_addressed' }))
    const { reply } = await slack.people.command('C1', 'UANA', '/view', 'month')
    const { text: rest } = await until(() => slack.state.ephemerals[0])
    expect(new Set(`${JSON.stringify(reply)} ${rest}`.match(/Entry \d+/g)).size).toBe(lines.length)
  })

  it('shows a plan for the first time outside the budget for its changes (C49)', async () => {
    expect(await channel.isNew?.('slack:T1', 'r')).toBe(true)
    await store.notes.put('slack:T1', 'plan:r', '1.1', null)
    expect(await channel.isNew?.('slack:T1', 'r')).toBe(false)
  })

  it('goes on with the same plan message after a restart, and makes a new one when it was deleted (C49)', async () => {
    const items = ['Collect', 'Compare'].map((text) => ({ text, done: false }))
    const view = (index: number) => ({
      ...{
        runId: 'r',
        title: 'The offsite',
        status: 'running' as const,
        items,
        index,
        done: index,
      },
      ...{ now: { kind: 'thinking' as const }, lastResult: null, lastChange: null },
    })
    slack.fail('chat.postMessage', 'lost_after')
    expect((await channel.show(view(0), conversation())).kind).toBe('unknown')
    const other = createChannel(slack, redis)
    await other.channel.start(async () => ({ kind: 'ignored', reason: 'not_addressed' }))
    expect((await other.channel.show(view(1), conversation())).kind).toBe('sent')
    expect(own()).toHaveLength(1)
    await slack.people.remove('C1', own()[0]?.ts ?? '')
    await other.channel.show(view(0), conversation())
    expect((await other.channel.show(view(0), conversation())).kind).toBe('sent')
    expect(own()).toHaveLength(1)
    await other.channel.stop()
  })

  it('says that there may be more people than it could look through (C159)', async () => {
    const known = slack.state.users.get('UANA')
    for (let index = 0; known !== undefined && index < 4_001; index++)
      slack.state.users.set(`UX${index}`, { ...known, id: `UX${index}`, name: 'Somebody' })
    const asker = { workspace: 'slack:T1', channel: 'C1', person: { id: 'UANA', name: 'Ana' } }
    const found = await channel.reader?.read(
      asker,
      { kind: 'people', name: 'Ana' },
      new AbortController().signal,
    )
    expect(found).toMatchObject({ kind: 'people', people: [{ id: 'UANA' }], gap: true })
  })

  describe('safety', () => {
    it('links only to what people wrote or the operator allows, and fetches nothing (S2, S21)', async () => {
      const event = {
        ...{ workspace: 'slack:T1', channel: 'C1', thread: root, keys: ['k'], at: Date.now() },
        author: { id: 'UANA', name: 'Ana', bot: false },
        whose: { way: 'typed' as const, by: 'member' as const },
        content: {
          ...{ kind: 'message' as const, addressed: true, forSomeoneElse: false },
          text: 'look at https://known.example/page',
        },
      }
      const { conversationId } = await store.inbox.accept(event, { locale: 'en', timeZone: 'UTC' })
      const text =
        'See https://known.example/page, https://known.example/other?canary, [this](https://evil.example/?q=canary), ![x](https://evil.example/i.png?canary), <https://evil.example/canary>, www.evil.example/canary'
      const place = { ...conversation(), id: conversationId }
      await channel.send(deliveryOf('links', says(text), conversationId), place)
      const code = (address: string) => ({ type: 'text', text: address, style: { code: true } })
      const elements = [
        { type: 'text', text: 'See ' },
        { type: 'link', url: 'https://known.example/page' },
        { type: 'text', text: ', ' },
        code('https://known.example/other?canary'),
        { type: 'text', text: ', this (' },
        code('https://evil.example/?q=canary'),
        { type: 'text', text: '), x (' },
        code('https://evil.example/i.png?canary'),
        { type: 'text', text: '), ' },
        code('https://evil.example/canary'),
        { type: 'text', text: ', ' },
        code('www.evil.example/canary'),
      ]
      expect(own()[0]?.blocks).toMatchObject([{ elements: [{ elements }] }])
    })
  })
})
