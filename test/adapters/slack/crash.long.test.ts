import { expect, it } from 'vitest'
import { crossings, nameOf } from '../../soak/points.ts'
import { compare, playInSlack, type SlackOutcome } from '../../soak/slack.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { describeWith } from '../../support/programs.ts'

const expected: SlackOutcome = {
  said: [
    '*To-dos* · 1 open\n- *#1* Call the venue · `offsite`',
    'Offsite: done.\n\nAll of it is done.',
    'Scheduled *#1* Count the orders · every day at 09:00',
    'Shall I remember this for this thread? `thread-1` *habit*: The team looks around first',
    'Starting now, in addition to the planned times: *#1* Count the orders · every day at 09:00',
    '✅ Ana: Lisbon',
  ],
  opened: [['Count the orders: done.\n\nAll of it is done.', 'You said: And yesterday?']],
  plans: 1,
  stopped: [
    'Stopped by Ana. There was one step, and I hadn’t finished it.\n\nThe request was “Dig”.',
  ],
  deleted: [
    'The message that asked for this was deleted, so I’ve stopped. There was one step, and I hadn’t finished it.\n\nThis was already done, and I haven’t undone it:\n- *ledger* mined\n\nThe request was “Deleted request”.',
  ],
  regretted: [],
  outcomes: [
    '!schedule add every day at 9:00 Count the orders: command',
    '!schedule run 1: command',
    '!todo list: command',
    'And yesterday?: answered',
    'Dig: started',
    'Keep it cheap, please: joined',
    'Lisbon: answer',
    'Organise the offsite in Lisbon or Porto: started',
    'please stop: answered',
  ],
  effects: ['booking Lisbon', 'ledger checked the price', 'ledger looked around', 'ledger mined'],
}

/** `npm run soak -- slack` takes all points, one by one. */
describeWith('redis-server', 'a crash on the way through Slack (the short soak)', (program) => {
  it('loses and doubles nothing by kill -9 at ten points where a message, a question and a click cross (P1, P2, P3, P20)', async () => {
    const server = await startNativeRedis(program)
    try {
      const { outcome, crashes } = await playInSlack(server, 0, crossings)
      console.info(`Slack was crossed by kill -9 at ${crashes.join(', ')}.`)
      expect(crashes).toEqual(crossings.map(nameOf))
      compare(outcome, expected)
    } finally {
      await server.stop()
    }
  })
})
