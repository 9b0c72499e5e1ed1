import { addressesIn } from '../../agent/domain/address.ts'
import type { Overheard } from '../../agent/domain/overheard.ts'
import type { Channel } from '../../agent/ports/channel.ts'
import type { Reader } from '../../agent/ports/reader.ts'

type ReadThread = NonNullable<Channel['readThread']>

/** How a platform links messages, and how much of what is linked is read along. */
interface Links {
  isLink(link: string): boolean
  linksOfMessage: number
  linkedLines: number
}

/** C159: what a mention links is read with its thread, as far as its author may see it. */
export function withLinked(reader: Reader, links: Links, readThread: ReadThread): ReadThread {
  return async (event, since, signal) => {
    const { workspace, channel, author, content } = event
    const text = content.kind === 'message' ? content.text : ''
    const named = [...new Set(addressesIn(text))].filter(links.isLink)
    const asker = { workspace, channel, person: { id: author.id, name: author.name } }
    const [reading, ...answers] = await Promise.all([
      readThread(event, since, signal),
      ...named.slice(0, links.linksOfMessage).map((link) => reader.read(asker, { kind: 'thread', link }, signal)),
    ])
    if (reading.kind !== 'read') return reading
    const known = new Set(reading.said.map(({ key }) => key))
    const linked = answers.flatMap((one) => (one.kind === 'said' ? shortOf(one.said, links.linkedLines) : []))
    const lines = linked.filter(({ key }) => !known.has(key)).map((one) => ({ ...one, where: 'linked' as const }))
    return { ...reading, said: [...reading.said, ...lines] }
  }
}

/** What a link names first, and the newest below it. */
const shortOf = (said: readonly Overheard[], most: number): readonly Overheard[] =>
  said.length <= most ? said : [...said.slice(0, 1), ...said.slice(1 - most)]
