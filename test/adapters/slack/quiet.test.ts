import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

const offsite = 'Compare the three venues and book a date for the offsite'

describeWith('redis-server', 'quiet hours in Slack (C490)', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  beforeAll(async () => {
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket')
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
  })

  it('a question and a report stand in the thread and mention nobody until `/quiet off`', async () => {
    const { people, state } = whole.slack
    const set = await people.command('C1', 'UANA', '/quiet', 'every day')
    expect(JSON.stringify(set.reply)).toContain('Ana, your quiet hours are set: always')
    const ask = () => people.mention('C1', 'UANA', offsite)
    const first = ask()
    const { question, own, saying } = threadOf(whole.slack, 'C1', first.ts)
    await question()
    people.say('C1', 'UANA', 'Lisbon', { thread: first.ts })
    await saying(/: done\./)
    expect(JSON.stringify(own())).not.toContain('<@UANA>')

    await people.openHome('UANA')
    await until(() => JSON.stringify(state.views.get('UANA') ?? '').includes('Your quiet hours: '))

    await people.command('C1', 'UANA', '/quiet', 'off')
    const second = ask()
    const asked = await threadOf(whole.slack, 'C1', second.ts).question()
    expect(JSON.stringify(asked.blocks)).toContain('<@UANA>')
  })

  it('what is not understood whole sets nothing', async () => {
    const { people } = whole.slack
    const refused = await people.command('C1', 'UBEN', '/quiet', '6 to 9am')
    expect(JSON.stringify(refused.reply)).toContain('Write them like 18:00-9:00')
    const shown = await people.command('C1', 'UBEN', '/quiet', '')
    expect(JSON.stringify(shown.reply)).toContain('You haven’t set any quiet hours')
  })
})
