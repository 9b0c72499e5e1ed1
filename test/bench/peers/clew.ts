import type { Channel } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { startClew } from '../../../src/compose/clew.ts'
import { silent } from '../../support/silent.ts'
import { configOf } from '../config.ts'
import { contend, folder, redisUrl, strategy, url } from './contender.ts'
import { answer, tools } from './script.ts'

/** Clew as production runs it, with two tools more; what it sends is only seen, to know when to answer. */
const sent = new Map<string, () => void>()

const config = configOf({
  ...{
    REDIS_URL: redisUrl,
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: 'bench',
  },
  AGENT_STRATEGY: strategy,
})
const clew = await startClew(config, {
  ...{ clock: createSystemClock(), log: silent, wrap },
  tools: tools.map(({ name, description, run }) => ({
    ...{ name, description, effect: 'none' as const },
    run: async (input) => ({ ok: true, text: run(input) }),
  })),
})

function wrap<P extends object>(_name: string, port: P): P {
  const channel = port as unknown as Channel
  if (channel.show === undefined) return port
  const send: Channel['send'] = async (delivery, conversation) => {
    const outcome = await channel.send(delivery, conversation)
    sent.get(`${conversation.address.thread} ${delivery.body.kind}`)?.()
    return outcome
  }
  return { ...port, send }
}

async function say(thread: string, text: string, until: 'question' | 'final'): Promise<void> {
  const shown = new Promise<void>((resolve) => sent.set(`${thread} ${until}`, resolve))
  await clew.agent.intake({
    ...{
      workspace: 'web:local',
      channel: 'web',
      thread,
      keys: [`${thread} ${text}`],
      at: Date.now(),
    },
    author: { id: 'ana', name: 'Ana', bot: false },
    whose: { way: 'typed', by: 'member' },
    content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
  })
  await shown
  sent.delete(`${thread} ${until}`)
}

contend(async (id, goal) => {
  await say(id, goal, 'question')
  await say(id, answer, 'final')
})
