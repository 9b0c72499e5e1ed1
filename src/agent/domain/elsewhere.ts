import { z } from 'zod'
import { deriveId } from './id.ts'
import { Author, type Offer } from './message.ts'

/**
 * Answer that a task waits for: from whom, to which words. `here`: they are asked in the task's own
 * thread.
 */
export const Awaited = z.object({
  of: Author,
  /** Where they were asked, as people name it. */
  place: z.string(),
  /** Web address of that place; null: it has none. */
  link: z.string().nullable(),
  text: z.string(),
  here: z.boolean(),
})
export type Awaited = z.infer<typeof Awaited>

/** Message for another place: its text, and whether an answer is awaited. */
export interface Errand {
  kind: 'tell' | 'ask'
  /** Channel or person, as it is named. */
  to: string
  /** A person of the thread is called in it. */
  here: boolean
  text: string
}

/** Longest text that is posted elsewhere, in characters: it fits into one message everywhere. */
export const errandMost = 1_500

/**
 * Reads a call's input: the kind and the place in its first line, the text behind it; null: it is
 * not one.
 */
export function readErrand(input: string): Errand | null {
  const [, kind = '', line = '', text = ''] =
    /^\s{0,9}(tell|ask)[ \t]{1,9}([^\n]{1,200})\n([\s\S]+)$/i.exec(input) ?? []
  const named = line.trim()
  const here = named.endsWith(' here')
  const to = here ? named.slice(0, -' here'.length).trim() : named
  if (text.trim() === '' || to === '') return null
  return { kind: kind.toLowerCase() === 'ask' ? 'ask' : 'tell', to, here, text: text.trim() }
}

/** The same as an input: what people approve, and what is then done (C840). */
export const errandInput = ({ kind, to, here, text }: Errand): string =>
  `${kind} ${to}${here ? ' here' : ''}\n${text}`

/** Place that a message goes to. */
export type Target = Author & { kind: 'channel' | 'person' }

const signs = { channel: '#', person: '@' } as const

/** Name of a place with its sign, as people write it. */
export const shownTarget = ({ kind, name }: Target): string => `${signs[kind]}${name}`

/** Name of a place with its id: what was approved stays the same place when names change. */
export const exactTarget = (target: Target): string => `${shownTarget(target)} (${target.id})`

/**
 * A place as it was named: its sign, its name, and the id behind that in brackets, which may be a
 * part of a name as well.
 */
export function readTarget(to: string): { sign: string; name: string; id: string | null } {
  const [, mark, marked] = /^<([#@])!?([A-Za-z0-9]{1,30})(?:\|[^>]{0,100})?>$/.exec(to) ?? []
  if (mark !== undefined && marked !== undefined) return { sign: mark, name: '', id: marked }
  const [, sign = '', rest = ''] = /^([#@]?)([\s\S]*)$/.exec(to) ?? []
  const [, name = rest, id = null] = /^(.{1,120}) \(([\w-]{1,40})\)$/.exec(rest) ?? []
  return { sign, name: name.trim(), id }
}

/** Name of a place, as a link where it has an address. */
export const linked = (place: string, link: string | null): string =>
  link === null ? place : `[${place}](${link})`

/** Thread in which a call's message stands, wherever that is. */
export const errandThread = (effectId: string): string => deriveId('c', 'elsewhere', effectId)

/** Question of a call that awaits somebody's answer. */
export const errandQuestion = (effectId: string): string => deriveId('q', 'elsewhere', effectId)

/** True for words that answer; commands are for Clew. */
export const isReply = (text: string): boolean =>
  text.trim() !== '' && !/^[/／!！]/u.test(text.trim())

/** Message elsewhere that may be taken back, by its thread. `isDirect`: one person got it. */
export interface TakeBack {
  thread: string
  isDirect: boolean
}

/** Button that takes it back; nobody is meant to type its command. */
export const takeBackOffer = (label: string, { thread, isDirect }: TakeBack): Offer => ({
  label,
  command: `/takeback ${thread}${isDirect ? ' direct' : ''}`,
})

/** The same from the command; null: it is another one. */
export function readTakeBack(command: string): TakeBack | null {
  const [, thread, direct] = /^\/takeback ([\w-]{1,80})( direct)?$/.exec(command) ?? []
  return thread === undefined ? null : { thread, isDirect: direct !== undefined }
}
