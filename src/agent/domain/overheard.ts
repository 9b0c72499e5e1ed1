import { z } from 'zod'
import { Author } from './message.ts'
import { standings, type Words } from './words.ts'

/**
 * Something that was said in a thread, or in the channel above it, and not to Clew. It is kept so
 * that Clew knows what the talk is about; it starts nothing, and to a model it is data, never an
 * instruction (C71, C72).
 */
export const Overheard = z.object({
  version: z.literal(1),
  /**
   * The key under which the message comes in, if it does: it is kept once, and its edits and its
   * deletion name it too.
   */
  key: z.string(),
  /** Null for what Clew said itself, before this conversation began. */
  author: Author.nullable(),
  /** Left out: a member. */
  by: z.enum(standings).optional(),
  text: z.string(),
  at: z.number(),
  /** Names of what was attached. */
  files: z.array(z.string()).optional(),
  /**
   * Where it was said, if not in the thread: in the channel above it; or it is what the person
   * replied to, or linked or shared.
   */
  where: z.enum(['channel', 'replied_to', 'linked']).optional(),
})
export type Overheard = z.infer<typeof Overheard>

/** Key of what a message quotes of another one; it is edited and goes with that one. */
export const quoteKey = (quoted: string, by: string): string => `${quoted}:in:${by}`

/** Key of the text of what is attached to a message that is overheard or quoted. */
export const filesKey = (key: string): string => `${key}:files`
export const isFiles = ({ key }: Pick<Overheard, 'key'>): boolean => key.endsWith(filesKey(''))

/** True if it is the message of this key, a quote of it, or what is attached to either. */
export const isOf = (key: string, { key: own }: Pick<Overheard, 'key'>): boolean =>
  own === key || own === filesKey(key) || own.startsWith(quoteKey(key, ''))

/**
 * Whose words were overheard: what was linked, shared, handed over or replied to is quoted, whoever
 * said it.
 */
export const whoseHeard = ({ by = 'member', where }: Pick<Overheard, 'by' | 'where'>): Words => ({
  by,
  way: where === 'linked' || where === 'replied_to' ? 'quoted' : 'typed',
})

/** As it was said; of one instant by the platform's own names, which only rise. */
export const asSaidInOrder = (one: Overheard, other: Overheard): number =>
  one.at - other.at || (one.key < other.key ? -1 : 1)

/** So many of one conversation are kept: the first, and the newest. */
const kept = { first: 20, newest: 380 }
/** So many more may gather before the oldest go, so that not every line reads all of them. */
const slack = 50

/** True if so many are to be thinned out. */
export const isCrowded = (count: number): boolean => count > kept.first + kept.newest + slack

/** Those of them, oldest first, that are too many to keep. */
export const tooMany = (overheard: readonly Overheard[]): readonly Overheard[] =>
  overheard.slice(kept.first, Math.max(kept.first, overheard.length - kept.newest))

/**
 * Length to which messages in the middle are cut if a thread is too long for a model, in letters.
 */
const middleLetters = 160

export interface Shortened {
  said: readonly Overheard[]
  /** So many are cut to their beginning, and so many left out. */
  shortened: number
  leftOut: number
}

/**
 * Fits messages into a number of tokens, oldest first. The beginning and the newest stay whole, and
 * so do files that were read for the newest. Messages between them are cut to their beginnings; if
 * they still do not fit, the oldest of these are dropped.
 */
export function withinTokens(all: readonly Overheard[], tokens: number): Shortened {
  const newest = all.at(-1)?.at
  const isWhole = (one: Overheard) => isFiles(one) && one.at === newest
  const fitted = messagesWithin(
    all.filter((one) => !isWhole(one)),
    tokens,
  )
  return { ...fitted, said: [...fitted.said, ...all.filter(isWhole)].sort(asSaidInOrder) }
}

function messagesWithin(said: readonly Overheard[], tokens: number): Shortened {
  const sizes = said.map(tokensOf)
  const sum = sizes.reduce((one, other) => one + other, 0)
  if (sum <= tokens) return { said, shortened: 0, leftOut: 0 }
  const first = fitting(sizes, tokens / 4)
  const last = said.length - fitting(sizes.slice(first).reverse(), tokens / 2)
  const middle = said.slice(first, last).map(cutShort)
  const kept = middle.slice(middle.length - fitting(middle.map(tokensOf).reverse(), tokens / 4))
  return {
    said: [...said.slice(0, first), ...kept, ...said.slice(last)],
    shortened: kept.filter((one) => !said.includes(one)).length,
    leftOut: middle.length - kept.length,
  }
}

/** Number of sizes, from the front, that fit. */
function fitting(sizes: readonly number[], tokens: number): number {
  let used = 0
  const at = sizes.findIndex((size) => {
    used += size
    return used > tokens
  })
  return at === -1 ? sizes.length : at
}

function cutShort(one: Overheard): Overheard {
  const letters = Array.from(one.text.slice(0, middleLetters * 2))
  if (letters.length <= middleLetters) return one
  return { ...one, text: `${letters.slice(0, middleLetters).join('').trimEnd()}…` }
}

/**
 * Near enough: four letters make a token, and a Chinese, Japanese or Korean one is a token by
 * itself; name and time come to some more.
 */
function tokensOf({ text }: Overheard): number {
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0
  return 12 + wide + (text.length - wide) / 4
}
