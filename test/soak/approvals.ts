import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConversationView } from '../../src/adapters/web/views.ts'
import type { StrategyName } from '../../src/agent/domain/task.ts'
import type { NativeRedis } from '../support/native-redis.ts'
import { createApi } from './api.ts'
import type { StartHost } from './crash.ts'
import { leftovers } from './history.ts'
import type { Host } from './host.ts'
import type { Target } from './points.ts'
import { effectsIn } from './tools.ts'

/** What people and the world outside saw of two bookings, of which one is approved and one refused. */
export interface ApprovalOutcome {
  /** Without the question that follows a booking that a crash cut off. */
  said: string[]
  booked: string[]
  interrupted: boolean
}

interface Played {
  outcome: ApprovalOutcome
  crashes: readonly string[]
  counts: ReadonlyMap<string, number>
}

const ana = { id: 'ana', name: 'Ana' }
const ben = { id: 'ben', name: 'Ben' }
const patienceMs = 120_000

/**
 * Plays one story under a strategy, crashes included: a task wants to book twice, Ben may not approve it, Ana approves the
 * first and refuses the second (P13). `booking` is unkeyed: a second call would be a second booking.
 *
 * @throws Error when something is booked without a yes, asked twice, or the story does not come to its end.
 */
export async function playApprovals(
  server: NativeRedis,
  database: number,
  {
    strategy,
    start,
    targets,
  }: { strategy: StrategyName; start: StartHost; targets: readonly Target[] },
): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-approvals-'))
  const redis = server.connect(database)
  try {
    await redis.flushdb()
    const settings = { AGENT_STRATEGY: strategy, AGENT_TOOL_APPROVAL: 'booking=always' }
    const options = { redisUrl: server.url(database), folder, worker: 'one', speed: 10, settings }
    const host = await start(options, targets)
    const outcome = await tell(host, folder, () => leftovers(redis)).finally(() => host.close())
    return { outcome, crashes: host.crashes, counts: host.counts }
  } finally {
    redis.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tell(
  host: Host,
  folder: string,
  left: () => Promise<string[]>,
): Promise<ApprovalOutcome> {
  const api = createApi(host)
  const opened = await api.post('/api/conversations', {
    text: 'Book both',
    clientMessageId: 'book',
    author: ana,
  })
  const id = String(opened.body.id)
  const until = async (holds: (view: ConversationView) => boolean): Promise<ConversationView> => {
    for (const end = Date.now() + patienceMs; ; await wait(20)) {
      const view = await api.conversation(id)
      if (holds(view)) return view
      if (Date.now() > end)
        throw new Error(`the thread does not come to: ${holds} — ${JSON.stringify(view.messages)}`)
    }
  }
  const booked = () => effectsIn(folder).map(({ input }) => input)
  const answer = (view: ConversationView, choice: string, author: typeof ana) =>
    api.post(`/api/questions/${view.question?.id}/answer`, { choice, author })
  const asks = (what: string) => (view: ConversationView) =>
    view.question?.text.includes(what) === true

  const first = await until(asks('Lisbon'))
  await answer(first, 'Approve', ben)
  assert.deepEqual(booked(), [], 'booked without a yes')
  await answer(first, 'Approve', ana)
  const next = await until((view) => asks('Porto')(view) || asks('interrupted')(view))
  const interrupted = asks('interrupted')(next)
  if (interrupted) await answer(next, 'It worked, go on', ana)
  const second = await until(asks('Porto'))
  const bookedOnce = booked()
  await answer(second, 'Refuse', ana)
  await until((view) => view.run?.status === 'succeeded')
  for (const end = Date.now() + patienceMs; (await left()).length > 0; await wait(20))
    if (Date.now() > end) throw new Error(`this stays undone: ${(await left()).join(', ')}`)
  assert.deepEqual(booked(), bookedOnce, 'booked after the no')
  const { messages } = await api.conversation(id)
  const said = messages
    .map(({ role, text }) => `${role}: ${text}`)
    .filter((text) => !/interrupted|It worked/.test(text))
  return { said, booked: booked(), interrupted }
}

/** @throws AssertionError that shows the difference to what the story has to come to. */
export function compare(outcome: ApprovalOutcome, expected: ApprovalOutcome): void {
  assert.deepEqual(outcome.said, expected.said)
  // A booking that was cut off may not have happened; any other one happened, and none ever twice.
  if (!outcome.interrupted) assert.deepEqual(outcome.booked, expected.booked)
  assert.ok(outcome.booked.length <= 1, 'booked twice')
}
