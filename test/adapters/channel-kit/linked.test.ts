import { expect, it } from 'vitest'
import { withLinked } from '../../../src/adapters/channel-kit/linked.ts'
import type { Reader } from '../../../src/agent/ports/reader.ts'

it.each([
  ['See https://a.example/p1.', 1],
  ['看看https://a.example/p1，谢谢', 1],
  ['https://a.example/p1看看', 1],
  ['[here](https://a.example/p1) and https://a.example/p2!', 2],
  ['https://a.example/other', 0],
])(
  'a link is read also where a sentence ends or goes on behind it: %s (C159)',
  async (text, count) => {
    const read: string[] = []
    const reader: Reader = {
      offers: () => true,
      async read(_, request) {
        if (request.kind === 'thread') read.push(request.link)
        return { kind: 'unreadable', reason: 'forbidden' }
      },
    }
    const isLink = (link: string) => /\/p\d$/.test(link)
    const { readThread } = withLinked(reader, isLink, async () => ({
      kind: 'read',
      said: [],
      gap: false,
    }))
    const event = {
      ...{ workspace: 'w', channel: 'c', thread: 't', keys: ['k'], at: 0 },
      author: { id: 'a', name: 'Ana', bot: false },
      whose: { way: 'typed' as const, by: 'member' as const },
      content: { kind: 'message' as const, text, addressed: true, forSomeoneElse: false },
    }
    await readThread(event, 0, new AbortController().signal)
    expect(read).toEqual(['https://a.example/p1', 'https://a.example/p2'].slice(0, count))
  },
)
