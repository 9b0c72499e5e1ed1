/* Sources of events in the team's own places (C780). Sources outside have the names that a file gives them (C640). */

/** Source of what people say at the top of a channel. */
export const channelSource = 'channel'

/** Beginnings of sources that a rule names further: by a sign, a bot, or a folder. */
const kinds = ['reaction', 'bot', 'folder'] as const
type Kind = (typeof kinds)[number]
/** Kinds of sources that a rule can name in a place of a chat platform. */
export const placeSources: readonly string[] = [channelSource, 'reaction:', 'bot:']

/**
 * Sign of a reaction, as a platform or a person writes it: `📌`, `:pushpin:`, `<:party:123>`. Skin
 * tones make no other sign.
 */
export function signOf(written: string): string {
  const plain = written.trim().toLowerCase()
  const [, custom] = /^<a?:(\w+):\d+>$/.exec(plain) ?? []
  const name = custom ?? plain.replace(/^:|:$/g, '').replace(/::skin-tone-\d$/, '')
  return name.replace(/[\uFE0F\u{1F3FB}-\u{1F3FF}]/gu, '')
}

/** The one way in which the name of a source is written. */
export function sourceOf(kind: Kind, name: string): string {
  const plain = name.trim().toLowerCase()
  return `${kind}:${kind === 'reaction' ? signOf(plain) : plain.replace(/^@/, '')}`
}

/** Parts of a source's name; `hook`: a service outside. */
export function sourceParts(source: string): { kind: Kind | 'channel' | 'hook'; name: string } {
  if (source === channelSource) return { kind: 'channel', name: '' }
  const kind = kinds.find((one) => source.startsWith(`${one}:`))
  return kind === undefined
    ? { kind: 'hook', name: source }
    : { kind, name: source.slice(kind.length + 1) }
}

/** The source that a person means, of those that may be used; undefined: none. */
export function sourceNamed(typed: string, usable: readonly string[]): string | undefined {
  const wanted = typed.trim().toLowerCase()
  const { kind, name } = sourceParts(wanted)
  if (kind === 'hook' || kind === 'channel') return usable.find((one) => one === wanted)
  const source = sourceOf(kind, name)
  const isUsable = usable.includes(source) || usable.includes(`${kind}:`)
  return isUsable && name !== '' ? source : undefined
}
