import { afterAll, beforeAll, expect, it } from 'vitest'
import { newConversation } from '../../../src/agent/domain/conversation.ts'
import type { Message } from '../../../src/agent/domain/message.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { createTeamSearchTool } from '../../../src/agent/tools/team-search.ts'
import { createSights } from '../../../src/compose/sights.ts'
import { fieldsOf } from '../../../src/store/redis/codec.ts'
import { wordsFrom } from '../../../src/store/redis/indexed-words.ts'
import { keysOf, workspacesKey } from '../../../src/store/redis/keys.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { toolContext } from '../../agent/tools/context.ts'
import { at } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

const workspace = 'slack:T1'
const keys = keysOf(workspace)
const count = 10_000
/** Questions, and what was said when it was decided: not always with all words of the question. */
const decisions: readonly (readonly [question: string, said: string])[] = [
  ['What did we decide about pricing for schools?', 'Pricing: schools pay 11 crowns a seat'],
  [
    'Which venue did we choose for the offsite?',
    'The offsite is in the old mill, venue is booked: 12',
  ],
  ['What was the budget for the launch party?', 'Launch party: budget of 13 is fine'],
  ['Who keeps the keys of the archive?', 'Keys of the archive are with desk 14'],
  ['When do we stop support of version four?', 'Support of version four ends on day 15'],
  ['What did we say about refunds for late orders?', 'Late orders: refunds of 16 percent'],
  ['How long is the trial of the premium plan?', 'We give the premium trial 17 days'],
  ['Which colour did we choose for the logo?', 'Logo: the colour with number 18'],
  ['What did we decide about remote work on Fridays?', 'Remote on Fridays is fine, rule 19'],
  ['Where do we host the new database?', 'The database goes to hall 20 of the new host'],
  ['What discount do partners get?', 'Partners: discount is 21 percent'],
  ['Did we agree on a deadline for the audit?', 'Audit deadline is day 22'],
  ['What was decided about the parking permits?', 'Parking: 23 permits this year'],
  ['How many interns do we hire in summer?', 'Summer: we hire 24 interns'],
  ['Which bank did we choose for payroll?', 'Payroll moves to bank 25'],
  ['What did we promise Müller about delivery?', 'Muller gets the delivery within 26 days'],
  ['What is the retention for camera footage?', 'Camera footage: retention of 27 days'],
  ['学校的 定价 我们 怎么 定 的', '定价：学校每个座位 28 元'],
  ['团建 预算 我们 定 了 多少', '团建预算定为 29 元'],
  [
    'What did we settle on for the coffee machine lease?',
    'Coffee: we lease the machine for 30 a month',
  ],
]
const asking =
  /^(what|which|who|when|where|how|long|many|did|do|does|was|is|the|of|a|an|for|about|on|in|to|we|say|said|decide|decided|choose|agree|promise|settle|get|give|学校的|我们|怎么|定|的|了|多少)$/i

/** A model that does as the tool's description asks: names and things of the question, none of its asking. */
const searchWords = (question: string): string =>
  question
    .split(/[\s?？]+/)
    .filter((word) => word !== '' && !asking.test(word))
    .slice(0, 5)
    .join(' ')

describeWith('redis-server', 'decisions among thousands of threads', (program) => {
  let server: RedisServer
  let store: Store
  beforeAll(async () => {
    server = await startRedis(program)
    const redis = server.connect()
    store = createRedisStore({ redis, clock: createManualClock(), worker: 'w' })
    await redis.sadd(workspacesKey, workspace)
    const single = decisions.map(([question]) => searchWords(question).split(' '))
    const batch = redis.pipeline()
    const add = (n: number, channel: string, said: string) => {
      const time = at + 1_000 * n
      const address = { workspace, channel, thread: `t${n}` }
      const thread = newConversation({ id: `c_${n}`, address, at: time, title: `Thread ${n}` })
      const message: Message = {
        ...{
          version: 1,
          id: `m${n}`,
          role: 'user',
          author: { id: 'ben', name: 'Ben' },
          text: said,
        },
        ...{ at: time, source: { kind: 'event', refId: `m${n}` }, questionId: null },
      }
      const own = keys.conversation(thread.id)
      const words = wordsFrom({ ...thread, messages: [message] }).split(' ')
      batch.hset(own.row, ...fieldsOf(thread))
      batch.rpush(own.messages, JSON.stringify(message))
      batch.zadd(keys.conversations, time, thread.id)
      batch.sadd(own.words, ...words)
      batch.zadd(keys.words.all, ...words.flatMap((word) => [0, `${word}\0${thread.id}`]))
    }
    for (let n = 0; n < count; n++) {
      const words = single[n % single.length] ?? []
      const word = words[Math.floor(n / single.length) % words.length]
      add(n, `C${n % 10}`, `Somebody asked again: ${word}, nothing else, entry ${n}`)
    }
    for (const [n, [, said]] of decisions.entries()) {
      add(n * 437, `C${n % 5}`, said)
      add(count + n, `C${5 + (n % 5)}`, `${said} SECRET`)
    }
    await batch.exec()
  })
  afterAll(() => server.stop())

  it('are found in at least 18 of 20 questions by the words of the question, of channels of the asker alone (C820, C821, S83)', async () => {
    const tool = createTeamSearchTool({
      ...store,
      sights: createSights({
        sources: [
          {
            platform: 'slack',
            places: async () => ({
              has: async (channel) => channel < 'C5',
              isOpenTo: async () => true,
            }),
          },
        ],
        mayUse: () => true,
        isAlone: () => false,
        workspaces: async () => [workspace],
      }),
      linkTo: () => null,
      toolFor: () => null,
    })
    const missed: string[] = []
    for (const [question, said] of decisions) {
      const context = toolContext({ workspace, channel: 'C1' })
      const { text } = await tool.run(searchWords(question), context)
      expect(text).not.toContain('SECRET')
      if (!text.includes(said)) missed.push(question)
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(2)
  })
})
