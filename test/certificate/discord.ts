import { textOf } from '../fakes/discord/people.ts'
import { type FakeDiscord, type Fault, startFakeDiscord } from '../fakes/discord/server.ts'
import { isThread, type Message } from '../fakes/discord/world.ts'
import { markOf, numbersIn, type Said, type Shown } from './count.ts'
import type { planOf, Saying } from './plan.ts'
import type { Stage, StageOptions } from './stage.ts'
import type { DiscordSide } from './system.ts'

/** Starts a Discord. A message is taken when a connection of the gateway takes its event, at once or after a resume. */
export async function startDiscord(
  { ownRules, keys }: DiscordSide,
  { plan, size }: StageOptions,
): Promise<Stage> {
  const pace = 60_000 / size.minuteMs
  const discord = await startFakeDiscord({ pace, ownRules })
  const { gateway, limits, token, url, world } = discord
  limits.settings.requestsASecond *= pace
  discord.fault(() => faults[plan.fault() ?? 'none'])
  const guild = discord.guild('Team')
  const channels = Array.from({ length: size.channels }, (_, at) =>
    discord.channel(guild, `channel-${at}`),
  )
  const people = ['Ana', 'Ben', 'Dan'].map((name) => discord.person(name))
  const said: Said[] = []
  const roots = new Map<number, Message>()
  /** Places of messages that were said in a channel: an answer may stand there too. */
  const openings = new Map<number, string>()
  const reached = new Set<unknown>()
  gateway.settings.reached = (t, d) => {
    if (t === 'MESSAGE_CREATE') reached.add((d as Message).id)
  }

  /** The thread that the system opened on a message; otherwise who writes next opens it. */
  async function speak({ number, thread }: Saying): Promise<void> {
    const [channel, person] = [channels[thread % channels.length], people[number % people.length]]
    if (channel === undefined || person === undefined) throw new Error('nobody, or nowhere')
    const root = roots.get(thread)
    const where = root === undefined ? channel : (world.channels.get(root.id) ?? person.opens(root))
    const message = person.says(where, `<@${world.bot.id}> Please answer ${markOf(number)}`)
    roots.set(thread, root ?? message)
    const place = `${channel.id} ${(root ?? message).id}`
    if (root === undefined) openings.set(number, place)
    said.push({
      number,
      place,
      at: Date.parse(message.timestamp),
      get taken() {
        return reached.has(message.id)
      },
    })
    const ms = plan.repeatMs()
    if (ms === null) return
    await new Promise((resolve) => setTimeout(resolve, ms))
    gateway.repeat(message)
  }
  return {
    keys: keys({ url, botToken: token, applicationId: world.applicationId }),
    said,
    speak,
    shown: () => shownIn(discord, openings),
    listens: () => gateway.connected() > 0,
    cut: () => discord.cut('rest'),
    mend: discord.mend,
    stop: discord.stop,
  }
}

const faults: Record<NonNullable<ReturnType<ReturnType<typeof planOf>['fault']>> | 'none', Fault> =
  {
    none: null,
    '429': {
      status: 429,
      body: { message: 'You are being rate limited.', retry_after: 1, global: false },
      headers: { 'Retry-After': '1', 'X-RateLimit-Scope': 'shared' },
    },
    cut_after: 'swallow',
    lost_before: 'lose',
    '500_after': { status: 503, done: true },
  }

const shownIn = ({ world }: FakeDiscord, openings: ReadonlyMap<number, string>): Shown[] =>
  [...world.channels.values()].flatMap((channel) =>
    channel.messages
      .filter(({ author }) => author.id === world.bot.id)
      .map((message) => {
        const text = `${textOf(message)} ${JSON.stringify(message.embeds)}`
        const opening = numbersIn(text).map((number) => openings.get(number))
        const place = isThread(channel)
          ? `${channel.parent_id} ${channel.id}`
          : (opening.find((at) => at?.startsWith(channel.id)) ?? channel.id)
        return { place, at: Date.parse(message.timestamp), text }
      }),
  )
