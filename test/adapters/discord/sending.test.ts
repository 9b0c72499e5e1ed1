import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiscordChannel } from '../../../src/adapters/discord/adapter.ts'
import { type Conversation, newConversation } from '../../../src/agent/domain/conversation.ts'
import type { Delivery, DeliveryBody } from '../../../src/agent/domain/delivery.ts'
import type { ProgressView } from '../../../src/agent/domain/progress.ts'
import type { Channel as Adapter, Sent } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import { type Channel, type Guild, makeChannel, makeMessage } from '../../fakes/discord/world.ts'
import { createMemory, depsFor } from './memory.ts'

describe('sending to Discord', () => {
  let discord: FakeDiscord
  let guild: Guild
  let general: Channel
  let thread: Channel
  let ana: Person
  let memory: ReturnType<typeof createMemory>
  let adapter: Adapter
  let conversation: Conversation

  async function begin(clock = createSystemClock()) {
    adapter = createDiscordChannel(depsFor(discord, memory, clock))
    await adapter.start(async () => ({ kind: 'ignored', reason: 'empty' }))
    await discord.until(() => adapter.health().ok, 'a connection')
  }
  beforeEach(async () => {
    discord = await startFakeDiscord()
    guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    ana = discord.person('Ana')
    const asked = makeMessage(discord.world, general, ana, { content: 'please' })
    thread = threadIn(general, asked.id)
    memory = createMemory()
    conversation = at(thread.id)
    await begin()
  })
  afterEach(async () => {
    discord.fault(() => null)
    await adapter.stop()
    expect(discord.violations).toEqual([])
    await discord.stop()
  })

  const threadIn = (parent: Channel, id: string): Channel =>
    makeChannel(discord.world, {
      id,
      type: 11,
      guild_id: guild.id,
      parent_id: parent.id,
      name: 'please',
      owner_id: discord.world.bot.id,
      thread_metadata: {
        archived: false,
        locked: false,
        auto_archive_duration: 1440,
        archive_timestamp: '',
      },
    })
  const at = (threadId: string | null, channel = general): Conversation =>
    newConversation({
      id: 'c_1',
      address: { workspace: `discord:${guild.id}`, channel: channel.id, thread: threadId },
      title: 'please',
      at: 1,
      lastReadAt: 1,
    })
  const deliveryOf = (id: string, body: DeliveryBody): Delivery => ({
    version: 1,
    id,
    conversationId: 'c_1',
    at: discord.world.now(),
    body,
  })
  const says = (text: string, runId: string | null = null): DeliveryBody => ({
    ...{ kind: 'message', messageId: 'm', text, runId },
  })
  const send = (id: string, text: string, runId: string | null = null): Promise<Sent> =>
    adapter.send(deliveryOf(id, says(text, runId)), conversation)
  const shown = (channel = thread) =>
    channel.messages.filter(({ author }) => author.id === discord.world.bot.id).map(textOf)
  const isPost = (method: string, path: string) =>
    method === 'POST' && /\/channels\/\d+\/messages$/.test(path)
  const plan = (part: Partial<ProgressView> = {}): ProgressView => ({
    runId: 'r_1',
    title: 'please',
    status: 'running',
    items: [{ text: 'First', done: false }],
    index: 0,
    done: 0,
    now: { kind: 'thinking' },
    lastResult: null,
    lastChange: null,
    ...part,
  })

  it('does not send again what was taken though the answer never came (P2)', async () => {
    let swallow = true
    discord.fault((method, path) => (swallow && isPost(method, path) ? 'swallow' : null))
    const delivery = deliveryOf('d_1', says('hello'))
    expect(await adapter.send(delivery, conversation)).toEqual({ kind: 'unknown' })
    swallow = false
    expect(await adapter.find(delivery, conversation)).toMatchObject({
      ref: thread.messages.at(-1)?.id,
    })
    expect(await adapter.send(delivery, conversation)).toMatchObject({ kind: 'sent' })
    expect(shown()).toEqual(['hello'])
  })

  it('sends again what was lost on the way, and what was taken is known by its nonce (P2, I6)', async () => {
    let fault: 'lose' | 'swallow' | null = 'lose'
    discord.fault((method, path) => (isPost(method, path) ? fault : null))
    expect(await send('d_1', 'hello')).toEqual({ kind: 'unknown' })
    expect(await adapter.find(deliveryOf('d_1', says('hello')), conversation)).toBeNull()
    fault = 'swallow'
    expect(await send('d_1', 'hello')).toEqual({ kind: 'unknown' })
    fault = null
    expect(await send('d_1', 'hello')).toMatchObject({ kind: 'sent' })
    expect(shown()).toEqual(['hello'])
    expect(discord.log.filter(({ method, path }) => isPost(method, path))).toHaveLength(3)
  })

  it.each([
    ['is done although it is answered with 502', { status: 502, done: true }],
    ['is done a moment after its connection broke', 'late'],
  ] as const)('shows once what %s (P2)', async (_what, fault) => {
    discord.fault((method, path) => (isPost(method, path) ? fault : null))
    expect(await send('d_1', 'hello')).toEqual({ kind: 'unknown' })
    discord.fault(() => null)
    // The outbox looks for it, and sends it again where it finds nothing: the nonce is the same.
    const delivery = deliveryOf('d_1', says('hello'))
    if ((await adapter.find(delivery, conversation)) === null)
      await adapter.send(delivery, conversation)
    await discord.until(() => shown().length > 0, 'the words')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await adapter.send(delivery, conversation)).toMatchObject({ kind: 'sent' })
    expect(shown()).toEqual(['hello'])
  })

  it('tells two deliveries of the same words apart when it looks for one (P2)', async () => {
    await send('d_1', 'There is no task to cancel right now.')
    discord.fault((method, path) => (isPost(method, path) ? 'lose' : null))
    const second = deliveryOf('d_2', says('There is no task to cancel right now.'))
    expect(await adapter.send(second, conversation)).toEqual({ kind: 'unknown' })
    discord.fault(() => null)
    expect(await adapter.find(second, conversation)).toBeNull()
    await adapter.send(second, conversation)
    expect(shown()).toHaveLength(2)
  })

  it('takes a 5xx for unclear and waits as long as a 429 says, never longer than it holds the line (P2)', async () => {
    discord.fault((method, path) => (isPost(method, path) ? { status: 502 } : null))
    expect(await send('d_1', 'hello')).toEqual({ kind: 'unknown' })
    const headers = { 'Retry-After': '3600', 'X-RateLimit-Scope': 'shared' }
    discord.fault((method, path) =>
      isPost(method, path)
        ? { status: 429, headers, body: { message: 'slow down', retry_after: 3600 } }
        : null,
    )
    const started = Date.now()
    const sent = await send('d_1', 'hello')
    expect(Date.now() - started).toBeLessThan(30_000)
    expect(sent.kind === 'later' && sent.afterMs).toBeGreaterThan(3_000_000)
  })

  describe('an answer in the channel that was taken though the answer to it never came (P2, C81)', () => {
    const hellos = () =>
      [...discord.world.channels.values()]
        .flatMap(({ messages }) => messages)
        .filter(({ content }) => content === 'hello')
    async function lost() {
      const asked = ana.says(general, 'please')
      const [delivery, here] = [deliveryOf('d_1', says('hello')), at(asked.id)]
      discord.fault((method, path) => (isPost(method, path) ? 'swallow' : null))
      expect(await adapter.send(delivery, here)).toEqual({ kind: 'unknown' })
      discord.fault(() => null)
      /** As the outbox does: what cannot be looked for now is not sent. */
      const again = async () =>
        (await adapter.find(delivery, here)) ?? (await adapter.send(delivery, here))
      return { asked, again }
    }

    it('is not said again in a thread that somebody opened meanwhile', async () => {
      const { asked, again } = await lost()
      ana.opens(asked)
      await again()
      expect(hellos()).toHaveLength(1)
    })

    it('is not said in a thread while Discord does not say whether there is one', async () => {
      const { asked, again } = await lost()
      let losses = 1
      discord.fault((method, path) =>
        method === 'GET' && path.endsWith(`/channels/${asked.id}`) && losses-- > 0 ? 'lose' : null,
      )
      await again()
      expect(hellos()).toHaveLength(1)
      expect(discord.world.channels.has(asked.id)).toBe(false)
    })

    it('waits while Discord does not let Clew read the channel', async () => {
      const { asked, again } = await lost()
      ana.opens(asked)
      discord.fault((method, path) =>
        method === 'GET' && path.endsWith(`/channels/${general.id}/messages`)
          ? { status: 503, body: {} }
          : null,
      )
      expect(await again()).toBe('unknown')
      discord.fault(() => null)
      expect(await again()).toMatchObject({ ref: hellos()[0]?.id })
      expect(hellos()).toHaveLength(1)
    })

    it('waits in the next process until Discord has said who Clew is', async () => {
      const { asked, again } = await lost()
      ana.opens(asked)
      await adapter.stop()
      adapter = createDiscordChannel(depsFor(discord, memory, createSystemClock()))
      expect(await again()).toBe('unknown')
      await begin()
      expect(await again()).toMatchObject({ ref: hellos()[0]?.id })
      expect(hellos()).toHaveLength(1)
    })

    it('is said again where Clew may write and not read', async () => {
      const { again } = await lost()
      discord.fault((method, path) =>
        method === 'GET' && path.endsWith('/messages')
          ? { status: 403, body: { code: 50001, message: 'Missing Access' } }
          : null,
      )
      expect(await again()).toMatchObject({ kind: 'sent' })
    })

    it('is not taken for the same words to somebody else', async () => {
      const { again } = await lost()
      general.messages.splice(general.messages.indexOf(hellos()[0] as never), 1)
      const other = { ...at(ana.says(general, 'and me').id), id: 'c_2' }
      const same = { ...deliveryOf('d_2', says('hello')), conversationId: other.id }
      await adapter.send(same, other)
      expect(hellos()).toHaveLength(1)
      await again()
      expect(hellos()).toHaveLength(2)
    })
  })

  it('splits a long text without cutting fences, and repeats no part after a crash between two (R152, P1)', async () => {
    const text = `# Report\n\n${'A sentence about venues. '.repeat(120)}\n\n\`\`\`ts\n${'const venue = 1\n'.repeat(100)}\`\`\`\n\nThe end.`
    let posts = 0
    discord.fault((method, path) => (isPost(method, path) && ++posts === 2 ? 'swallow' : null))
    expect(await send('d_1', text)).toEqual({ kind: 'unknown' })
    await adapter.stop()
    await begin()
    expect(await send('d_1', text)).toMatchObject({ kind: 'sent' })
    const parts = shown()
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(2000)
      expect((part.match(/```/g) ?? []).length % 2).toBe(0)
    }
    expect(parts.join('').match(/const venue/g)).toHaveLength(100)
    expect(parts.at(-1)).toContain('The end.')
  })

  it('gives a very long report as a file beside its beginning (R152)', async () => {
    const text = `# Report\n\n${'A sentence about venues.\n\n'.repeat(1_000)}The end.`
    expect((await send('d_1', text)).kind).toBe('sent')
    const [message] = thread.messages.filter(({ author }) => author.id === discord.world.bot.id)
    expect(message?.content).toContain('The full report is in the file.')
    expect(message?.attachments.map(({ filename, bytes }) => [filename, bytes.toString()])).toEqual(
      [['report.md', text]],
    )
  })

  it('hands over a file that a tool made, once, and only its words where no file may be (P2)', async () => {
    const file = {
      name: 'orders.csv',
      type: 'text/csv',
      base64: Buffer.from('a,b\n1,2').toString('base64'),
    }
    const made = (id: string) =>
      deliveryOf(id, {
        kind: 'message',
        messageId: 'm',
        text: 'Made: orders.csv',
        runId: 'r',
        file,
      })
    discord.fault((method, path) => (isPost(method, path) ? 'swallow' : null))
    expect((await adapter.send(made('d_1'), conversation)).kind).toBe('unknown')
    discord.fault(() => null)
    expect((await adapter.send(made('d_1'), conversation)).kind).toBe('sent')
    const attached = () => thread.messages.flatMap(({ attachments }) => attachments)
    expect(attached().map(({ filename, bytes }) => [filename, bytes.toString()])).toEqual([
      ['orders.csv', 'a,b\n1,2'],
    ])
    thread.denied.add('attach')
    expect((await adapter.send(made('d_2'), conversation)).kind).toBe('sent')
    const table = '`orders.csv`:\n```\na,b\n1,2\n```'
    expect([shown(), attached().length]).toEqual([
      ['Made: orders.csv', 'Made: orders.csv', table],
      1,
    ])
  })

  it('keeps a long script where no file may be attached, and says what has no room (C398)', async () => {
    thread.denied.add('attach')
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `echo step ${n} of the long way home`).join('\n')
    for (const [id, count] of [
      ['d_1', 100],
      ['d_2', 1_000],
    ] as const)
      expect((await send(id, `\`\`\`sh\n${lines(count)}\n\`\`\``)).kind).toBe('sent')
    const said = shown()
    const code = (messages: string[]) =>
      messages.flatMap((text) => text.split('\n').filter((line) => line.startsWith('echo')))
    const second = said.lastIndexOf('📎 `script.sh`')
    expect(code(said.slice(0, second)).join('\n')).toBe(lines(100))
    expect(code(said.slice(second)).length).toBeGreaterThan(300)
    expect(said.at(-1)).toContain('so `script.sh` is missing here or cut short')
  })

  describe('what Discord refuses in part (C998)', () => {
    const file = { name: 'a.txt', type: 'text/plain', base64: btoa('the text') }
    const withFile = () => deliveryOf('d_1', { ...says('words', 'r'), file } as DeliveryBody)
    const another = () => makeMessage(discord.world, general, ana, { content: 'another' }).id
    const threadBelow = (id = '') => discord.world.channels.get(id) ?? general

    it('is sent without the reference where Clew may not read the history', async () => {
      general.denied.add('history')
      conversation = at(another())
      expect(await send('d_1', 'hello')).toMatchObject({ kind: 'sent' })
      expect(shown(general)).toEqual(['hello'])
    })

    it.each([
      [413, null],
      [400, 50045],
      [403, 400001],
    ])(
      'has the text of its file below it where the file is refused: %d %s',
      async (status, code) => {
        const refusal = code === null ? { status, page: '<html>' } : { status, body: { code } }
        let isFirst = true
        discord.fault((method, path) => {
          const fault = isFirst && isPost(method, path) ? refusal : null
          if (fault !== null) isFirst = false
          return fault
        })
        expect(await adapter.send(withFile(), conversation)).toMatchObject({ kind: 'sent' })
        expect(shown()).toEqual(['words', expect.stringContaining('the text')])
      },
    )

    it.each([15, 0])('opens its place without the file: type %d', async (type) => {
      const place = discord.channel(guild, 'reports', { type })
      place.denied.add('attach')
      const sent = await adapter.send(withFile(), at(null, place))
      expect(sent).toMatchObject({ kind: 'sent', thread: expect.any(String) })
      const { thread: opened } = sent as { thread: string }
      const said = [...shown(place), ...shown(threadBelow(opened))]
      expect(said).toEqual(['words', expect.stringContaining('the text')])
    })

    it('has a plain title where AutoMod or Server Discovery takes the words of it', async () => {
      guild.blocked = /please/
      const asked = another()
      conversation = at(asked)
      expect(await send('d_1', 'hello', 'r')).toMatchObject({ kind: 'sent' })
      const forum = discord.channel(guild, 'reports', { type: 15 })
      conversation = { ...at(null, forum), id: 'c_2' }
      expect(await send('d_2', 'hello', 'r')).toMatchObject({ kind: 'sent' })
      const names = [...guild.channels.values()].flatMap((one) =>
        one.id === asked || one.parent_id === forum.id ? [one.name] : [],
      )
      expect(names).toEqual(['Clew', 'Clew'])
    })

    it('has the first tag that is not for moderators', async () => {
      const tags = [true, false].map((moderated) => ({
        ...{ id: discord.world.nextId(), name: 'a tag', moderated },
      }))
      const part = { type: 15, flags: 1 << 4, available_tags: tags }
      conversation = at(null, discord.channel(guild, 'reports', part))
      const sent = await send('d_1', 'hello', 'r')
      const { thread: opened = '' } = sent as { thread?: string }
      expect(threadBelow(opened).applied_tags).toEqual([tags[1]?.id])
    })

    it('has broken addresses where one of them is taken for harmful', async () => {
      const isHarmful = (body: Record<string, unknown>) =>
        /\/\/evil\.example/.test(String(body.content))
      const refusal = { status: 400, body: { code: 240000, message: 'harmful' } }
      discord.fault((method, path, body) =>
        isPost(method, path) && isHarmful(body) ? refusal : null,
      )
      expect(await send('d_1', 'see https://evil.example/a')).toMatchObject({ kind: 'sent' })
      expect(shown()).toEqual([expect.stringContaining('evil[.]example')])
    })

    it('comes to the person, with the reason, when AutoMod blocks it', async () => {
      guild.blocked = /poison/
      const delivery = deliveryOf('d_1', says('a poison', 'r'))
      expect((await adapter.send(delivery, conversation)).kind).toBe('refused')
      const sent = await adapter.direct?.(delivery, conversation, { id: ana.id, name: 'Ana' })
      expect(sent?.kind).toBe('sent')
      expect(shown(ana.dm())).toEqual([expect.stringContaining('AutoMod blocked'), 'a poison'])
    })

    it('is answered in the channel where no more threads of announcements may be open', async () => {
      const news = discord.channel(guild, 'news', { type: 5 })
      guild.threadsMost = 0
      const asked = makeMessage(discord.world, news, ana, { content: 'please' })
      conversation = at(asked.id, news)
      expect(await send('d_1', 'hello', 'r')).toMatchObject({ kind: 'sent' })
      expect(shown(news)).toEqual(['hello'])
    })
  })

  it.each([
    [403, 40003],
    [400, 40004],
    [400, 20028],
    [429, 20029],
  ])('sends later what Discord refuses for now: %d %d (C996)', async (status, code) => {
    const refusal = { status, body: { code, message: 'not now' } }
    discord.fault((method, path) => (isPost(method, path) ? refusal : null))
    const isLater = { kind: 'later', afterMs: 10_000 }
    expect(await send('d_1', 'hello')).toEqual(isLater)
  })

  it('grows one thread from a message however often it is tried (160004)', async () => {
    const asked = makeMessage(discord.world, general, ana, { content: 'another' })
    conversation = at(asked.id)
    discord.fault((method, path) =>
      method === 'POST' && path.endsWith('/threads') ? 'swallow' : null,
    )
    expect(await send('d_1', 'hello', 'r_1')).toEqual({ kind: 'unknown' })
    discord.fault(() => null)
    expect(await send('d_1', 'hello', 'r_1')).toMatchObject({ kind: 'sent' })
    const grown = discord.world.channels.get(asked.id)
    expect(grown === undefined ? [] : shown(grown)).toEqual(['hello'])
  })

  it('answers as a reply in the channel where it may open no threads', async () => {
    general.denied.add('threads')
    const asked = makeMessage(discord.world, general, ana, { content: 'another' })
    conversation = at(asked.id)
    expect((await send('d_1', 'hello', 'r_1')).kind).toBe('sent')
    expect(general.messages.at(-1)).toMatchObject({
      content: 'hello',
      message_reference: { message_id: asked.id },
      called: [],
    })
  })

  it('opens a thread below its own message for work that nobody asked for in one, once (R106, R147)', async () => {
    conversation = at(null)
    discord.fault((method, path) =>
      method === 'POST' && path.endsWith('/threads') ? 'swallow' : null,
    )
    expect((await send('d_1', 'The weekly report', 'r_1')).kind).toBe('unknown')
    discord.fault(() => null)
    const sent = await send('d_1', 'The weekly report', 'r_1')
    expect(shown(general)).toEqual(['The weekly report'])
    expect(sent).toEqual({
      kind: 'sent',
      ref: general.messages.at(-1)?.id,
      thread: general.messages.at(-1)?.id,
    })
  })

  it('says a reminder in the channel, without a thread below it, and finds it again (C81, C82)', async () => {
    conversation = at(null)
    discord.fault((method, path) => (isPost(method, path) ? 'swallow' : null))
    expect((await send('d_1', 'Call Bob at nine')).kind).toBe('unknown')
    discord.fault(() => null)
    const sent = await send('d_1', 'Call Bob at nine')
    const [said] = general.messages.filter(({ author }) => author.id === discord.world.bot.id)
    expect(sent).toEqual({ kind: 'sent', ref: said?.id, thread: said?.id })
    expect(discord.world.channels.get(said?.id ?? '')).toBeUndefined()
  })

  it('opens a post in a forum, with a tag where one is needed, once (40067)', async () => {
    const tags = [{ id: discord.world.nextId(), name: 'reports' }]
    const forum = discord.channel(guild, 'reports', {
      type: 15,
      flags: 1 << 4,
      available_tags: tags,
    })
    conversation = at(null, forum)
    discord.fault((method, path) =>
      method === 'POST' && path.endsWith('/threads') ? 'swallow' : null,
    )
    expect((await send('d_1', 'The weekly report')).kind).toBe('unknown')
    discord.fault(() => null)
    const sent = await send('d_1', 'The weekly report')
    const posts = [...discord.world.channels.values()].filter(
      ({ parent_id }) => parent_id === forum.id,
    )
    expect(posts).toHaveLength(1)
    expect(posts[0]).toMatchObject({ name: 'please', applied_tags: [tags[0]?.id] })
    expect(sent).toMatchObject({ kind: 'sent', thread: posts[0]?.id })
  })

  it('opens a post of its own for a second report of the same name within a minute (P2, R106)', async () => {
    const forum = discord.channel(guild, 'reports', { type: 15 })
    const into = (id: string) => ({ ...at(null, forum), id })
    const deliver = (conversationId: string) =>
      adapter.send(
        { ...deliveryOf(`d_${conversationId}`, says(`Of ${conversationId}`)), conversationId },
        into(conversationId),
      )
    expect(await deliver('c_1')).toMatchObject({ kind: 'sent' })
    expect(await deliver('c_2')).toMatchObject({ kind: 'sent' })
    const posts = [...discord.world.channels.values()].filter(
      ({ parent_id }) => parent_id === forum.id,
    )
    expect(posts.map((post) => shown(post))).toEqual([['Of c_1'], ['Of c_2']])
  })

  it('wakes a thread that went to sleep, and says what cannot be written in a locked one to the person (160005)', async () => {
    await adapter.show(plan(), conversation)
    if (thread.thread_metadata) thread.thread_metadata.archived = true
    expect(
      (
        await adapter.show(
          plan({ done: 1, index: 1, items: [{ text: 'First', done: true }] }),
          conversation,
        )
      ).kind,
    ).toBe('sent')
    expect(thread.thread_metadata?.archived).toBe(false)
    if (thread.thread_metadata) thread.thread_metadata.locked = true
    const delivery = deliveryOf('d_1', {
      kind: 'final',
      messageId: 'm',
      text: 'Task completed: please',
      runId: 'r_1',
      status: 'succeeded',
    })
    expect((await adapter.send(delivery, conversation)).kind).toBe('refused')
    expect(
      (await adapter.direct?.(delivery, conversation, { id: ana.id, name: 'Ana' }))?.kind,
    ).toBe('sent')
    expect(shown(ana.dm())).toEqual([
      expect.stringContaining('I can’t write in'),
      'Task completed: please',
    ])
  })

  it('is refused by a channel that it was removed from, for good', async () => {
    general.denied.add('view')
    expect((await send('d_1', 'hello')).kind).toBe('refused')
  })

  it('posts a fresh plan instead of changing one that is older than an hour (30046)', async () => {
    await adapter.stop()
    const clock = createManualClock({ start: Date.now() })
    await begin(clock)
    await adapter.show(plan(), conversation)
    const first = thread.messages.at(-1)
    discord.world.advance(61 * 60_000)
    await clock.advance(61 * 60_000)
    await adapter.show(plan({ done: 1, items: [{ text: 'First', done: true }] }), conversation)
    expect(shown()).toHaveLength(1)
    expect(thread.messages.at(-1)?.id).not.toBe(first?.id)
    expect(shown()[0]).toContain('1 of 1')
  })

  it('sends no plan that shows nothing new, and spreads many changes (C49)', async () => {
    await adapter.show(plan(), conversation)
    const before = discord.log.length
    await adapter.show(plan(), conversation)
    expect(discord.log.length).toBe(before)
    const results: Sent['kind'][] = []
    for (let done = 0; done < 5; done++)
      results.push((await adapter.show(plan({ title: `please ${done}` }), conversation)).kind)
    expect(results).toContain('later')
  })

  it('says a report of several parts in the channel where no thread may be made, and whole to one person (P2)', async () => {
    const channel = discord.channel(guild, 'no-threads')
    channel.denied.add('threads')
    const text = Array.from(
      { length: 3 },
      (_, part) => `PART ${part + 1} ${'word '.repeat(370)}`,
    ).join('\n\n')
    const delivery = deliveryOf('d_1', {
      kind: 'final',
      messageId: 'm',
      text,
      runId: 'r',
      status: 'succeeded',
    })
    const begins = (place: Channel) => shown(place).map((words) => words.slice(0, 6))
    expect((await adapter.send(delivery, at(null, channel))).kind).toBe('sent')
    expect(begins(channel)).toEqual(['PART 1', 'PART 2', 'PART 3'])
    expect(
      (await adapter.direct?.(delivery, at(null, channel), { id: ana.id, name: 'Ana' }))?.kind,
    ).toBe('sent')
    expect(begins(ana.dm())).toEqual(['I can’', 'PART 1', 'PART 2', 'PART 3'])
  })

  it('tells one person below what they did for 15 minutes, and directly after that (C47)', async () => {
    const tellAna = (id: string) =>
      adapter.send(
        deliveryOf(id, { kind: 'private', to: ana.id, text: `for Ana: ${id}` }),
        conversation,
      )
    await discord.until(() => discord.commands.has(''), 'the commands')
    const gesture = ana.runs(thread, ['task', 'list'])
    await discord.until(() => gesture.ephemeral.length === 1, 'its answer')
    const note = { token: gesture.token, until: Date.now() + 60_000 }
    await memory.put(`discord:${guild.id}`, `token:c_1:${ana.id}`, JSON.stringify(note), null)
    expect((await tellAna('d_1')).kind).toBe('sent')
    expect((await tellAna('d_1')).kind).toBe('sent')
    expect(gesture.ephemeral.slice(1)).toEqual(['for Ana: d_1'])
    // Discord takes the token no more.
    discord.world.advance(16 * 60_000)
    expect((await tellAna('d_2')).kind).toBe('sent')
    await memory.put(
      `discord:${guild.id}`,
      `token:c_1:${ana.id}`,
      JSON.stringify({ ...note, until: 0 }),
      null,
    )
    expect((await tellAna('d_3')).kind).toBe('sent')
    expect(gesture.ephemeral).toHaveLength(2)
    expect(shown(ana.dm())).toEqual(['for Ana: d_2', 'for Ana: d_3'])
    // A person who takes no direct messages is answered in the thread.
    ana.dm().denied.add('dm')
    expect((await tellAna('d_4')).kind).toBe('sent')
    expect(shown()).toEqual(['for Ana: d_4'])
  })

  it('lets plans wait while much else has to be said (C49)', async () => {
    const marks = Array.from({ length: 40 }, async (_, index) => {
      const ref = `${makeChannel(discord.world, { type: 0, guild_id: guild.id }).id}/${thread.id}`
      const outcome = { kind: 'joined', runId: 'r_1' } as const
      return await adapter.send(
        deliveryOf(`d_${index}`, { kind: 'receipt', messageId: 'm', ref, outcome }),
        conversation,
      )
    })
    expect((await adapter.show(plan(), conversation)).kind).toBe('later')
    await Promise.all(marks)
    expect(shown()).toEqual([])
  })

  it('marks a message with what became of it', async () => {
    const said = makeMessage(discord.world, thread, ana, { content: 'also this' })
    const ref = `${thread.id}/${said.id}`
    const receipt = (id: string, outcome: Extract<DeliveryBody, { kind: 'receipt' }>['outcome']) =>
      adapter.send(deliveryOf(id, { kind: 'receipt', messageId: 'm', ref, outcome }), conversation)
    expect((await receipt('d_1', { kind: 'joined', runId: 'r_1' })).kind).toBe('sent')
    expect([...said.reactions.keys()]).toEqual(['👍'])
    general.denied.add('view')
    expect((await receipt('d_2', { kind: 'failed' })).kind).toBe('sent')
  })
})
