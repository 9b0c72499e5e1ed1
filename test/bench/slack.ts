import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../adapters/slack/support.ts'
import { startWhole, type Whole } from '../adapters/slack/whole.ts'
import type { Delivered } from '../fakes/slack/events.ts'
import { busyModel } from './busy.ts'

const running = 500
const measured = 300
const channels = 50

/*
 * The local Slack runs in the same process as Clew here, so every figure has its work in it too. `redis` is a fresh database.
 */

/** P4, and what people see first, with 500 runs going on whose model takes three seconds a call. */
export async function slackFigures(redisUrl: string): Promise<void> {
  const whole = await startWhole(redisUrl, 'socket', {
    settings: { AGENT_MAX_STEPS: '1000', AGENT_MAX_MODEL_CALLS: '1000', SLACK_PROGRESS_MS: '1500' },
    slack: { ackMs: 3_000, retryMs: [], minuteMs: null },
    around: { model: busyModel(3_000) },
  })
  openChannels(whole)
  try {
    console.log('Slack, over Socket Mode, with Clew and the local Slack in one process:')
    print('event → acknowledged, idle', await mentions(whole, measured))
    await Promise.all(
      Array.from({ length: running }, (_, index) =>
        mention(whole, index, 'work on something long'),
      ),
    )
    await until(() => whole.slack.calls.filter(isPlan).length >= 3, 60_000)
    print(
      `event → acknowledged, ${running} runs going on (P4: p99 500 ms)`,
      await mentions(whole, measured),
    )
    print('event → first visible sign (the mark of receipt)', await signs(whole, 100))
  } finally {
    await whole.stop()
  }
}

/** How much arrives in a minute under Slack's own limits, and what waits for what. */
export async function slackDeliveries(redisUrl: string): Promise<void> {
  const seconds = 30
  const whole = await startWhole(redisUrl, 'socket', {
    settings: { AGENT_MAX_STEPS: '1000', AGENT_MAX_MODEL_CALLS: '1000', SLACK_PROGRESS_MS: '1500' },
    slack: { ackMs: 3_000, retryMs: [], minuteMs: 60_000 },
    around: { model: busyModel(1_000) },
  })
  openChannels(whole)
  try {
    for (let index = 0; index < 100; index++) await mention(whole, index, 'work on something long')
    await wait(5_000)
    const from = Date.now()
    const waits: number[] = []
    while (Date.now() - from < seconds * 1_000) {
      const began = performance.now()
      const said = whole.slack.people.mention(`CB${waits.length % channels}`, 'UANA', 'todo list')
      await said.delivered
      await until(
        () =>
          whole.slack.state.channels
            .get(`CB${waits.length % channels}`)
            ?.messages.some(
              ({ thread_ts: thread, user }) => thread === said.ts && user === 'U0CLEW',
            ),
        60_000,
      )
      waits.push(performance.now() - began)
      await wait(300)
    }
    const calls = whole.slack.calls.filter(({ at }) => at >= from)
    const perMinute = (method: string, outcome: string) =>
      Math.round(
        (calls.filter((call) => call.method === method && call.outcome === outcome).length * 60) /
          seconds,
      )
    console.log(
      `With 100 runs going on and Slack's limits: ${perMinute('chat.update', 'ok')} updates and ${perMinute('chat.postMessage', 'ok')} messages a minute were taken; ${perMinute('chat.update', '429')} and ${perMinute('chat.postMessage', '429')} were sent away with 429.`,
    )
    print('answer to a command meanwhile', waits)
  } finally {
    await whole.stop()
  }
}

const isPlan = ({ method, args }: { method: string; args: Readonly<Record<string, string>> }) =>
  method === 'chat.postMessage' && (args.metadata ?? '').includes('clew_plan')

function openChannels({ slack: { state } }: Whole): void {
  for (let index = 0; index < channels; index++) {
    const members = new Set(['UANA', 'U0CLEW'])
    state.channels.set(`CB${index}`, {
      id: `CB${index}`,
      kind: 'channel',
      members,
      archived: false,
      messages: [],
    })
  }
}

const mention = async ({ slack }: Whole, index: number, text: string): Promise<Delivered[]> =>
  await slack.people.mention(`CB${index % channels}`, 'UANA', text).delivered

async function mentions(whole: Whole, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const delivered = await mention(whole, index, 'todo list')
    times.push(...delivered.map(({ acked, ms }) => (acked ? ms : Number.POSITIVE_INFINITY)))
    await wait(10)
  }
  return times
}

async function signs(whole: Whole, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const began = performance.now()
    const said = whole.slack.people.mention(`CB${index % channels}`, 'UANA', 'todo list')
    await until(() =>
      whole.slack.calls.some(
        ({ method, args }) => method === 'reactions.add' && args.timestamp === said.ts,
      ),
    )
    times.push(performance.now() - began)
  }
  return times
}

function print(name: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  console.log(
    `  ${name}: ${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms (longest), ${sorted.length} measured`,
  )
}
