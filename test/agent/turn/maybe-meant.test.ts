import { describe, expect, it } from 'vitest'
import { replySchema } from '../../../src/agent/contracts.ts'
import { asks, closes, decides, ends, fails, held, plans } from '../../fakes/model.ts'
import {
  ana,
  ben,
  type TestClew,
  type TestOptions,
  useClew,
  workspace,
} from '../../support/agent.ts'

const begin = useClew()

/** A Clew to which nothing is said twice at the same instant. */
async function start(options?: TestOptions): Promise<TestClew> {
  const clew = await begin(options)
  const say: TestClew['say'] = async (text, said) => {
    await clew.clock.advance(1)
    return await clew.say(text, said)
  }
  return { ...clew, say }
}
const overheard = { addressed: false }
const ofBen = { ...overheard, by: ben }

/** Ana has asked for something, and Ben has said something in the thread. */
async function among(options?: TestOptions): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.reply('Three venues are left'))
  clew.model.on('overheard', decides.ignore())
  await clew.say('Which venues are left?')
  await clew.say('I like the second one', ofBen)
  await clew.idle()
  return clew
}

/** A task of Ana's that thinks; Ben has said something in its thread. */
async function working(): Promise<{ clew: TestClew; goOn(): Promise<void> }> {
  const clew = await among()
  const planning = held(plans())
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', planning)
  await clew.say('Book the offsite')
  await clew.idle(1)
  return {
    clew,
    async goOn() {
      clew.model.on('replan', ends('Booked.'))
      clew.model.on('thought', closes())
      planning.release()
      await clew.idle()
    },
  }
}

/** A task of Ana's that asks which city, without choices, in a thread where Ben has spoken. */
async function asking(options?: TestOptions): Promise<TestClew> {
  const clew = await among(options)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues'))
  clew.model.on('thought', asks('Which city?'))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}
/** What became of each thing that people said, the newest last: what was overheard has no outcome. */
async function became(clew: TestClew): Promise<(string | null)[]> {
  const { messages, outcomes } = await clew.state()
  const overheard = await clew.store.conversations.overheard(workspace, clew.conversationId)
  const said = messages.flatMap(({ id, author, at }) =>
    author ? [{ at, what: outcomes[id]?.kind ?? null }] : [],
  )
  return [...said, ...overheard.map(({ at }) => ({ at, what: 'overheard' }))]
    .sort((one, other) => one.at - other.at)
    .map(({ what }) => what)
}
const last = async (clew: TestClew) => (await became(clew)).at(-1)
const asked = (clew: TestClew) =>
  clew.model.contracts().filter((contract) => contract === 'overheard').length

describe('what is said in the thread and not to Clew', () => {
  it('is ignored where the Decision says so: nothing is posted and no run begins, but it is known later (C76)', async () => {
    const clew = await among()
    expect(clew.texts()).toEqual(['Three venues are left'])
    expect(await became(clew)).toEqual(['answered', 'overheard'])
    expect(await clew.runs()).toEqual([])
    expect(await clew.trace(clew.conversationId)).toMatchObject([
      { decision: 'reply' },
      { decision: 'ignore' },
    ])
    clew.model.on('decision', decides.reply('Yes'))
    await clew.say('Is Ben right?')
    await clew.idle()
    const { input } = clew.model.calls.at(-1) ?? {}
    expect(JSON.stringify(input)).toContain('I like the second one')
  })

  it('is answered where it is a request (C76)', async () => {
    const clew = await among()
    clew.model.on('overheard', decides.reply('It seats 40'))
    await clew.say('How many does it seat?', ofBen)
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('It seats 40')
    expect(clew.model.calls.at(-1)).toMatchObject({
      contract: 'overheard',
      input: { waiting: null },
    })
  })

  it('costs no Decision and gets a mark at most where it is said to somebody else, or only thanks (C77)', async () => {
    const clew = await among()
    for (const [text, outcome] of [
      ['Ben, lunch later?', 'overheard'],
      ['ben: see you there', 'overheard'],
      ['thanks!', 'overheard'],
      ['@Cem have a look', 'overheard'],
      ['What do you think, @Ben?', 'overheard'],
    ] as const) {
      await clew.say(text, {
        ...overheard,
        forSomeoneElse: text.startsWith('@'),
        namesOthers: text.includes('@'),
      })
      await clew.idle()
      expect(await last(clew), text).toBe(outcome)
    }
    clew.model.on('decision', decides.reply('At nine'))
    await clew.say('When does it open?')
    await clew.idle()
    await clew.say('Thank you 🙏', ofBen)
    await clew.idle()
    expect(await last(clew)).toBe('thanked')
    expect(asked(clew)).toBe(1)
    expect(clew.texts()).toHaveLength(2)
  })

  it('that names Clew in words is said to it (C77)', async () => {
    const clew = await among()
    clew.model.on('decision', decides.reply('At nine'))
    await clew.say('Clew, when does it open?', ofBen)
    await clew.idle()
    expect(clew.texts().at(-1)).toBe('At nine')
  })

  it('is for Clew while nobody but one person has spoken with it there (C77)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Hi'), decides.reply('At nine'))
    for (const said of [{}, overheard]) {
      await clew.say('When does it open?', said)
      await clew.idle()
    }
    expect(clew.texts()).toEqual(['Hi', 'At nine'])
  })

  it('is judged again where the model does not answer, and nobody hears of it (C335, C76)', async () => {
    const clew = await among()
    clew.model.on('overheard', fails('unavailable'), fails('bad_reply'), decides.reply('Lisbon'))
    await clew.say('Which city is best', ofBen)
    await clew.idle()
    expect(clew.texts().slice(1)).toEqual([])
    await clew.advance(10_000)
    await clew.idle()
    expect(clew.texts().slice(1)).toEqual(['Lisbon'])
  })

  it('is left alone where no answer of the model can be used, in three tries (C335, C76)', async () => {
    const clew = await among()
    clew.model.on('overheard', fails('bad_reply'), fails('bad_reply'), fails('bad_reply'))
    await clew.say('What a day', ofBen)
    await clew.advance(10_000)
    await clew.idle()
    expect(clew.texts().slice(1)).toEqual([])
    expect(await last(clew)).toBe('overheard')
    clew.model.assertDone()
  })

  it('that is said to Clew gets an apology where the Decision fails (R99)', async () => {
    const clew = await among()
    clew.model.on('decision', fails('bad_reply'), fails('bad_reply'))
    await clew.say('What a day', { by: ben })
    await clew.idle()
    expect(clew.texts().slice(1)).toEqual([expect.stringMatching(/^Sorry/)])
  })
})

describe('while a task works', () => {
  it('talk among people does not join it; what is meant for it does (C76)', async () => {
    const { clew, goOn } = await working()
    clew.model.on('overheard', decides.ignore(), decides.join())
    await clew.say('Did you see the game?', ofBen)
    await clew.say('It has to have parking', ofBen)
    await clew.say('Ben, lunch later?', overheard)
    await clew.idle(1)
    expect((await became(clew)).slice(-3)).toEqual(['overheard', 'joined', 'overheard'])
    expect(clew.model.calls.at(-1)).toMatchObject({
      input: { waiting: { title: 'Book the offsite', question: null } },
    })
    await goOn()
    expect((await clew.task()).clarifications).toMatchObject([
      { text: 'It has to have parking', author: ben },
    ])
  })

  it('a question about it is answered from its plan, and the task goes on (C506)', async () => {
    const { clew, goOn } = await working()
    clew.model.on('overheard', decides.reply('It is being planned.'))
    await clew.say('how long until you are through with it?', ofBen)
    await clew.idle(1)
    expect(await last(clew)).toBe('answered')
    expect(clew.texts().at(-1)).toBe('It is being planned.')
    await goOn()
    expect((await clew.task()).clarifications).toEqual([])
  })

  it('other work that the model would begin beside it joins it (C50, C76)', async () => {
    const { clew, goOn } = await working()
    clew.model.on('overheard', decides.run('With parking'))
    await clew.say('With parking', ofBen)
    await clew.idle(1)
    expect(await last(clew)).toBe('joined')
    await goOn()
  })

  it('a mention is never ignored: the model is not offered to (C76)', async () => {
    const { clew, goOn } = await working()
    await clew.say('With parking', { by: ben })
    await clew.idle(1)
    expect(await last(clew)).toBe('joined')
    expect(asked(clew)).toBe(1)
    expect(replySchema('decision').shape.decision).toMatchObject({
      options: ['reply', 'run', 'reply_and_run'],
    })
    await goOn()
  })

  it('a stop that comes while it is decided about other words stops the task (R151)', async () => {
    const { clew } = await working()
    const deciding = held(decides.ignore())
    clew.model.on('overheard', deciding)
    const calls = clew.model.calls.length
    await clew.say('What a day', ofBen)
    await clew.model.received(calls + 1)
    await clew.say('stop', overheard)
    await clew.idle()
    expect((await clew.run()).status).toBe('canceled')
  })
})

describe('an open question among people', () => {
  it('is answered by a choice, and by what the person says who was asked (C77, R146)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Somewhere by the sea', overheard)
    await clew.idle()
    expect(await last(clew)).toBe('answer')
    expect(asked(clew)).toBe(1)
  })

  it('is not answered by what somebody asks back, nor by talk; a model says what is an answer of somebody else (C77)', async () => {
    const clew = await asking()
    clew.model.on('overheard', decides.ignore(), decides.ignore(), decides.join())
    await clew.say('Where were we last year?', overheard)
    await clew.say('My cat is ill', ofBen)
    await clew.idle()
    expect((await became(clew)).slice(-2)).toEqual(['overheard', 'overheard'])
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Lisbon would be nice', ofBen)
    await clew.idle()
    expect(await last(clew)).toBe('answer')
    expect((await clew.task()).clarifications).toMatchObject([
      { text: 'Lisbon would be nice', author: ben },
    ])
  })

  it('of which somebody may answer nothing is made of others’ talk, and nobody is told off for it (C77)', async () => {
    const clew = await asking({ whoMayAnswer: 'owner' })
    const said = clew.texts().length
    await clew.say('Lisbon would be nice', ofBen)
    await clew.idle()
    expect(await last(clew)).toBe('overheard')
    expect(clew.texts()).toHaveLength(said)
    await clew.say('Lisbon', { by: ben })
    await clew.idle()
    expect(clew.texts().at(-1)).toBe(
      '(to ben) Only Ana or whoever runs Clew can answer this. Your message stays in the thread.',
    )
  })
})

describe('where Clew answers only mentions', () => {
  it('nothing else costs a Decision, also where only this channel is so; commands, stop and answers count (C77, C154)', async () => {
    const clew = await start({ answersTo: { usual: 'auto', channels: { general: 'mention' } } })
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues'))
    clew.model.on('thought', asks('Which city?', ['Lisbon', 'Porto']))
    await clew.say('Book the offsite')
    await clew.idle()
    await clew.say('I was there once', ofBen)
    await clew.say('Where is that?', overheard)
    await clew.say('!todo list', ofBen)
    await clew.idle()
    expect((await became(clew)).slice(1)).toEqual(['overheard', 'overheard', 'command'])
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Porto, please', ofBen)
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    await clew.say('And the costs?', { ...overheard, by: ana })
    await clew.idle()
    expect(await last(clew)).toBe('overheard')
    expect(asked(clew)).toBe(0)
    clew.model.assertDone()
  })
})

it('an answer of a colleague’s that cannot be judged is said so, and is none (C335)', async () => {
  const clew = await asking()
  clew.model.on('overheard', fails('bad_reply'), fails('bad_reply'), fails('bad_reply'))
  await clew.say('12 July', ofBen)
  await clew.advance(10_000)
  await clew.idle()
  expect(clew.texts().at(-1)).toMatch(/^Ben, was that for me\?/)
  expect((await clew.state()).questions).toHaveLength(1)
})

it('an answer of a colleague’s that meets one failure of the model counts (C335)', async () => {
  const clew = await asking()
  clew.model.on('overheard', fails('unavailable'), decides.join())
  clew.model.on('replan', ends('Booked.'))
  await clew.say('12 July', ofBen)
  await clew.advance(10_000)
  await clew.idle()
  expect((await clew.task()).clarifications).toMatchObject([{ text: '12 July', author: ben }])
})
