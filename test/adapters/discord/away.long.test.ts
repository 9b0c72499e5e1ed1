import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel, Message } from '../../fakes/discord/world.ts'
import { type ClewProcess, createClewProcess } from '../../support/clew-process.ts'

/*
 * The real program in a process of its own, on the embedded store. Whatever comes between it and Discord, what people wrote
 * meanwhile is worked on once.
 */
describe('a Clew that Discord loses', () => {
  let folder: string
  let discord: FakeDiscord
  let general: Channel
  let ideas: Channel
  let ana: Person
  let clew: ClewProcess
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clew-away-'))
    discord = await startFakeDiscord()
    const guild = discord.guild('Team')
    general = discord.channel(guild, 'general')
    ideas = discord.channel(guild, 'ideas', { type: 15 })
    ana = discord.person('Ana')
    clew = await createClewProcess(folder, {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.url,
      OPENAI_MODEL: 'rehearsal',
      REHEARSAL_PACE_MS: '0',
    })
    await clew.start()
    await discord.until(() => discord.gateway.connected() === 1, 'a connection')
  })
  afterEach(async () => {
    await clew.stop()
    expect(discord.violations).toEqual([])
    // S7: what it prints has no secret in it.
    expect(clew.output()).not.toContain(discord.token)
    await discord.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const until = <T>(look: () => T | null | undefined | false, what: string) =>
    discord.until(look, what, 60_000)
  const ours = (channel: Channel) =>
    channel.messages.filter(({ author }) => author.id === discord.world.bot.id)
  const mention = (text: string) => `<@${discord.world.bot.id}> ${text}`
  const grown = (message: Message) =>
    until(() => discord.world.channels.get(message.id), 'a thread')

  const troubles: [string, () => void | Promise<void>, () => void | Promise<void>][] = [
    ['its socket is cut', () => discord.gateway.drop(), () => undefined],
    [
      'its session is invalid',
      () => {
        discord.gateway.drop()
        discord.gateway.forget()
      },
      () => undefined,
    ],
    ['it is killed', () => clew.kill(), () => clew.start()],
  ]

  it('works everything that was written meanwhile once: replies, mentions, direct messages, posts (P1, P3, P4)', async () => {
    const dm = ana.dm()
    ana.says(dm, 'Hello')
    await until(() => ours(dm).length === 1, 'an answer')
    const threads: { name: string; own: () => Message[] }[] = []
    // A short answer is a reply (C81).
    const replies = (to: Message) =>
      ours(general).filter((one) => one.message_reference?.message_id === to.id)
    for (const [what, begins, ends] of troubles) {
      const asked = ana.says(
        general,
        mention('Compare the three venues and book a date for the offsite'),
      )
      const task = await grown(asked)
      const question = await until(
        () => ours(task).find((one) => labelsOf(one).length > 1 && one.content),
        'a question',
      )
      const before = ours(dm).length
      await begins()
      ana.says(task, labelsOf(question)[0] ?? '')
      const hello = ana.says(general, mention(`Hello, while ${what}`))
      ana.says(dm, `Hello, while ${what}`)
      const post = discord.post(ideas, ana, what, mention(`Hello, while ${what}`))
      await ends()
      await until(
        () => ours(task).some((one) => /This was a demo/.test(textOf(one))),
        `the report, while ${what}`,
      )
      await until(
        () => replies(hello).length > 0 && ours(post).length > 0 && ours(dm).length > before,
        'the answers',
      )
      const named = (channel: Channel) => ({ name: channel.name ?? '', own: () => ours(channel) })
      threads.push({ name: what, own: () => replies(hello) }, named(post), named(task))
    }
    // One more life reads everything again, and finds that it has done it.
    await clew.stop()
    await clew.start()
    const last = ana.says(general, mention('Hello again'))
    await until(() => replies(last).length === 1, 'the last answer')
    expect(ours(dm)).toHaveLength(troubles.length + 1)
    for (const [index, thread] of threads.entries()) {
      const ended = thread.own().filter((one) => /This was a demo/.test(textOf(one)))
      expect([thread.name, index % 3 === 2 ? ended.length : thread.own().length]).toEqual([
        thread.name,
        1,
      ])
    }
    expect(ours(general)).toHaveLength(troubles.length + 1)
  })
})
