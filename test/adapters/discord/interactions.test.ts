import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { labelsOf, type Person, textOf } from '../../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/server.ts'
import type { Channel, Message } from '../../fakes/discord/world.ts'
import {
  acts,
  asks,
  closes,
  createFakeModel,
  decides,
  ends,
  failsAs,
  plans,
} from '../../fakes/model.ts'
import { type Running, startInDiscord } from './whole.ts'

const cities = ['Lisbon', 'Porto', 'Madrid', 'Berlin', 'Vienna']

describe('what people press and choose in Discord', () => {
  let discord: FakeDiscord
  let running: Running
  let general: Channel
  let ana: Person
  let thread: Channel
  let question: Message
  let model: ReturnType<typeof createFakeModel>
  /** The store answers nothing about questions and to-dos while this is closed. */
  let gate: { open(): void; passed: Promise<void> }
  /** How the store takes in what comes. */
  const store = { accept: (accept: () => Promise<unknown>) => accept() }
  const ours = (place: Channel) =>
    place.messages.filter(({ author }) => author.id === discord.world.bot.id)

  beforeEach(async () => {
    store.accept = (accept) => accept()
    discord = await startFakeDiscord()
    general = discord.channel(discord.guild('Team'), 'general')
    ana = discord.person('Ana')
    model = createFakeModel()
    model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Book a date', 'Book a date')
      if (contract === 'plan') return plans('Book')
      return contract === 'thought' ? asks('Which city?', cities) : ends('It is booked.')
    })
    gate = { open() {}, passed: Promise.resolve() }
    running = await startInDiscord({ discord, around: { model, wrap: slowed } })
    await discord.until(() => discord.commands.has(''), 'the commands')
    const asked = ana.says(general, `<@${discord.world.bot.id}> book a date`)
    thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
    question = await discord.until(
      () => ours(thread).find((one) => labelsOf(one).includes('Vienna')),
      'a question',
    )
  })
  afterEach(async () => {
    gate.open()
    expect(discord.violations).toEqual([])
    await running.stop()
  })

  function slowed<P extends object>(_name: string, port: P): P {
    if ('accept' in port && typeof port.accept === 'function') {
      const accept = port.accept.bind(port)
      return { ...port, accept: (...args: unknown[]) => store.accept(() => accept(...args)) }
    }
    const held = ['question', 'list'].flatMap((name) => {
      const method: unknown = Reflect.get(port, name)
      if (typeof method !== 'function' || !('question' in port || 'remove' in port)) return []
      return [
        [name, async (...args: unknown[]) => gate.passed.then(() => method.apply(port, args))],
      ]
    })
    return held.length === 0 ? port : Object.assign({ ...port }, Object.fromEntries(held))
  }
  function close(): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = { open: resolve, passed: promise }
  }

  it('take a choice from a menu where there are many (R145)', async () => {
    ana.chooses(question, 'Vienna')
    await discord.until(
      () => question.content.includes('✅ Ana: Vienna'),
      'the question to be closed',
    )
    expect(labelsOf(question)).toEqual([])
    await discord.until(
      () => ours(thread).some((one) => textOf(one).includes('It is booked.')),
      'the report',
    )
  })

  it('try again what could not be decided, which says why and who can do what (C198)', async () => {
    model.on('decision', failsAs('no_credit'), decides.reply('Lisbon is best.'))
    const place = discord.channel(discord.guild('Others'), 'general')
    ana.says(place, `<@${discord.world.bot.id}> which city is best?`)
    const said = (wanted: RegExp) =>
      discord.until(
        () => ours(place).find((one) => wanted.test(textOf(one))),
        `words like ${wanted}`,
      )
    const apology = await said(/has no credit left\. An admin can top it up/)
    expect(labelsOf(apology)).toEqual(['Retry'])
    ana.clicks(apology, 'Retry')
    await said(/Lisbon is best/)
    await discord.until(() => textOf(apology).includes('Ana asked me to try again'), 'who pressed')
    expect(labelsOf(apology)).toEqual([])
  })

  it('are answered within 3 s while the store is slow, and count once it answers', async () => {
    close()
    const press = ana.chooses(question, 'Porto')
    const form = ana.clicks(question, 'Answer in my own words')
    const typed = ana.types(general, ['todo', 'done'], 'id', '')
    const command = ana.runs(general, ['todo', 'list'])
    await discord.until(
      () => [press, form, typed, command].every(({ answered }) => answered !== null),
      'first answers',
    )
    expect([press, form, typed, command].map(({ answered }) => answered?.type)).toEqual([
      4, 9, 8, 5,
    ])
    for (const { answered } of [press, form, typed, command])
      expect(answered?.afterMs).toBeLessThan(3_000)
    expect(typed.answered?.data.choices).toEqual([])
    expect(press.answered?.data.content).toContain('taking me longer than usual')
    gate.open()
    await discord.until(
      () => question.content.includes('✅ Ana: Porto'),
      'the question to be closed',
    )
    await discord.until(
      () => command.ephemeral.some((text) => /No to-dos here yet/.test(text)),
      'the list',
    )
  })

  it('are stored before Discord hears that they were taken: one that cannot be stored may be pressed again (C157)', async () => {
    let before: number | undefined
    store.accept = async () => {
      before = press.answered?.type
      throw new Error('the store is away')
    }
    const press = ana.chooses(question, 'Porto')
    await discord.until(
      () => press.ephemeral.some((text) => /couldn’t save that/.test(text)),
      'a word to Ana',
    )
    expect(before).toBeUndefined()
    expect(press.answered?.type).toBe(5)
    let seen: unknown = 'nothing'
    store.accept = async (accept) => {
      const kept = await accept()
      // A process that dies here has stored it, and has told nobody yet.
      seen = again.answered
      return kept
    }
    const again = ana.chooses(question, 'Porto')
    await discord.until(
      () => question.content.includes('✅ Ana: Porto'),
      'the question to be closed',
    )
    expect(seen).toBeNull()
    expect(again.answered?.type).toBe(6)
  })

  it('that mean nothing here say so privately, and are nobody else’s (R142, S5)', async () => {
    const strange = {
      ...question,
      components: [button('choice:q_none:0', 'Old'), button('launch:r_1', 'New')],
    }
    for (const label of ['Old', 'New']) {
      const press = ana.clicks(strange, label)
      await discord.until(
        () => press.ephemeral.some((text) => /already ended or been answered/.test(text)),
        `an answer to ${label}`,
      )
    }
    expect(labelsOf(question)).toContain('Vienna')
  })

  it('show a task to one person alone, with what can be done about it', async () => {
    const typed = ana.types(thread, ['task', 'show'], 'id', 'book')
    const { data } = await discord.until(() => typed.answered, 'choices')
    const [choice] = data.choices as { name: string; value: string }[]
    expect(choice?.name).toMatch(/Book a date · Waiting for an answer/)
    const shown = ana.runs(thread, ['task', 'show'], { id: choice?.value ?? '' })
    await discord.until(() => shown.ephemeral.length > 0, 'the task')
    expect(await told(['task', 'continue'], choice?.value)).toMatch(/Nothing is running/)
    expect(await told(['task', 'stop'], choice?.value)).toMatch(/Stopping/)
    await discord.until(() => ours(thread).some((one) => /Stopped by/.test(textOf(one))), 'the end')
    expect(await told(['task', 'again'], choice?.value)).toMatch(/restarting/)
    const begun = await discord.until(
      () => ours(thread).find((one) => /continued .* from step 1/.test(textOf(one))),
      'its step',
    )
    expect(textOf(begun)).toMatch(/Ana continued “Book a date” from step 1/)
    await discord.until(
      () =>
        ours(thread)
          .filter((one) => labelsOf(one).includes('Stop'))
          .at(-1),
      'it to be at work',
    )
    ana.says(thread, 'stop')
    await discord.until(
      () => ours(thread).filter((one) => /Stopped by/.test(textOf(one))).length > 1,
      'its end',
    )
    expect(await told(['task', 'retry'], choice?.value)).toMatch(/Retrying/)
    await discord.until(
      () => ours(thread).some((one) => /Trying again|where it stopped/.test(textOf(one))),
      'another try',
    )
  })

  async function told(path: string[], id = ''): Promise<string> {
    const { ephemeral } = ana.runs(thread, path, { id })
    return await discord.until(() => ephemeral[0], `an answer to /${path.join(' ')}`)
  }
  const button = (custom_id: string, label: string) => ({
    type: 1,
    components: [{ type: 2, style: 1, custom_id, label }],
  })
})

describe('what a tool would do in Discord', () => {
  it('waits for the person who asked, or an admin, and others are told privately; it can be changed first (C47, C182, C184, C185, P13, S4)', async () => {
    const discord = await startFakeDiscord()
    const general = discord.channel(discord.guild('Team'), 'general')
    const [ana, ben, lin] = [discord.person('Ana'), discord.person('Ben'), discord.person('Lin')]
    const model = createFakeModel()
    model.answer(({ contract, input }) => {
      if (contract === 'decision') return decides.run('Note it', 'Note it')
      if (contract === 'plan') return plans('Note')
      const isNoted = 'observations' in input && input.observations.length > 0
      return contract === 'thought'
        ? isNoted
          ? closes()
          : acts('add Book the room')
        : ends('It is noted.')
    })
    const env = { AGENT_TOOL_APPROVAL: 'todo=always', ADMIN_USERS: lin.id }
    const running = await startInDiscord({ discord, around: { model }, env })
    let approved = 0
    try {
      for (const [approver, name] of [
        [ana, 'Ana'],
        [lin, 'Lin'],
      ] as const) {
        const asked = ana.says(general, `<@${discord.world.bot.id}> note it`)
        const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
        const ours = () =>
          thread.messages.filter(({ author }) => author.id === discord.world.bot.id)
        const approval = await discord.until(
          () => ours().find((one) => labelsOf(one).includes('Approve')),
          'a question',
        )
        expect(approval.content).toContain('add Book the room')
        const refused = ben.clicks(approval, 'Approve')
        await discord.until(
          () => refused.ephemeral.some((text) => /Ana/.test(text)),
          'a private word for Ben',
        )
        expect(labelsOf(approval)).toContain('Approve')
        approver.clicks(approval, 'Approve')
        await discord.until(
          () => ours().find((one) => /It is noted/.test(textOf(one))),
          'the report',
        )
        expect(approval.content).toContain(`✅ ${name}`)
        approved += 1
      }
      expect(approved).toBe(2)
      // C117, C118: for the admin alone, with the file.
      const told = lin.runs(general, ['privacy', 'export'], { person: 'Ana' })
      await discord.until(
        () => told.ephemeral.some((text) => /tasks: 2/.test(text)),
        'what is kept',
      )
      expect(told.files).toEqual(['privacy.json'])
      const refusal = ben.runs(general, ['privacy', 'erase'], { person: 'Ana', yes: true })
      await discord.until(
        () => refusal.ephemeral.some((text) => /Only an admin/.test(text)),
        'a refusal',
      )
      // C184: changed in a form first; the call is made as it was changed.
      const asked = ana.says(general, `<@${discord.world.bot.id}> note it`)
      const thread = await discord.until(() => discord.world.channels.get(asked.id), 'a thread')
      const ours = () => thread.messages.filter(({ author }) => author.id === discord.world.bot.id)
      const approval = await discord.until(
        () => ours().find((one) => labelsOf(one).includes('Approve')),
        'a question',
      )
      const form = ana.clicks(approval, 'Edit, then approve')
      await discord.until(() => form.answered?.type === 9, 'the form')
      expect(JSON.stringify(form.answered?.data)).toContain('add Book the room')
      ana.submits(form, 'add Book the garden')
      const report = await discord.until(
        () => ours().find((one) => /It is noted/.test(textOf(one))),
        'the report',
      )
      expect(approval.content).toMatch(
        /✅ Ana edited the request and approved it:\n```text\nadd Book the garden/,
      )
      const list = ana.runs(general, ['todo', 'list'])
      await discord.until(
        () => list.ephemeral.some((text) => /Book the garden/.test(text)),
        'the list',
      )
      // C182: two buttons below the report; the second press of one person changes the first.
      expect(labelsOf(report)).toEqual(['👍', '👎'])
      for (const sign of ['👍', '👎']) {
        const press = ana.clicks(report, sign)
        await discord.until(
          () => press.ephemeral.some((text) => text.includes(sign)),
          `an answer to ${sign}`,
        )
      }
      // C730: why not, by a button and in a form.
      const runId = /bad:([\w-]+)/.exec(JSON.stringify(report.components))?.[1] ?? ''
      const reason = ana.presses(general, `incomplete:${runId}`)
      await discord.until(() => reason.ephemeral.includes('Thanks, noted. 👎'), 'a thank-you')
      const why = ana.presses(general, `why:${runId}`)
      await discord.until(() => why.answered?.type === 9, 'the form for a reason')
      const words = ana.submits(why, 'The garden is closed.')
      await discord.until(() => words.ephemeral.includes('Thanks, noted. 👎'), 'another one')
      // C185: the form for a new schedule.
      const opened = ana.runs(general, ['schedule', 'new'])
      await discord.until(() => opened.answered?.type === 9, 'the form for a schedule')
      const when = 'every weekday at 9:00 and 18:00 until 31 december 2099'
      const made = ana.submits(opened, { when, what: 'List what is due' })
      await discord.until(
        () =>
          made.ephemeral.some((text) => /List what is due[\s\S]*18:00 until 2099-12-31/.test(text)),
        'the schedule',
      )
      expect(discord.violations).toEqual([])
    } finally {
      await running.stop()
    }
  })
})
