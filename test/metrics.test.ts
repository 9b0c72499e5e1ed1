import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Conversation } from '../src/agent/domain/conversation.ts'
import type { Delivery } from '../src/agent/domain/delivery.ts'
import type { InboundEvent } from '../src/agent/domain/event.ts'
import type { Message } from '../src/agent/domain/message.ts'
import type { Channel, Intake, Sent } from '../src/agent/ports/channel.ts'
import type { Change, Commits, Lease } from '../src/agent/ports/store.ts'
import { untraced } from '../src/agent/ports/tracer.ts'
import type { Wakeups } from '../src/agent/ports/wakeups.ts'
import { createMetrics } from '../src/metrics.ts'
import { createManualClock } from './fakes/clock.ts'
import { createFakeModel, fails } from './fakes/model.ts'

const lease: Lease = { item: { kind: 'run', workspace: 'test:metrics', id: 'r1' }, fence: 1 }
const change: Change = {
  id: 'k1',
  at: 1,
  trace: [
    { of: 'r1', entry: { at: 1, what: { kind: 'status', status: 'running', reason: null } } },
    {
      of: 'r1',
      entry: {
        at: 1,
        what: {
          kind: 'model_call',
          contract: 'plan',
          ok: true,
          problem: null,
          ms: 1500,
          promptTokens: 40,
          completionTokens: 7,
        },
      },
    },
  ],
}
const answering = (kind: 'committed' | 'fenced'): Commits => ({
  commit: async () => (kind === 'committed' ? { kind, waiting: 0 } : { kind }),
})

it('counts model calls, tokens and statuses from the trace of what was committed (R69)', async () => {
  const metrics = createMetrics(createManualClock())
  await metrics.commits(answering('committed')).commit(lease, change)
  const text = await metrics.text()
  expect(text).toContain('clew_model_tokens_total{contract="plan",kind="prompt"} 40')
  expect(text).toContain('clew_model_call_seconds_sum{contract="plan",ok="true"} 1.5')
  expect(text).toContain('clew_run_status_total{status="running"} 1')
})

it('counts rows that were set aside, by list, and those that no thread was told of (P18)', async () => {
  const metrics = createMetrics(createManualClock())
  const aside = { id: 'd_1', row: '{', problem: 'no JSON' }
  const both = [
    { ...aside, list: 'outbox' as const },
    { ...aside, list: 'inbox' as const },
    { ...aside, list: 'progress' as const },
  ]
  await metrics.commits(answering('committed')).commit(lease, { ...change, aside: both })
  await metrics.commits(answering('fenced')).commit(lease, { ...change, aside: both })
  const text = await metrics.text()
  expect(metrics.untold()).toBe(2)
  const messages = [{ id: 'm_1' } as Message]
  await metrics.commits(answering('committed')).commit(lease, { ...change, aside: both, messages })
  expect(metrics.untold()).toBe(2)
  expect(text).toContain('clew_set_aside_total{list="outbox"} 1')
  expect(text).toContain('clew_set_aside_total{list="inbox"} 1')
})

it('counts nothing of a commit that was refused', async () => {
  const metrics = createMetrics(createManualClock())
  await metrics.commits(answering('fenced')).commit(lease, change)
  expect(await metrics.text()).not.toContain('contract="plan"')
})

it('shows how much of each allowance is used, the highest of the day and month (C132)', async () => {
  const none = { tokens: null, cost: null }
  const all = { person: none, channel: none, team: none }
  const limits = {
    day: { ...all, person: { tokens: 100, cost: null } },
    month: { ...all, team: { tokens: null, cost: 2 } },
  }
  const metrics = createMetrics(createManualClock(), {
    ...limits,
    timeZone: 'UTC',
    currency: 'USD',
  })
  const count = async (day: string, tokens: number) => {
    const usage = { promptTokens: tokens, completionTokens: 0, cost: tokens * 10_000 }
    const used = { person: usage, channel: null, team: usage }
    const commits: Commits = {
      commit: async () => ({ kind: 'committed', waiting: 0, usage: { day: used, month: used } }),
    }
    await metrics
      .commits(commits)
      .commit(lease, { ...change, usage: { day, person: 'ana', channel: null, ...usage } })
  }
  await count('2026-03-04', 90)
  await count('2026-03-04', 50)
  expect(metrics.allowances()).toEqual({ person_day: 0.9, team_month: 0.45 })
  expect(await metrics.text()).toContain('clew_allowance_used_share{ceiling="person_day"} 0.9')
  await count('2026-03-05', 10)
  expect(metrics.allowances()).toEqual({ person_day: 0.1, team_month: 0.45 })
})

/** A channel of which only the way in and the ways out matter. */
function channelWith(sent: Sent) {
  let intake: Intake | undefined
  const channel = {
    ...{ platform: 'test', progressEveryMs: 0, health: () => ({ ok: true, detail: '' }) },
    start: async (take: Intake) => {
      intake = take
    },
    ...{
      stop: async () => {},
      send: async () => sent,
      show: async () => sent,
      find: async () => null,
    },
  } satisfies Channel
  return {
    channel,
    say: async (event: Partial<InboundEvent>) => await intake?.(event as InboundEvent),
  }
}
const thread = { id: 'c_1' } as Conversation
const deliveryAt = (at: number) => ({ id: 'd_1', at, body: { kind: 'message' } }) as Delivery

it('times what people wait for: until it is stored, until the first sign, until a platform has it (C189)', async () => {
  const clock = createManualClock({ start: 10_000 })
  const metrics = createMetrics(clock)
  const { channel, say } = channelWith({ kind: 'sent', ref: 'm1' })
  const watched = metrics.channel(channel)
  await watched.start(async () => ({
    kind: 'accepted',
    conversationId: 'c_1',
    messageId: 'm_1',
    entryId: 'e_1',
  }))
  const content = { kind: 'message' as const, text: 'Hello', forSomeoneElse: false }
  await say({ content: { ...content, addressed: false } })
  await watched.send(deliveryAt(10_000), thread)
  expect(await metrics.text()).not.toContain('clew_first_sign_seconds_count{platform="test"}')
  await say({ content: { ...content, addressed: true } })
  await clock.advance(2_000)
  await watched.send(deliveryAt(10_000), thread)
  await watched.send(deliveryAt(10_000), thread)
  const text = await metrics.text()
  expect(text).toContain('clew_intake_seconds_count{platform="test",outcome="accepted"} 2')
  expect(text).toContain('clew_first_sign_seconds_count{platform="test"} 1')
  expect(text).toContain('clew_delivery_seconds_sum{platform="test",kind="message"} 4')
  expect(text).toContain('clew_deliveries_total{platform="test",outcome="sent"} 3')
})

it('counts what was not sent by what came of it (C189)', async () => {
  const metrics = createMetrics(createManualClock())
  await metrics
    .channel(channelWith({ kind: 'later', afterMs: 5 }).channel)
    .send(deliveryAt(0), thread)
  const text = await metrics.text()
  expect(text).toContain('clew_deliveries_total{platform="test",outcome="later"} 1')
  expect(text).not.toContain('clew_delivery_seconds_count{')
})

it('says how long the oldest delivery waits that is tried here, until it is there or another process has it (C258)', async () => {
  const clock = createManualClock({ start: 100_000 })
  const metrics = createMetrics(clock)
  const answers: Sent[] = [
    { kind: 'unknown' },
    { kind: 'later', afterMs: 30_000 },
    { kind: 'sent', ref: 'm' },
  ]
  const { channel } = channelWith({ kind: 'unknown' })
  const watched = metrics.channel({
    ...channel,
    send: async () => answers.shift() ?? { kind: 'unknown' },
  })
  const age = async () =>
    /clew_outbox_age_seconds\{platform="test"\} (\d+)/.exec(await metrics.text())?.[1]
  expect(await age()).toBe('0')
  await watched.send(deliveryAt(90_000), thread)
  await watched.send({ ...deliveryAt(40_000), id: 'd_2' }, thread)
  expect(await age()).toBe('60')
  await clock.advance(70_000)
  expect(await age(), 'the first was not tried again here').toBe('130')
  await watched.send({ ...deliveryAt(40_000), id: 'd_2' }, thread)
  expect(await age()).toBe('0')
})

it('times each step that came to something (C258)', async () => {
  const metrics = createMetrics(createManualClock())
  const steps = metrics.steps(untraced)
  const came = (result: number) => result > 0
  expect(await steps({ kind: 'step', came }, async () => 1)).toBe(1)
  await steps({ kind: 'step', came }, async () => 0)
  expect(await metrics.text()).toContain('clew_step_seconds_count 1')
})

it('says how long runs wait and take, and how commits come out (C189)', async () => {
  const metrics = createMetrics(createManualClock())
  const status = (status: 'running' | 'failed', ms: number) => ({
    of: 'r1',
    entry: { at: 1, what: { kind: 'status' as const, status, reason: null, ms } },
  })
  const runs: Change = {
    id: 'k2',
    at: 1,
    trace: [status('running', 2_000), status('failed', 90_000)],
  }
  await metrics.commits(answering('committed')).commit(lease, runs)
  await metrics.commits(answering('fenced')).commit(lease, runs)
  const text = await metrics.text()
  expect(text).toContain('clew_run_wait_seconds_sum 2')
  expect(text).toContain('clew_run_seconds_sum{status="failed"} 90')
  expect(text).toContain('clew_commit_seconds_count{outcome="fenced"} 1')
})

it('counts requests to models by the kind of their failure (C189, C91)', async () => {
  const metrics = createMetrics(createManualClock())
  const fake = createFakeModel()
  fake.on('chat', fails('unavailable'))
  await metrics.model(fake).call('chat', {} as never, new AbortController().signal)
  expect(await metrics.text()).toMatch(/clew_model_answers_total\{outcome="\w+"\} 1/)
})

it('says whether any process works on tasks, and keeps its last word while the queue is away (C567)', async () => {
  const metrics = createMetrics(createManualClock())
  let state: Awaited<ReturnType<Wakeups['health']>> = { ok: false, detail: 'does not answer' }
  const nothing = async () => {}
  const health = async () => state
  metrics.wakeups({ wake: nothing, start: nothing, stop: nothing, health })
  expect(await metrics.text()).toContain('clew_worker_running 1')
  state = { ok: false, noWorker: true, detail: '' }
  expect(await metrics.text()).toContain('clew_worker_running 0')
  state = { ok: false, detail: 'does not answer' }
  expect(await metrics.text()).toContain('clew_worker_running 0')
})

it('has every name that the dashboard and the alert rules ask for, and shows every one of its own (C189)', async () => {
  const text = await createMetrics(createManualClock()).text()
  const known = [...text.matchAll(/^# TYPE (clew_\w+)/gm)].map(([, name = '']) => name)
  const dashboard = readFileSync('docs/monitoring/dashboard.json', 'utf8')
  const rules = readFileSync('docs/monitoring/alerts.yml', 'utf8')
  const asked = [...`${dashboard}${rules}`.matchAll(/clew_\w+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )
  expect(asked.length).toBeGreaterThan(20)
  for (const name of asked) expect(known).toContain(name)
  const own = known.filter((name) => !/^clew_(?:process|nodejs)_/.test(name))
  for (const name of own) expect(dashboard, name).toContain(name)
  expect(JSON.parse(dashboard)).toMatchObject({ title: 'Clew' })
  const alerts = (
    parse(rules) as { groups: { rules: { alert: string; expr: string; annotations: object }[] }[] }
  ).groups
  for (const rule of alerts.flatMap((group) => group.rules))
    expect(Object.keys(rule.annotations), rule.alert).toEqual(['summary', 'description'])
})
