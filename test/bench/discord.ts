import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Person } from '../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/server.ts'
import type { Channel, Message } from '../fakes/discord/world.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { type Part, startPart } from './process.ts'
import { goalOf } from './script.ts'
import { table } from './table.ts'

const messages = 200
const tasks = 500
/** Discord takes four reactions a second in one channel, so the messages are spread as a large server spreads them. */
const channels = 60
/** An application has 50 requests a second for everything; a message that is answered in a new thread costs five. */
const everyMs = 120

/**
 * `npm run bench -- discord`: from a message on the gateway until it is stored, and until its author sees that it was seen;
 * against a local Discord with the real one's limits, idle and while 500 tasks go on.
 */
export async function discordBench(program: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'))
  const redis = await startNativeRedis(program)
  const endpoint = await startPart<number>(new URL('./server.ts', import.meta.url), {})
  const discord = await startFakeDiscord({ pace: 1 })
  const guild = discord.guild('Team')
  const places = Array.from({ length: channels }, (_, n) => discord.channel(guild, `channel-${n}`))
  const ana = discord.person('Ana')
  const clew = await startPart<object>(new URL('./discord-clew.ts', import.meta.url), {
    REDIS_URL: redis.url(0),
    DATA_DIR: folder,
    PORT: '0',
    ROLES: 'discord,worker,scheduler',
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
    OPENAI_BASE_URL: `http://127.0.0.1:${endpoint.ready}/v1`,
    OPENAI_MODEL: 'bench',
    AGENT_MAX_STEPS: '1000',
    AGENT_MAX_MODEL_CALLS: '1000',
    AGENT_MAX_TOOL_CALLS: '1000',
  })
  try {
    // Whatever else the machine does is in the figures too.
    const load = (loadavg()[0] ?? 0).toFixed(1)
    console.log(`Node ${process.version}, ${cpus().length} cores, load ${load} at the start.`)
    await discord.until(() => discord.gateway.connected() === 1, 'a connection', 60_000)
    await measured(discord, clew, ana, places, 40)
    const idle = await measured(discord, clew, ana, places, messages)
    for (let task = 0; task < tasks; task++) {
      ana.says(places[task % channels] ?? raise(), mention(discord, goalOf(20, 3_000)))
      await wait(everyMs)
    }
    await wait(5_000)
    const before = discord.log.length
    const busy = await measured(discord, clew, ana, places, messages)
    console.log(
      table(
        ['', 'stored p50', 'p99', 'longest', 'first sign p50', 'p99', 'longest'],
        [row('idle', idle), row(`${tasks} tasks`, busy)],
      ),
    )
    const all = discord.log.length
    console.log(
      `${all - before} requests meanwhile; ${discord.checked()} were checked, ${discord.violations.length} were wrong.`,
    )
  } finally {
    await clew.end()
    await discord.stop()
    await endpoint.end()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Times {
  stored: number[]
  signs: number[]
}

async function measured(
  discord: FakeDiscord,
  clew: Part<object>,
  ana: Person,
  places: readonly Channel[],
  count: number,
): Promise<Times> {
  const now = () => performance.timeOrigin + performance.now()
  const said = new Map<
    string,
    { message: Message; at: number; stored: number | null; sign: number | null }
  >()
  const hear = (news: { stored?: string; at?: number }) => {
    const entry = said.get(news.stored?.slice(2) ?? '')
    if (entry !== undefined) entry.stored ??= (news.at ?? 0) - entry.at
  }
  clew.child.on('message', hear)
  const unhook = discord.world.onChange(() => {
    for (const entry of said.values())
      if (entry.sign === null && entry.message.reactions.size > 0) entry.sign = now() - entry.at
  })
  for (let sent = 0; sent < count; sent++) {
    const at = now()
    const message = ana.says(
      places[sent % places.length] ?? raise(),
      mention(discord, 'Hello, how are you?'),
    )
    said.set(message.id, { message, at, stored: null, sign: null })
    await wait(everyMs)
  }
  const entries = [...said.values()]
  await discord.until(
    () => entries.every(({ stored, sign }) => stored !== null && sign !== null),
    'every message to be seen',
    60_000,
  )
  clew.child.off('message', hear)
  unhook()
  return {
    stored: entries.map(({ stored }) => stored ?? 0),
    signs: entries.map(({ sign }) => sign ?? 0),
  }
}

const mention = (discord: FakeDiscord, text: string) => `<@${discord.world.bot.id}> ${text}`

function row(name: string, { stored, signs }: Times): string[] {
  const at = (times: readonly number[], share: number) => {
    const sorted = times.toSorted((a, b) => a - b)
    return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)} ms`
  }
  return [
    name,
    ...[stored, signs].flatMap((times) => [0.5, 0.99, 1].map((share) => at(times, share))),
  ]
}

function raise(): never {
  throw new Error('there is no such channel')
}
