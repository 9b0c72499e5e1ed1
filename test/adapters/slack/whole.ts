import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '../../../src/clock.ts'
import { type Around, type Clew, startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { type FakeSlack, type FakeSlackOptions, startFakeSlack } from '../../fakes/slack/server.ts'
import type { FakeMessage } from '../../fakes/slack/state.ts'
import { freePort } from '../../support/free-port.ts'
import { silent } from '../../support/silent.ts'
import { until } from './support.ts'

export interface Whole {
  clew: Clew
  slack: FakeSlack
  stop(): Promise<void>
}

export type Mode = 'socket' | 'http'
const signingSecret = 'a-signing-secret'

/** All of Clew, as it is in production, on a real Redis and beside a local Slack. */
export async function startWhole(
  redisUrl: string,
  mode: Mode,
  options: {
    settings?: Record<string, string>
    slack?: FakeSlackOptions
    around?: Partial<Around>
  } = {},
): Promise<Whole> {
  const port = mode === 'http' ? await freePort() : 0
  const route = mode === 'http' ? httpRoute(port) : ({ kind: 'socket' } as const)
  const slack = await startFakeSlack({
    route,
    ackMs: 2_000,
    retryMs: [10, 100, 500],
    minuteMs: 300,
    ...options.slack,
  })
  const clew = await joinWhole(redisUrl, mode, slack, port, options)
  return {
    clew,
    slack,
    async stop() {
      await clew.stop()
      await slack.stop()
    },
  }
}

export const httpRoute = (port: number) => ({
  ...{ kind: 'http' as const, url: `http://127.0.0.1:${port}/slack/events`, signingSecret },
})

/** One more process's worth of Clew beside the same Slack. */
export async function joinWhole(
  redisUrl: string,
  mode: Mode,
  slack: FakeSlack,
  port: number,
  options: { settings?: Record<string, string>; around?: Partial<Around> } = {},
): Promise<Clew> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-slack-'))
  const config = readConfig({
    REDIS_URL: redisUrl,
    DATA_DIR: folder,
    PORT: String(port),
    ROLES: mode === 'http' ? 'web,slack,worker,scheduler' : 'slack,worker,scheduler',
    OPENAI_MODEL: 'rehearsal',
    REHEARSAL_PACE_MS: '0',
    AGENT_STRATEGY: 'step',
    SLACK_BOT_TOKEN: slack.state.bot.token,
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: slack.state.appToken }
      : { SLACK_SIGNING_SECRET: signingSecret }),
    SLACK_API_URL: slack.apiUrl,
    SLACK_PROGRESS_MS: '10',
    ...options.settings,
  })
  const clew = await startClew(config, {
    clock: createSystemClock(),
    log: silent,
    ...options.around,
  })
  return {
    ...clew,
    async stop() {
      await clew.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Picks "Open task" on a message and hands in the form that it opens; blank: nothing is written there. */
export async function openTask(
  slack: FakeSlack,
  user: string,
  { channel = 'C1', ts, text = '' }: { channel?: string; ts: string; text?: string },
) {
  await slack.people.shortcut(channel, user, ts, 'clew_open_task')
  await until(() => slack.state.forms.has(user))
  return await slack.people.submit(user, { text })
}

/** What a person sees of a thread, and how they wait for it. */
export function threadOf(slack: FakeSlack, channel: string, thread: string) {
  const messages = (): FakeMessage[] =>
    slack.state.channels
      .get(channel)
      ?.messages.filter((message) => message.thread_ts === thread || message.ts === thread) ?? []
  const own = () => messages().filter(({ user }) => user === slack.state.bot.user)
  const kindOf = (type: string) => own().filter(({ metadata }) => metadata?.event_type === type)
  return {
    messages,
    own,
    /** Everything but the plan. */
    said: () => kindOf('clew_delivery'),
    plan: () => kindOf('clew_plan')[0] ?? null,
    question: () =>
      until(() =>
        own().find(({ blocks }) =>
          buttonsOf(blocks).some(({ actionId }) => actionId.startsWith('clew:answer')),
        ),
      ),
    saying: (pattern: RegExp) => until(() => own().find(({ text }) => pattern.test(text))),
    reactions: (ts: string) => {
      const message = messages().find((one) => one.ts === ts)
      return Array.from(message?.reactions ?? [], ([name, users]) =>
        users.size > 0 ? name : '',
      ).filter(Boolean)
    },
  }
}
