import { newConversation } from '../../src/agent/domain/conversation.ts'
import type { Intake } from '../../src/agent/ports/channel.ts'
import { channelContract } from '../contracts/channel.ts'
import { createFakeChannel } from './channel.ts'

const conversation = newConversation({
  id: 'c',
  address: { workspace: 'test:1', channel: 'general', thread: 't' },
  title: 'The offsite',
  at: 1,
  lastReadAt: 1,
})

channelContract('the channel in memory', async (intake: Intake) => {
  const channel = createFakeChannel('test')
  await channel.start(intake)
  return {
    channel,
    conversation,
    shown: async () =>
      channel.shown.map(({ delivery: { body } }) => ('text' in body ? body.text : body.kind)),
    progress: async () =>
      [...channel.current.values()].map(({ done, items }) => `${done}/${items.length}`),
    // What it shows is kept as it is and calls nobody.
    mentions: async () => [],
    cut: () => channel.fail({ kind: 'unknown' }, { times: 2 }),
    mend: () => {},
    say(text, gesture) {
      const { workspace, channel: place, thread } = conversation.address
      const event = {
        workspace,
        channel: place,
        thread,
        keys: [gesture],
        author: { id: 'ana', name: 'Ana', bot: false },
        whose: { way: 'typed' as const, by: 'member' as const },
        at: 1,
        content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
      } as const
      const taken = channel.intake({ ...event, keys: [gesture] })
      return taken.then(
        () => true,
        () => false,
      )
    },
    stop: () => channel.stop(),
  }
})
