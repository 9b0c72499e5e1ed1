import { describe, expect, it } from 'vitest'
import type { ChannelDeps } from '../../../src/adapters/channel-kit/deps.ts'
import type { Overheard } from '../../../src/agent/domain/overheard.ts'
import type { ReadAnswer, Reader } from '../../../src/agent/ports/reader.ts'
import { createReadingTools } from '../../../src/agent/tools/reading.ts'
import { openChannels } from '../../../src/compose/channels.ts'
import { readConfig } from '../../../src/config.ts'
import { toolContext } from './context.ts'

const line = (n: number, text: string): Overheard => ({
  ...{ version: 1, key: `k${n}`, author: { id: 'ben', name: 'Ben' }, text, at: n },
})
const readerOf = (answer: ReadAnswer): Reader => ({ offers: () => true, read: async () => answer })

/** What the history of a channel looks like to a model. */
async function history(
  said: readonly Overheard[],
  threadTokens: number,
  gap = false,
): Promise<string[]> {
  const reader = readerOf({ kind: 'said', said, gap })
  const tools = createReadingTools({
    readerOf: () => reader,
    conversations: { state: async () => null },
    threadTokens,
  })
  const tool = tools.find(({ name }) => name === 'channel_history')
  const { text = '' } = (await tool?.run('from: 2026-03-01', toolContext())) ?? {}
  return text.split('\n')
}
const offered = (reader: Reader | null, threadTokens: number) =>
  createReadingTools({
    readerOf: () => reader,
    conversations: { state: async () => null },
    threadTokens,
  })
    .filter(({ offeredIn }) => offeredIn?.('slack:T1'))
    .map(({ name }) => name)

describe('what tools read for somebody', () => {
  it('is at most 200 messages, the first and the newest, and says that there are more (C129)', async () => {
    const said = Array.from({ length: 230 }, (_, n) => line(n, `line ${n}`))
    const lines = await history(said, 100_000)
    expect(lines).toHaveLength(201)
    expect(
      [lines[0], lines[19], lines[20], lines[199]].map((one) => one?.replace(/.*line /, '')),
    ).toEqual([...['0', '19', '50', '229']])
    expect(lines[200]).toContain('There’s more; I read only a part')
    expect(await history(said.slice(0, 200), 100_000)).toHaveLength(200)
    expect((await history(said.slice(0, 3), 100_000, true)).at(-1)).toContain('There’s more')
  })

  it('fits into the tokens of a thread, the middle shortened, and says so (C129)', async () => {
    const said = Array.from({ length: 40 }, (_, n) => line(n, `${n} ${'word '.repeat(100)}`))
    const lines = await history(said, 2_000)
    expect(lines.join('').length / 4).toBeLessThan(2_600)
    expect(lines[0]).toContain(`Ben: 0 ${'word '.repeat(99)}`)
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/\d+ messages are shortened/),
      expect.stringContaining('There’s more'),
    ])
  })

  it('is nothing where no thread is to be read; people can be found all the same (C129, C70)', () => {
    const reader = readerOf({ kind: 'people', people: [], gap: false })
    expect(offered(reader, 1)).toEqual(['read_thread', 'channel_history', 'find_people'])
    expect(offered(reader, 0)).toEqual(['find_people'])
  })

  it('is nothing in a process that does not play the platform’s role: none of the tools is offered there (C128)', async () => {
    const config = readConfig({
      ...{
        ROLES: 'worker',
        DISCORD_TOKEN: 'a-token',
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_APP_TOKEN: 'xapp-1',
      },
    })
    const deps = {} as ChannelDeps
    expect(await openChannels(config, deps, [])).toEqual([])
    expect(offered(null, 1_000)).toEqual([])
  })
})
