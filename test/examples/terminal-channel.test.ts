import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTerminalChannel } from '../../examples/terminal-channel/terminal.ts'
import { newConversation } from '../../src/agent/domain/conversation.ts'
import { channelContract } from '../contracts/channel.ts'
import { value } from '../fakes/openai/replies.ts'
import { decision, useWholeClew } from '../support/whole-clew.ts'

const folder = join(import.meta.dirname, '../../examples/terminal-channel')
const conversation = newConversation({
  id: 'c',
  address: { workspace: 'terminal:local', channel: 'chat', thread: 'chat' },
  title: 'The offsite',
  at: 1,
  lastReadAt: 1,
})

/** A terminal in memory, which can be away. */
function memoryTerminal() {
  const printed: string[] = []
  const listeners: ((line: string) => void)[] = []
  let isAway = false
  const waiting: { holds: (all: string) => boolean; tell: () => void }[] = []
  return {
    cut: () => {
      isAway = true
    },
    mend: () => {
      isAway = false
    },
    type: (line: string) => {
      for (const listener of listeners) listener(line)
    },
    /** Resolves when what was printed holds this text. */
    has: (text: string) =>
      new Promise<void>((tell) => {
        const holds = (all: string) => all.includes(text)
        if (holds(printed.join('\n'))) tell()
        else waiting.push({ holds, tell })
      }),
    terminal: {
      print(line: string) {
        if (isAway) throw new Error('nothing can be printed')
        printed.push(line)
        for (const { holds, tell } of waiting) if (holds(printed.join('\n'))) tell()
      },
      onLine(typed: (line: string) => void) {
        listeners.push(typed)
        return () => void listeners.splice(listeners.indexOf(typed), 1)
      },
    },
  }
}

channelContract('the terminal of the examples', async (intake) => {
  const { terminal, cut, mend } = memoryTerminal()
  const { channel, type, printed, plans } = createTerminalChannel(terminal, {
    person: 'ana',
    now: () => 1,
  })
  await channel.start(intake)
  return {
    channel,
    conversation,
    shown: async () => [...printed.values()].filter((line) => line !== undefined),
    progress: async () => [...plans.values()],
    // A terminal calls nobody.
    mentions: async () => [],
    cut,
    mend,
    say: (text, gesture) =>
      type(text, gesture).then(
        () => true,
        () => false,
      ),
    stop: () => channel.stop(),
  }
})

const start = useWholeClew()

it('a whole Clew talks through it: a plan, a question that a number answers, and the answer', async () => {
  const { terminal, type, has } = memoryTerminal()
  const { channel } = createTerminalChannel(terminal, { person: 'ana', now: () => 1 })
  const { server } = await start(
    { ROLES: 'worker,scheduler', AGENT_STRATEGY: 'free' },
    { channels: [channel] },
  )
  server.on('decision', decision('Choose a city'))
  server.on(
    'act',
    value({ text: null, calls: [{ tool: 'ask_user', input: 'Which city?\n- Lisbon\n- Porto' }] }),
    value({ text: 'It is settled.', calls: [] }),
  )
  type('choose a city')
  await has('  2. Porto')
  type('2')
  await has('ana: Porto')
  await has('It is settled.')
})

it('stays an example of at most 200 lines that knows the published paths alone', () => {
  const source = readFileSync(join(folder, 'terminal.ts'), 'utf8')
  expect(source.split('\n').length).toBeLessThanOrEqual(200)
  expect(source.match(/from '[^']+'/g)).toEqual(["from 'clew/channel'"])
})
