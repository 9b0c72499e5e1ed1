import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { labelsOf, textOf } from '../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/server.ts'
import { componentsIn } from '../fakes/discord/validate.ts'
import type { Channel, Message } from '../fakes/discord/world.ts'
import type { NativeRedis } from '../support/native-redis.ts'
import { startChildHost } from './child-host.ts'
import type { StartHost } from './crash.ts'
import { gateFile } from './instance.ts'
import type { Target } from './points.ts'
import { effectsIn } from './tools.ts'

/** What a story in Discord came to: everything that was said in its thread, sorted, and how many plans it shows. */
export interface DiscordOutcome {
  said: string[]
  /** The reports that opened threads, and what was said in those. */
  opened: string[]
  plans: number
  marks: string[]
  /** What was said in the thread of the task that people stopped. */
  stopped: string[]
  /** What was said in the thread of the task whose request was deleted. */
  deleted: string[]
  /** What is shown of the mention that was deleted before its thread was open. */
  regretted: string[]
  /** To-dos of the channel in the end, as a command lists them. */
  listed: string
}
interface Played {
  outcome: DiscordOutcome
  crashes: readonly string[]
  counts: ReadonlyMap<string, number>
}

/** What a step of the story may take, three stories at once on a machine that does other things too; only a loss waits so long. */
const storyMs = 120_000
const worked = 'It worked, go on'
const roles = 'discord,worker,scheduler'

/**
 * Plays one story in the local Discord, with lives of Clew that end by kill -9 at their targets: a mention, a message while
 * it works, a question, presses until one is heard, a report, commands, a schedule that opens a thread, a reply there.
 *
 * @throws Error when the story does not come to its end or something was sent that Discord refuses.
 */
export async function playInDiscord(
  server: NativeRedis,
  database: number,
  targets: readonly Target[],
  start: StartHost = startChildHost,
): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-discord-'))
  const redis = server.connect(database)
  await redis.flushdb()
  redis.disconnect()
  const discord = await startFakeDiscord()
  const guild = discord.guild('Team')
  const general = discord.channel(guild, 'general')
  const settings = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url }
  // Time is the real one: Discord's own ids are made of it.
  const options = {
    redisUrl: server.url(database),
    folder,
    worker: 'one',
    speed: 1,
    roles,
    settings,
  }
  try {
    // What was said before Clew came is not for it, however often it is started (C440).
    const early = discord.person('Early').says(general, `<@${discord.world.bot.id}> Organise`)
    // Clew has been in this server before; what a story tells is not its first minute.
    const before = await start(options, [])
    await discord.until(() => discord.commands.size > 0, 'the first life')
    await before.close()
    const host = await start(options, targets)
    const told = await tell(discord, general, folder).finally(() => host.close())
    assert.deepEqual(discord.violations, [])
    assert.equal(discord.world.channels.has(early.id), false)
    return {
      outcome: outcomeOf(discord, general, told),
      crashes: host.crashes,
      counts: host.counts,
    }
  } finally {
    await discord.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tell(discord: FakeDiscord, general: Channel, folder: string) {
  const { world } = discord
  const [ana, ben] = [discord.person('Ana'), discord.person('Ben')]
  const ours = (channel: Channel) =>
    channel.messages.filter(({ author }) => author.id === world.bot.id)
  const until = <T>(look: () => T | null | undefined | false, what: string) =>
    discord.until(look, what, storyMs)

  const asked = ana.says(general, `<@${world.bot.id}> Organise the offsite in Lisbon or Porto`)
  const thread = await until(() => world.channels.get(asked.id), 'a thread')
  await until(
    () => ours(thread).some((one) => isPlan(one) && textOf(one).includes('Look around')),
    'a plan',
  )
  const more = ben.says(thread, 'Keep it cheap, please')
  await until(() => more.reactions.has('👍'), 'the message to be taken in')
  writeFileSync(gateFile(folder, 'joined'), '')
  const question = await until(
    () => ours(thread).find((one) => labelsOf(one).includes('Lisbon')),
    'a question',
  )
  // A press that meets a dead process fails before the person's eyes, and they press again.
  while (labelsOf(question).length > 0) {
    ana.clicks(question, 'Lisbon')
    const closed = discord.until(
      () => labelsOf(question).length === 0,
      'an answered question',
      3_000,
    )
    await closed.catch(() => undefined)
  }
  // A booking that was cut off is asked about (rule 5); people say that it worked.
  const reassured = new Set<Message>()
  await until(() => {
    const asks = ours(thread).find((one) => labelsOf(one).includes(worked) && !reassured.has(one))
    if (asks !== undefined) {
      reassured.add(asks)
      ana.clicks(asks, worked)
    }
    return ours(thread).some((one) => /All of it is done/.test(textOf(one)))
  }, 'the report')
  ana.says(thread, '!todo list')
  await until(() => ours(thread).some((one) => /Call the venue/.test(one.content)), 'the list')
  await until(
    () => ours(thread).some((one) => isPlan(one) && /Done/.test(textOf(one))),
    'the finished plan',
  )
  ana.says(thread, '!schedule add every day at 9:00 Count the orders')
  await until(
    () => ours(thread).some((one) => /#1.*Count the orders/.test(one.content)),
    'the schedule',
  )
  ana.says(thread, '!schedule run 1')
  const root = await until(() => ours(general)[0], 'a report in the channel')
  const report = await until(() => world.channels.get(root.id), 'a thread below it')
  ben.says(report, 'And yesterday?')
  await until(
    () => ours(report).some((one) => /And yesterday/.test(one.content)),
    'an answer to the reply',
  )
  const stopped = await stops(discord, ana, general)
  const deleted = await deletes(discord, ana, { general, folder })
  // C443: a command that Discord has taken is carried out once; one that it reports as failed is given again.
  await runs(discord, ana, general, { path: ['todo', 'add'], values: { text: 'Buy milk' } })
  const listed = await runs(discord, ana, general, { path: ['todo', 'list'], values: {} })
  return { thread, report, stopped, deleted, listed }
}

type Told = Awaited<ReturnType<typeof tell>>
type Person = ReturnType<FakeDiscord['person']>

/** C330: a task that works is stopped politely. */
async function stops(discord: FakeDiscord, ana: Person, general: Channel): Promise<Channel> {
  const { world } = discord
  const until = <T>(look: () => T | null | undefined | false, what: string) =>
    discord.until(look, what, storyMs)
  const asked = ana.says(general, `<@${world.bot.id}> Dig`)
  const thread = await until(() => world.channels.get(asked.id), 'a thread to stop in')
  const holds = (pattern: RegExp) => () => thread.messages.some((one) => pattern.test(textOf(one)))
  await until(holds(/Working/), 'a task that works')
  ana.says(thread, 'please stop')
  await until(holds(/Stopped by Ana/), 'its end')
  await until(() => thread.messages.some((one) => isPlan(one) && /Stopped/.test(textOf(one))), 'a')
  return thread
}

/** C336: what is deleted before its thread is open begins nothing, and stops what it began. */
async function deletes(
  discord: FakeDiscord,
  ana: Person,
  { general, folder }: { general: Channel; folder: string },
): Promise<Channel> {
  const { world } = discord
  const until = <T>(look: () => T | null | undefined | false, what: string) =>
    discord.until(look, what, storyMs)
  ana.deletes(ana.says(general, `<@${world.bot.id}> Regret`))
  const asked = ana.says(general, `<@${world.bot.id}> Mine`)
  const thread = await until(() => world.channels.get(asked.id), 'a thread of a request')
  const shows = (pattern: RegExp) =>
    until(() => thread.messages.some((one) => pattern.test(textOf(one))), `${pattern}`)
  await shows(/Working/)
  await until(() => effectsIn(folder).some(({ input }) => input === 'mined'), 'an effect')
  ana.deletes(asked)
  await shows(/was deleted/)
  await until(() => thread.messages.some((one) => isPlan(one) && /Stopped/.test(textOf(one))), 'b')
  writeFileSync(gateFile(folder, 'regretted'), '')
  return thread
}

async function runs(
  discord: FakeDiscord,
  ana: Person,
  general: Channel,
  { path, values }: { path: string[]; values: Record<string, string> },
): Promise<string> {
  for (;;) {
    const made = ana.runs(general, path, values)
    const isTaken = await discord
      .until(() => made.answered, 'an acknowledgement', 3_500)
      .catch(() => null)
    if (isTaken === null) continue
    const said = await discord.until(() => made.ephemeral[0], 'what came of a command', storyMs)
    if (!/couldn’t save that|longer than usual/.test(said)) return said
  }
}

const isPlan = (message: Message) =>
  componentsIn(message.components).some(({ type }) => type === 17)

function outcomeOf(
  discord: FakeDiscord,
  general: Channel,
  { thread, report, stopped, deleted, listed }: Told,
): DiscordOutcome {
  const own = ({ messages }: Channel) =>
    messages.filter(({ author }) => author.id === discord.world.bot.id)
  const ours = own(thread).filter((one) => !/I was interrupted while using/.test(one.content))
  const people = [...general.messages, ...thread.messages, ...report.messages].filter(
    ({ author }) => !author.bot,
  )
  return {
    said: ours
      .filter((one) => !isPlan(one))
      .map((one) =>
        textOf(one)
          .replace(/<@\d+>/g, '@')
          .replace(/<t:\d+:F>/g, '<time>'),
      )
      .sort(),
    opened: [...own(general), ...own(report)]
      .filter((one) => !isPlan(one))
      .map((one) => textOf(one).replace(/<@\d+>/g, '@')),
    plans: ours.filter(isPlan).length,
    stopped: own(stopped)
      .filter((one) => !isPlan(one))
      .map(textOf),
    deleted: own(deleted)
      .filter((one) => !isPlan(one))
      .map(textOf),
    regretted: [...discord.world.channels.values()]
      .flatMap(({ name, messages }) => [name ?? '', ...messages.map(textOf)])
      .filter((text) => /Regret/.test(text)),
    listed,
    marks: people.map(
      ({ content, reactions }) =>
        `${content.replace(/<@\d+>/g, '@')}: ${[...reactions.keys()].sort().join('')}`,
    ),
  }
}

/** The first sign on a message is a courtesy: where a life ends between the write and the mark, it is missing and nothing else. */
export function compare(outcome: DiscordOutcome, expected: DiscordOutcome): void {
  const withoutSigns = (marks: readonly string[]) => marks.map((mark) => mark.replace('👀', ''))
  assert.deepEqual(outcome.said, expected.said)
  assert.deepEqual(outcome.opened, expected.opened)
  assert.equal(outcome.plans, expected.plans)
  assert.deepEqual(outcome.stopped, expected.stopped)
  assert.deepEqual(outcome.deleted, expected.deleted)
  assert.deepEqual(outcome.regretted, [])
  assert.equal(outcome.listed, expected.listed)
  assert.deepEqual(withoutSigns(outcome.marks), withoutSigns(expected.marks))
}
