import { expect, it } from 'vitest'
import { createFakeModel, decides } from '../../fakes/model.ts'
import { startFakeSlack } from '../../fakes/slack/server.ts'
import { freePort } from '../../support/free-port.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { httpRoute, joinWhole, threadOf } from './whole.ts'

/** What people said to the Clew of the first store, and nobody says again. */
const before = ['hello', 'what can you do?', 'the third thing', '!todo add buy milk']

describeWith('redis-server', "the admin's first day in Slack", (program) => {
  it('does nothing again on the second start of a new store, and hears what is new (C440)', async () => {
    const slack = await startFakeSlack({ route: { kind: 'socket' }, minuteMs: 300 })
    const server = await startRedis(program)
    const model = createFakeModel()
    model.answer((call) =>
      decides.reply(`Heard: ${'message' in call.input ? call.input.message : ''}`),
    )
    const start = (redisUrl: string, settings: Record<string, string> = {}) =>
      joinWhole(redisUrl, 'socket', slack, 0, { settings, around: { model } })
    const own = () =>
      [...slack.state.channels.values()].flatMap(({ messages }) =>
        messages.filter(({ user }) => user === slack.state.bot.user),
      )

    const embedded = await start('')
    const threads = before.map((text) => slack.people.mention('C1', 'UANA', text).ts)
    const direct = slack.people.direct('UBEN', 'a word alone')
    for (const ts of threads) await threadOf(slack, 'C1', ts).saying(/./)
    await threadOf(slack, direct.channel, direct.ts).saying(/a word alone/)
    await embedded.stop()
    const said = own().length

    // REDIS_URL is set, then a line is corrected: two starts of a store that is new.
    const first = await start(server.url)
    const one = slack.people.mention('C1', 'UANA', 'still there?')
    await threadOf(slack, 'C1', one.ts).saying(/still there/)
    await first.stop()
    const away = slack.people.write('C1', 'UBEN', '<@U0CLEW> while it was down').ts
    const second = await start(server.url, { DEFAULT_TIME_ZONE: 'Europe/Berlin' })
    await threadOf(slack, 'C1', away).saying(/while it was down/)
    const last = slack.people.mention('C1', 'UANA', '!todo list')
    await threadOf(slack, 'C1', last.ts).saying(/./)
    await second.stop()

    expect(own()).toHaveLength(said + 3)
    expect(threadOf(slack, 'C1', last.ts).own()[0]?.text).not.toMatch(/buy milk/)
    await slack.stop()
    await server.stop()
  })

  it.each(['socket', 'http'] as const)(
    'starts nothing for an event of %s that is older than the store and comes again (C440)',
    async (mode) => {
      const port = mode === 'http' ? await freePort() : 0
      const route = mode === 'http' ? httpRoute(port) : ({ kind: 'socket' } as const)
      const retryMs = Array.from({ length: 2_000 }, () => 20)
      const slack = await startFakeSlack({ route, minuteMs: 300, retryMs })
      const server = await startRedis(program)
      const model = createFakeModel()
      model.answer((call) =>
        decides.reply(`Heard: ${'message' in call.input ? call.input.message : ''}`),
      )
      // Said while no Clew was there: Slack goes on trying.
      const early = slack.people.mention('C1', 'UANA', 'too early')
      const done = slack.people.mention('C1', 'UANA', '!todo add buy milk')
      const direct = slack.people.direct('UBEN', 'too early, too')
      const clew = await joinWhole(server.url, mode, slack, port, { around: { model } })
      for (const { delivered } of [early, done, direct]) await delivered
      const now = slack.people.mention('C1', 'UANA', 'in time')
      await threadOf(slack, 'C1', now.ts).saying(/in time/)
      for (const { channel, ts } of [
        { channel: 'C1', ts: early.ts },
        { channel: 'C1', ts: done.ts },
        direct,
      ])
        expect(threadOf(slack, channel, ts).own()).toEqual([])
      expect(model.calls.map(({ contract }) => contract)).toEqual(['decision'])
      await clew.stop()
      await slack.stop()
      await server.stop()
    },
  )
})
