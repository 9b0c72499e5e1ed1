import { addressesIn } from '../../agent/domain/address.ts'
import type { Overheard } from '../../agent/domain/overheard.ts'
import type { Channel } from '../../agent/ports/channel.ts'
import type { Reader } from '../../agent/ports/reader.ts'

type ReadThread = NonNullable<Channel['readThread']>

/** Limits for a mention: threads that are read by their link, and lines of each. */
const most = { links: 3, lines: 20 }

/**
 * Adds the threads that a mention links to the reading of its own thread, as far as the author may
 * see them (C159).
 */
export function withLinked(reader: Reader, isLink: (link: string) => boolean, read: ReadThread) {
  const readThread: ReadThread = async (event, since, signal) => {
    const { workspace, channel, author, content } = event
    const text = content.kind === 'message' ? content.text : ''
    const named = [...new Set(addressesIn(text))].filter(isLink)
    const asker = { workspace, channel, person: { id: author.id, name: author.name } }
    const [reading, ...answers] = await Promise.all([
      read(event, since, signal),
      ...named
        .slice(0, most.links)
        .map((link) => reader.read(asker, { kind: 'thread', link }, signal)),
    ])
    if (reading.kind !== 'read') return reading
    const known = new Set(reading.said.map(({ key }) => key))
    const linked = answers.flatMap((one) => (one.kind === 'said' ? shortOf(one.said) : []))
    const lines = linked
      .filter(({ key }) => !known.has(key))
      .map((one) => ({ ...one, where: 'linked' as const }))
    return { ...reading, said: [...reading.said, ...lines] }
  }
  return { reader, readThread }
}

/** Keeps the first line of a long thread and its newest lines. */
const shortOf = (said: readonly Overheard[]): readonly Overheard[] =>
  said.length <= most.lines ? said : [...said.slice(0, 1), ...said.slice(1 - most.lines)]
