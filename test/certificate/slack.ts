import { type FakeSlack, startFakeSlack } from '../fakes/slack/server.ts'
import { markOf, type Said } from './count.ts'
import { ackMs, type Saying } from './plan.ts'
import type { Stage, StageOptions } from './stage.ts'
import type { SlackSide } from './system.ts'

const signingSecret = 'a-signing-secret'
const people = ['UANA', 'UBEN', 'UDAN'] as const

/** Starts a Slack that delivers events over HTTP. A message is taken when an event of it is acknowledged. */
export async function startSlack(
  { path, events, keys }: SlackSide,
  { port, plan, size }: StageOptions,
): Promise<Stage> {
  const { minuteMs } = size
  const slack = await startFakeSlack({
    route: { kind: 'http', url: `http://127.0.0.1:${port}${path}`, signingSecret },
    ackMs,
    // At once, after one minute and after five.
    retryMs: [0, minuteMs, 5 * minuteMs],
    minuteMs,
    chance: plan.fault,
    repeatMs: plan.repeatMs,
  })
  slack.state.bot.events = new Set(events)
  openChannels(slack, size.channels)
  const said: Said[] = []
  const roots = new Map<number, string>()

  async function speak({ number, thread }: Saying): Promise<void> {
    const channel = `C${thread % size.channels}`
    const root = roots.get(thread)
    const { ts, delivered } = slack.people.mention(
      channel,
      people[number % people.length] ?? 'UANA',
      `Please answer ${markOf(number)}`,
      root === undefined ? {} : { thread: root },
    )
    roots.set(thread, root ?? ts)
    const one: Said = {
      number,
      place: `${channel} ${root ?? ts}`,
      at: timeOf(ts),
      taken: false,
    }
    said.push(one)
    one.taken = (await delivered).some(({ acked }) => acked)
  }
  return {
    keys: keys({ url: slack.apiUrl, botToken: slack.state.bot.token, signingSecret }),
    said,
    speak,
    shown: () => shownIn(slack),
    listens: () => true,
    cut: slack.cut,
    mend: slack.mend,
    stop: slack.stop,
  }
}

function openChannels({ state }: FakeSlack, channels: number): void {
  const members = new Set(state.users.keys())
  for (let at = 0; at < channels; at++)
    state.channels.set(`C${at}`, {
      id: `C${at}`,
      kind: 'channel',
      archived: false,
      messages: [],
      members,
    })
}

const timeOf = (ts: string): number => Number(ts) * 1_000

const shownIn = ({ state }: FakeSlack) =>
  [...state.channels.values()].flatMap(({ id, messages }) =>
    messages
      .filter(({ user }) => user === state.bot.user)
      .map(({ ts, thread_ts: thread, text, blocks }) => ({
        place: `${id} ${thread}`,
        at: timeOf(ts),
        text: `${text} ${JSON.stringify(blocks)}`,
      })),
  )
