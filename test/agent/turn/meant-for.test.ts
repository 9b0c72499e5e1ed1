import { expect, it } from 'vitest'
import { asks, decides, hangs, plans } from '../../fakes/model.ts'
import { ana, ben, useClew } from '../../support/agent.ts'

const start = useClew()
const onlyMentions = { answersTo: { usual: 'mention' as const, channels: {} } }
const amongPeople = { addressed: false, forSomeoneElse: false, namesOthers: false }

it.each([
  ['thanks Clew, and what does it cost?', 'answered'],
  ['ok Clew, book it', 'answered'],
  ['谢谢Clew，那一共多少钱？', 'answered'],
  ['which one is cheaper, Clew?', 'answered'],
  ['Clew??', 'answered'],
  ['> Three are left.\nClew, which three?', 'answered'],
  ['Clewis, which one is cheaper?', 'ignored'],
  ['no Ben, Clew said three', 'ignored'],
  ['does Clew know?', 'ignored'],
])(
  'knows its name at either end, behind thanks and such words (C550): %s',
  async (text, outcome) => {
    const clew = await start(onlyMentions)
    clew.model.answer(() => decides.reply('Three are left.'))
    await clew.say('which venues are left?', { by: ana, addressed: true })
    await clew.idle()
    await clew.say('I know one', { ...amongPeople, by: ben })
    await clew.idle()
    await clew.say(text, { ...amongPeople, by: ana })
    await clew.idle()
    expect(clew.texts()).toHaveLength(outcome === 'answered' ? 2 : 1)
  },
)

it.each([
  ['thanks, perfect', true],
  ['Perfect! Thank you.', true],
  ['great, thanks 🎉', true],
  ['thanks :heart::tada:', true],
  ['谢谢，太好了！', true],
  ['好的，谢谢，辛苦了', true],
  ['ok, thanks, Ben', true],
  ['thanks, and book it', false],
  ['perfect, now book it', false],
])('asks no model about thanks with praise (C547): %s', async (text, isThanks) => {
  const clew = await start()
  clew.model.answer(() => decides.reply('Three are left.'))
  await clew.say('which venues are left?', { by: ana, addressed: true })
  await clew.idle()
  if (text.includes('Ben')) await clew.say('I know one', { ...amongPeople, by: ben })
  await clew.idle()
  const { length } = clew.model.calls
  await clew.say(text, { ...amongPeople, by: ana })
  await clew.idle()
  expect(clew.model.calls.length === length).toBe(isThanks)
})

it.each([
  ['> Which city?\nPorto', 'Porto'],
  ['> Lisbon, or rather Porto?\n> I wonder\nthe first one', 'Lisbon'],
  ['> Which city?\nsomewhere by the sea', '> Which city?\nsomewhere by the sea'],
  ['see you there, Ben!', null],
  ['stop it, ben', null],
  ['that is yours to say, Ben Li.', null],
])(
  'reads an answer below what it quotes, and none in words to somebody else (C552): %s',
  async (text, answer) => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find a place'))
    clew.model.on('thought', asks('Which city?', ['Lisbon', 'Porto']))
    clew.model.answer(({ contract }) => (contract === 'overheard' ? decides.ignore() : hangs()))
    await clew.say('book it', { by: ana, addressed: true })
    await clew.idle()
    await clew.say('I know one', { ...amongPeople, by: { id: 'ben', name: 'Ben Li' } })
    await clew.idle()
    await clew.say(text, { ...amongPeople, by: ana })
    await clew.idle(answer === null ? 0 : 1)
    const { answered } = await clew.state()
    expect(answered.map((one) => one.answer)).toEqual(answer === null ? [] : [answer])
  },
)
