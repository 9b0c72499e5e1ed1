import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel } from '../../fakes/discord/world.ts'
import { type Running, startInDiscord } from './whole.ts'

describe('commands and forms in Discord (C443)', () => {
  let discord: FakeDiscord
  let running: Running
  let general: Channel
  let ana: Person
  /** True while to-dos and schedules answer nothing, as a process that is killed. */
  let hangs = false

  beforeEach(async () => {
    hangs = false
    discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ana = discord.person('Ana')
    running = await startInDiscord({ discord, around: { wrap: hanging } })
    await discord.until(() => discord.commands.has(''), 'the commands')
  })
  afterEach(async () => {
    expect(discord.violations).toEqual([])
    await running.stop()
  })

  function hanging<P extends object>(_name: string, port: P): P {
    if (!('remove' in port && 'list' in port)) return port
    const methods = Object.entries(port).map(([name, method]: [string, unknown]) => [
      name,
      typeof method === 'function'
        ? (...args: unknown[]) => (hangs ? new Promise(() => {}) : method.apply(port, args))
        : method,
    ])
    return Object.assign({ ...port }, Object.fromEntries(methods))
  }
  const answered = (one: { answered: unknown }) => discord.until(() => one.answered, 'the answer')
  /** The process ends with what it works on, and the next one begins. */
  const restart = () =>
    running.restart(() => {
      hangs = false
    })
  async function listed(path: string[]): Promise<string> {
    const { ephemeral } = ana.runs(general, path)
    return await discord.until(() => ephemeral[0], 'the list')
  }

  it('are carried out once, and answered, after a process that ended behind the acknowledgement', async () => {
    hangs = true
    const milk = ana.runs(general, ['todo', 'add'], { text: 'Buy milk' })
    const bread = ana.runs(general, ['todo', 'add'], { text: 'Buy bread' })
    await Promise.all([answered(milk), answered(bread)])
    await restart()
    for (const [one, text] of [
      [milk, /Buy milk/],
      [bread, /Buy bread/],
    ] as const)
      await discord.until(() => one.ephemeral.some((line) => text.test(line)), String(text))
    // What was answered is not carried out again by the next process.
    await restart()
    expect((await listed(['todo', 'list'])).match(/Buy (milk|bread)/g)).toHaveLength(2)
    expect(milk.ephemeral).toHaveLength(1)
  })

  it('keep the text of a form', async () => {
    const opened = ana.runs(general, ['schedule', 'new'])
    await answered(opened)
    hangs = true
    const made = ana.submits(opened, { when: 'every weekday at 9:00', what: 'List what is due' })
    await answered(made)
    await restart()
    await discord.until(
      () => made.ephemeral.some((text) => /List what is due/.test(text)),
      'the schedule',
    )
  })

  it('are dropped where Discord told the person that they failed', async () => {
    const late = ana.runs(general, ['todo', 'add'], { text: 'Buy milk' })
    discord.world.advance(60_000)
    expect(await listed(['todo', 'list'])).not.toMatch(/milk/)
    await restart()
    expect(await listed(['todo', 'list'])).not.toMatch(/milk/)
    expect(late.answered).toBeNull()
  })
})
