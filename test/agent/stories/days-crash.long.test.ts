import { expect, it } from 'vitest'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import { useClew } from '../../support/agent.ts'
import { allow, script, used, warning } from './days-support.ts'

const start = useClew()

it.each(['before commits.commit', 'after commits.commit'])(
  'what a day may take is counted once when the process dies %s (P1, P8)',
  async (point) => {
    for (const n of [4, 5, 6]) {
      const clew = await start()
      clew.model.answer(({ contract }) => {
        if (contract === 'decision') return decides.run('Tidy up')
        if (contract === 'plan') return plans('Look')
        return contract === 'thought' ? closes('ok') : ends('Tidied.')
      })
      clew.crashAt(point, n)
      await clew.say('Tidy up')
      await clew.idle()
      await clew.advance(20_000)
      expect((await clew.run()).status).toBe('succeeded')
      // A call whose commit was lost is made again and counted once: what is counted is what the task has spent.
      const { promptTokens } = (await clew.task()).spent
      expect((await used(clew)).person?.promptTokens).toBe(promptTokens + 100)
    }
  },
)

it.each(['before commits.commit', 'after commits.commit'])(
  '80 % of an allowance is told once when the process dies %s (P1)',
  async (point) => {
    for (let n = 8; n <= 16; n++) {
      // Six calls are 82 %, and seven 95 %.
      const clew = await start({ usage: allow('channel', 'day', 880) })
      script(clew)
      for (const _ of Array(3)) clew.model.on('decision', decides.reply('Hello'))
      clew.model.answer(() => decides.reply('Hello'))
      await clew.say('Tidy up')
      await clew.idle()
      clew.crashAt(point, n - 7)
      for (const text of ['One', 'Two', 'Three']) {
        await clew.say(text)
        await clew.idle()
        await clew.advance(20_000)
      }
      expect(warning(clew)).toHaveLength(1)
    }
  },
)
