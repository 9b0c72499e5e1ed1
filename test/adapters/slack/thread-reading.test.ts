import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { exchangeText } from '../../../src/agent/model/exchanges.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

/** What a model is asked, in the words of the request. */
const requests: string[] = []
const model = createFakeModel()
model.answer(({ contract }) => {
  if (contract === 'decision') return decides.run('Sum up the thread and make to-dos')
  if (contract === 'plan') return plans('Sum up')
  return contract === 'thought' ? closes('Summed up') : ends('Here is what was said.')
})
const recording: Model = {
  ...model,
  call(contract, input, signal) {
    const { context, transcript, tail } = promptFor(contract, input)
    requests.push([contract, context, ...transcript.map(exchangeText), tail].join('\n'))
    return model.call(contract, input, signal)
  },
}
const requestOf = (contract: string): string => requests.findLast((one) => one.startsWith(contract)) ?? ''
const threads = [
  {
    count: 3,
    by: 'UANA',
    line: (n: number) => `Point ${n}: buy cake no. ${n}`,
    ask: 'can you summarise this thread and make to-dos from it?',
  },
  { count: 30, by: 'ULI', line: (n: number) => `第${n}点：订${n}号会议室`, ask: '请总结这个讨论并列出待办事项' },
  {
    count: 300,
    by: 'UBEN',
    line: (n: number) => `Point ${n}: buy cake no. ${n}`,
    ask: 'can you summarise this thread and make to-dos from it?',
  },
]

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
    async ({ count, by, line, ask }) => {
      const { people } = whole.slack
      const root = people.write('C1', by, line(0), {
        files: [{ name: 'plan.pdf', mimetype: 'application/pdf', content: Buffer.from('x') }],
      })
      for (let n = 1; n < count; n++) people.write('C1', by, line(n), { thread: root.ts })
      people.mention('C1', 'UANA', ask, { thread: root.ts })
      await reported(root.ts)
      for (const contract of ['decision', 'plan']) {
        const request = requestOf(contract)
        const read = Array.from({ length: count }, (_, n) => line(n)).filter((one) => request.includes(`${one}\n`))
        expect(read[0]).toBe(line(0))
        expect(read.at(-1)).toBe(line(count - 1))
        expect(read).toHaveLength(Math.min(count, 200))
        expect(request).toContain('plan.pdf')
        expect(request.includes('More was said')).toBe(count > 200)
      }
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

  it('answers all the same, and says to the model that it could not read, without the scope of that kind of channel or when Slack tells it to wait (C70)', async () => {
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
    whole.slack.fail('conversations.replies', '429')
    const other = people.write('C1', 'UBEN', 'another plan')
    people.mention('C1', 'UANA', 'sum this up', { thread: other.ts })
    await reported(other.ts)
    expect(requestOf('decision')).toContain('the platform did not let you read it just now')
    await until(() => whole.slack.calls.some(({ outcome }) => outcome === 'missing_scope'))
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
    whole.slack.fail('conversations.replies', '429')
    people.mention('C1', 'UANA', 'and now?', { thread: said.ts })
    await until(() => requests.filter((one) => one.startsWith('decision')).length === 2)
    expect(requestOf('decision')).toContain('Ben: @Ana the venue is booked')
    expect(requestOf('decision')).not.toMatch(/boked|1234/)
    const message = state.channels.get('C1')?.messages.find(({ ts }) => ts === kept.ts)
    expect([...(message?.reactions.keys() ?? [])]).toEqual([])
  })
})
