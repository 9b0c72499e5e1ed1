import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { examineSlack } from '../../../src/adapters/slack/doctor.ts'
import type { Canvases } from '../../../src/agent/ports/canvases.ts'
import type { Notes } from '../../../src/agent/ports/notes.ts'
import { type FakeSlack, type FakeSlackOptions, startFakeSlack } from '../../fakes/slack/server.ts'
import { directChannel } from '../../fakes/slack/state.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { createCallingModel } from '../twin-models.ts'
import { createChannel, until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

describeWith('redis-server', 'canvases in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    await redis.flushall()
  })
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  /** Slack, and the canvases of a life of Clew's on the one store. */
  async function workspace(options: FakeSlackOptions = {}) {
    const slack = await startFakeSlack({ minuteMs: null, ...options })
    stops.push(() => slack.stop())
    async function live(wrap: (notes: Notes) => Notes = (notes) => notes): Promise<Canvases> {
      const plain = createChannel(slack, redis)
      const { channel } = createChannel(slack, redis, { notes: wrap(plain.store.notes) })
      await channel.start(async () => ({ kind: 'ignored', reason: 'empty' }))
      stops.push(() => channel.stop())
      if (channel.canvases === undefined) throw new Error('there are no canvases')
      return channel.canvases
    }
    return { slack, live }
  }

  const canvas = { title: 'Q3', markdown: '# Sales\n\nUp by 4 %.', links: [] }
  const call = (channel = 'C1') => ({
    workspace: 'slack:T1',
    channel,
    effectId: 'x_1',
    signal: AbortSignal.timeout(20_000),
  })
  const all = ({ state }: FakeSlack) => [...state.canvases.values()]
  const shared = { title: 'Q3', channels: ['C1'], users: [] }

  it('is readable by the readers of its place alone: a channel, or the people of direct messages (S97)', async () => {
    const { slack, live } = await workspace()
    const canvases = await live()
    const made = await canvases.make(canvas, call())
    expect(made).toEqual({ link: 'https://team.slack.test/docs/T1/F0CANVAS1' })
    expect(all(slack)).toEqual([{ markdown: canvas.markdown, ...shared }])
    const { id } = directChannel(slack.state, 'UANA')
    await canvases.make(canvas, { ...call(id), effectId: 'x_2' })
    expect(all(slack)[1]).toMatchObject({ channels: [], users: ['UANA'] })
  })

  it('calls out nobody, and links nowhere that a message may not (S97)', async () => {
    const { slack, live } = await workspace()
    const markdown =
      'Ask <@UANA> or ![](@UBEN) <!channel>, see https://ok.example/a?b=c, ![x](https://bad.example/?q=secret) and `https://bad.example/?q=secret`'
    const links = ['https://ok.example/a?b=c']
    await (await live()).make({ title: 'Q3', markdown, links }, call())
    const [made] = all(slack)
    expect(made?.markdown).toContain('https://ok.example/a?b=c')
    expect(made?.markdown).not.toMatch(/<[@!]|!\[|\]\(|https:\/\/bad/)
  })

  it.each(['lost_after', '500_after', 'cut_after'] as const)(
    'is made once where Slack makes it and its answer is %s (C961)',
    async (fault) => {
      const { slack, live } = await workspace()
      slack.fail('canvases.create', fault)
      expect(await (await live()).make(canvas, call())).toHaveProperty('link')
      expect(all(slack)).toHaveLength(1)
      expect(all(slack)[0]).toMatchObject(shared)
    },
  )

  it.each([0, 1])(
    'is made once where Clew dies before its note %i is kept, and comes again (C961)',
    async (at) => {
      const { slack, live } = await workspace()
      let puts = 0
      const dying = await live((notes) => ({
        ...notes,
        async put(...note) {
          if (note[1].startsWith('canvas:') && puts++ === at) throw new Error('killed')
          await notes.put(...note)
        },
      }))
      await expect(dying.make(canvas, call())).rejects.toThrow('killed')
      expect(all(slack)).toHaveLength(at)
      const again = await live()
      const first = await again.make(canvas, call())
      expect(first).toHaveProperty('link')
      expect(await again.make(canvas, call())).toEqual(first)
      expect(all(slack)).toHaveLength(1)
      expect(all(slack)[0]).toMatchObject({ title: 'Q3' })
    },
  )

  it('makes none while Slack cannot say whether it made one before (C961)', async () => {
    const { slack, live } = await workspace()
    slack.fail('canvases.create', 'lost_after')
    slack.fail('files.list', '500_before')
    const canvases = await live()
    expect(await canvases.make(canvas, call())).toEqual({ problem: 'away' })
    slack.fail('files.list', '500_before')
    expect(await canvases.make(canvas, call())).toEqual({ problem: 'away' })
    expect(all(slack)).toHaveLength(1)
    expect(all(slack)[0]).toMatchObject({ channels: [], users: [] })
  })

  it('leaves nothing behind where it cannot be shared, and names plan and scope (C962)', async () => {
    const { slack, live } = await workspace()
    const canvases = await live()
    slack.fail('canvases.access.set', 'refused')
    expect(await canvases.make(canvas, call())).toEqual({ problem: 'refused' })
    expect(all(slack)).toEqual([])
    slack.state.isFree = true
    const next = { ...call(), effectId: 'x_2' }
    expect(await canvases.make(canvas, next)).toEqual({ problem: 'plan' })
    slack.state.bot.scopes.delete('canvases:write')
    expect(await canvases.make(canvas, next)).toEqual({ problem: 'scope' })
    expect(canvases.offers('slack:T1')).toBe(false)
  })

  it('its scope may be missing: the doctor only hints at that (C963)', async () => {
    const { slack } = await workspace()
    slack.state.bot.scopes.delete('canvases:write')
    const findings = await examineSlack({
      apiUrl: slack.apiUrl,
      botToken: slack.state.bot.token,
      appToken: slack.state.appToken,
      signingSecret: null,
      installs: false,
    })
    expect(findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
    expect(findings.filter(({ verdict }) => verdict === 'note')).toHaveLength(2)
  })

  describeWith('redis-server', 'in a whole Clew', () => {
    let whole: Whole
    const { model, call: asked } = createCallingModel('canvas')
    beforeEach(async () => {
      whole = await startWhole(server.url, 'socket', {
        around: { model },
        slack: { minuteMs: null },
      })
      stops.push(() => whole.stop())
      asked.next = 'Sales in Q3\n# Sales\n\nUp by 4 %.'
      asked.count += 1
    })
    const ask = () => {
      const { ts } = whole.slack.people.mention('C1', 'UANA', `Canvas, ${asked.count}`)
      return threadOf(whole.slack, 'C1', ts)
    }

    it('who asks for one gets its link in the thread, without an approval (C960)', async () => {
      const thread = ask()
      await thread.saying(new RegExp(`Over ${asked.count}`))
      const note = await thread.saying(/as a canvas/)
      expect(JSON.stringify(note.blocks)).toContain(
        '[Sales in Q3](https://team.slack.test/docs/T1/F0CANVAS1)',
      )
      expect(all(whole.slack)).toEqual([
        { title: 'Sales in Q3', markdown: '# Sales\n\nUp by 4 %.', channels: ['C1'], users: [] },
      ])
      expect(thread.said().filter(({ text }) => /as a canvas: /.test(text))).not.toEqual([])
    })

    it('without the scope no model hears of it (C960)', async () => {
      whole.slack.state.bot.scopes.delete('canvases:write')
      asked.offered = []
      ask()
      await until(() => asked.offered.length > 0)
      expect(asked.offered).not.toContain('canvas')
      expect(asked.offered).toContain('message')
    })
  })
})
