import { expect, it } from 'vitest'
import { decides } from '../../fakes/model.ts'
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
