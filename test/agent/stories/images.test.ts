import { describe, expect, it } from 'vitest'
import { createAttachments } from '../../../src/adapters/attachments.ts'
import type { Sight } from '../../../src/agent/ports/model.ts'
import { noDocuments } from '../../fakes/documents.ts'
import {
  acts,
  asks,
  closes,
  createFakeModel,
  decides,
  ends,
  fails,
  failsAs,
  plans,
} from '../../fakes/model.ts'
import { ben, type TestOptions, unlimited, useClew } from '../../support/agent.ts'

const start = useClew()
const day = (tokens: number) => ({
  ...unlimited,
  day: { ...unlimited.day, person: { tokens, cost: null } },
})

/** A model that looks at images for 80 tokens each, where 200 are reckoned with; a Decision takes 120. */
async function withEyes(options: TestOptions = {}) {
  const looked: string[] = []
  const model = createFakeModel()
  const sight: Sight = {
    estimate: { promptTokens: 150, completionTokens: 50 },
    async look({ bytes }) {
      looked.push(Buffer.from(bytes).toString())
      return {
        words: `A chart of ${looked.at(-1)}`,
        usage: { promptTokens: 60, completionTokens: 20, cost: 7 },
      }
    },
  }
  const clew = await start({
    ...options,
    model: { ...model, sight, image: { promptTokens: 50, completionTokens: 0 } },
  })
  clew.channel.attachments = createAttachments({
    ...{ platform: 'Test', limits: { files: 5, bytes: 4 * 1024 * 1024 }, documents: noDocuments },
    download: async (_event, { name }) =>
      Buffer.alloc(name.startsWith('large') ? 3 * 1024 * 1024 : name.length, name),
  })
  const read = () =>
    model.calls.flatMap(({ input }) => ('message' in input ? [`${input.message}`] : []))
  /** Of each request of a task, the images that came with it. */
  const shown = () =>
    model.calls.flatMap(({ contract, input }) =>
      'goal' in input
        ? [
            [
              contract,
              ...(input.images ?? []).map(({ base64 }) => Buffer.from(base64, 'base64').toString()),
            ],
          ]
        : [],
    )
  const used = async (person = 'ana') =>
    (await clew.store.usage.ofDay('test:team', '2026-03-04', { person, channel: 'general' })).day
  return { clew, model, looked, read, shown, used }
}

describe('looking at images', () => {
  it('is counted for the person, the channel and everybody, with what it cost (C36, C116, S8)', async () => {
    const { clew, model, looked, read, used } = await withEyes()
    model.on('decision', decides.reply('A chart.'))
    await clew.say('What is this?', { files: ['a.png', 'notes.txt'] })
    await clew.idle()
    expect(looked).toEqual(['a.png'])
    expect(read()[0]).toContain('A chart of a.png')
    const sum = { promptTokens: 160, completionTokens: 40, cost: 200_007 }
    expect(await used()).toMatchObject({ person: sum, channel: sum, team: sum })
  })

  it('waits for what is left: an image that would not fit is named and not looked at, and its author is told in a line (C116, S8)', async () => {
    const { clew, model, looked, read, used } = await withEyes({ usage: day(470) })
    model.on('decision', decides.reply('First.'), decides.reply('Second.'), decides.reply('Ben.'))
    await clew.say('One', { files: ['a.png'] })
    await clew.idle()
    await clew.say('Two', { files: ['b.png', 'c.png'] })
    await clew.idle()
    // 200 were used, and at least 80 by the first of the two; another 200 would have been more than is left.
    expect(looked).toEqual(['a.png', 'b.png'])
    expect(read()[1]).toContain('Image c.png: I didn’t look at it')
    const told = 'I didn’t look at c.png because we’re close to the usage limit.'
    // Beside them stands the warning that most of it is used (C132).
    const openly = clew.texts().filter((text) => !text.startsWith('(to ana)'))
    expect(openly.sort()).toEqual(['First.', told, 'Second.'])
    expect((await used()).person).toMatchObject({ promptTokens: 320, completionTokens: 80 })
    // Others have theirs.
    await clew.say('Three', { files: ['d.png'], by: ben, thread: 'other' })
    await clew.idle()
    expect(looked.at(-1)).toBe('d.png')
    model.assertDone()
  })

  it('does not happen where nothing is left, and the answer that says so is the only one (C116, S8)', async () => {
    const { clew, model, looked } = await withEyes({ usage: day(100) })
    model.on('decision', decides.reply('First.'))
    await clew.say('One')
    await clew.idle()
    await clew.say('Two', { files: ['a.png'] })
    await clew.idle()
    expect(looked).toEqual([])
    expect(clew.texts()).toEqual(['First.', expect.stringMatching(/^Ana’s daily limit is used up/)])
  })

  it('that does not fit is told once, also while the model is waited for (C92, C116)', async () => {
    const { clew, model } = await withEyes({ usage: day(150) })
    model.on('decision', fails('unavailable'), decides.reply('Here I am.'))
    await clew.say('One', { files: ['a.png'] })
    await clew.idle()
    await clew.advance(60_000)
    await clew.idle()
    expect(clew.texts().filter((text) => text.startsWith('I didn’t look at'))).toHaveLength(1)
    model.assertDone()
  })
})

describe('a task has the images that came with what is asked of it', () => {
  it.each(['step', 'batch', 'free'] as const)(
    'in every request, beside their description, under %s, and after its process was killed (C160, P8)',
    async (strategy) => {
      const { clew, model, shown } = await withEyes({ strategy })
      model.on('decision', decides.run('Read the chart'))
      model.answer(() => fails('unavailable'))
      await clew.say('Read the chart', { files: ['a.png'] })
      await clew.idle()
      const before = shown().length
      await clew.crash()
      await clew.advance(60_000)
      await clew.idle()
      expect(shown().length).toBeGreaterThan(before)
      for (const [, ...images] of shown()) expect(images).toEqual(['a.png'])
      expect((await clew.task()).goal).toContain('A chart of a.png')
    },
  )

  it('with those of what people say and answer later, the newest four, and none that is too large (C160, C161)', async () => {
    const { clew, model, shown } = await withEyes()
    model.on('decision', decides.run('Read the charts'))
    model.on('plan', plans('Read'))
    model.on('thought', asks('Which?'), closes('read'))
    model.on('replan', plans('Read'), ends('It is read.'))
    await clew.say('Read the charts', { files: ['a.png', 'large.png', 'b.png'] })
    await clew.idle()
    await clew.say('These', { files: ['c.png', 'd.png', 'e.png'] })
    await clew.idle()
    expect(shown()[0]).toEqual(['plan', 'a.png', 'b.png'])
    expect(shown().at(-1)?.slice(1)).toEqual(['b.png', 'c.png', 'd.png', 'e.png'])
    const said = (await clew.task()).clarifications.map(({ text }) => text)
    expect(said).toEqual(['These', expect.stringContaining('A chart of e.png')])
  })

  it('also where its Decision failed and the message is tried again, and where the task itself is (C160, C198, F27)', async () => {
    const { clew, model, shown } = await withEyes()
    model.on('decision', failsAs('key_refused'), decides.run('Read the chart'))
    await clew.say('Read the chart', { files: ['a.png'] })
    await clew.idle()
    const { messages } = await clew.state()
    model.answer(() => fails('unavailable'))
    await clew.say(messages.at(-1)?.offers?.[0]?.command ?? '', { way: 'pressed', by: ben })
    await clew.idle()
    await clew.press('cancel', (await clew.run()).id)
    await clew.idle()
    const before = shown().length
    await clew.press('retry', (await clew.run()).id)
    await clew.idle()
    expect(shown().length).toBeGreaterThan(before)
    for (const [, ...images] of shown()) expect(images).toEqual(['a.png'])
  })

  it('not where they would take more than is left: then it has their description (C161, S8)', async () => {
    const { clew, model, shown } = await withEyes({ limits: { maxTokens: 130 } })
    model.on('decision', decides.run('Read the chart'))
    model.on('plan', plans('Read'))
    model.on('thought', acts('list'))
    await clew.say('Read the chart', { files: ['a.png'] })
    await clew.idle()
    expect(shown()).toEqual([['plan', 'a.png'], ['thought']])
    const { clew: short, model: other, shown: seen } = await withEyes({ usage: day(240) })
    other.on('decision', decides.run('Read the chart'))
    other.on('plan', plans('Read'))
    await short.say('Read the chart', { files: ['a.png'] })
    await short.idle()
    expect(seen()).toEqual([['plan']])
  })
})
