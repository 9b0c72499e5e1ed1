import { asks, decides, plans } from '../../fakes/model.ts'
import type { TestClew, TestOptions, useClew } from '../../support/agent.ts'

/** Returns what starts a Clew whose task asks which city, and waits for the answer. */
export const askingWith =
  (start: ReturnType<typeof useClew>) =>
  async (options?: TestOptions, said: Parameters<TestClew['say']>[1] = {}): Promise<TestClew> => {
    const clew = await start(options)
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues', 'Book'))
    clew.model.on('thought', asks('Which city?', ['Lisbon', 'Porto']))
    await clew.say('Book the offsite', said)
    await clew.idle()
    return clew
  }
