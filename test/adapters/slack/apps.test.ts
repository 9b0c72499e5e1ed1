import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'

describeWith('redis-server', 'posts of apps in Slack (C397)', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', { settings: { ALLOWED_APPS: 'AFLOW,AFORM' } })
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })
  const thread = (ts: string) => threadOf(whole.slack, 'C1', ts)
  const told = (user: string) =>
    whole.slack.state.ephemerals.filter((one) => one.user === user).map(({ text }) => text)

  it.each([
    ['a person’s own, in their name', 'UANA', 'AFORM', true],
    ['a workflow’s', '', 'AFLOW', false],
    ['another bot’s', 'UOTHERBOT', 'AFLOW', false],
  ])('start work by a mention where they are admitted: %s', async (_, user, app, called) => {
    const { ts } = whole.slack.people.mention('C1', user, offsite, { bot: true, app })
    const question = await thread(ts).question()
    expect(JSON.stringify(question.blocks).includes(`<@${user || app}>`)).toBe(called)
  })

  it('start work by a mention in an attachment (C977)', async () => {
    const attachments = [{ text: `<@U0CLEW> ${offsite}` }]
    const more = { bot: true, app: 'AFLOW', attachments }
    const { ts } = whole.slack.people.say('C1', 'UOTHERBOT', '', more)
    await thread(ts).question()
  })

  it('answer nothing in a thread, also where they are admitted', async () => {
    const { people } = whole.slack
    const { ts } = people.mention('C1', 'UANA', offsite)
    await thread(ts).question()
    const before = thread(ts).said().length
    people.say('C1', 'UANA', 'Lisbon', { thread: ts, bot: true, app: 'AFORM' })
    const next = people.mention('C1', 'ULI', 'hello')
    await until(() => thread(next.ts).said().length > 0)
    expect(thread(ts).said()).toHaveLength(before)
  })

  it('of others a person is told once in private; a program is not answered (R149, S9)', async () => {
    const { people } = whole.slack
    const own = people.mention('C1', 'UBEN', offsite, { bot: true, app: 'AELSE' })
    await until(() => told('UBEN').length > 0)
    const again = people.mention('C1', 'UBEN', offsite, { bot: true, app: 'AELSE' })
    const bots = people.mention('C1', 'UOTHERBOT', offsite, { bot: true, app: 'AELSE' })
    const flow = people.mention('C1', '', offsite, { bot: true })
    const next = people.mention('C1', 'ULI', 'hello again')
    await until(() => thread(next.ts).said().length > 0)
    for (const { ts } of [own, again, bots, flow]) expect(thread(ts).said()).toEqual([])
    expect(told('UBEN').join()).toContain('AELSE')
    expect(told('UBEN')).toHaveLength(1)
    expect(told('UOTHERBOT')).toEqual([])
  })
})
