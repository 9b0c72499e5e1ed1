import { z } from 'zod'

/*
 * Every effect follows from words. Whose they are and how they came travels with them as one value,
 * and the table here is the one place that says what such words may do (C283).
 */

/** Ways on which words come to Clew. */
export const ways = [
  /** Written to Clew: a message, a native command. */
  'typed',
  /** A message that its author changed so that it is for Clew. */
  'edited',
  /** A button or a menu: the words on it are Clew's. */
  'pressed',
  /**
   * A press on a button that Clew made for exactly that, for that person alone and for a while
   * (C286).
   */
  'confirmed',
  /** Written into a form that Clew opened. */
  'form',
  'reaction',
  /**
   * Somebody picked another person's message for Clew: the request is theirs, the message is
   * `quoted`.
   */
  'handed_over',
  /** Another person's words inside a message: forwarded, shared, attached, unfurled, replied to. */
  'quoted',
  /** A page, a document, a result of a search: what a tool read. */
  'read',
  'model',
  'schedule',
  /** A connector or another program with a secret of its own. */
  'program',
] as const
export type Way = (typeof ways)[number]

/**
 * Speakers as platforms tell them apart. `operator`: somebody on the page acts in a thread of
 * another platform (S22). Where outsiders are let in, they and guests are members (S35). `unknown`:
 * the platform does not say now who they are (S38).
 */
export const standings = ['member', 'operator', 'guest', 'outsider', 'unknown', 'bot'] as const
export type Standing = (typeof standings)[number]

/** Whose words they are, and how they came. */
export const Words = z.object({ way: z.enum(ways), by: z.enum(standings) })
export type Words = z.infer<typeof Words>

export const powers = [
  /** Begins work, or adds to work that goes on. */
  'start',
  'command',
  /** Answers a question that is no approval. */
  'answer',
  'approve',
  'stop',
  /**
   * Lets work that nobody watches change things unasked: `--mode auto`, `--allow`. Hands what a
   * person owns to another.
   */
  'grant',
  /** Makes an address in the words one that people and tools may follow (S21). */
  'vouch',
  /** Makes a fact known without another person's word. */
  'remember',
  /** Erases a person's data without being asked back. */
  'erase',
] as const
export type Power = (typeof powers)[number]

/** Powers of a member's words, by the way on which they came. */
const powersOf: Readonly<Record<Way, readonly Power[]>> = {
  typed: powers,
  edited: ['start', 'command', 'answer', 'approve', 'stop', 'vouch', 'remember'],
  pressed: ['start', 'command', 'answer', 'approve', 'stop', 'remember'],
  confirmed: ['erase'],
  form: ['start', 'command', 'answer', 'approve', 'stop', 'grant', 'vouch', 'remember'],
  // C785: the words of its command are Clew's.
  reaction: ['command'],
  handed_over: ['start'],
  quoted: [],
  read: [],
  model: ['command'],
  schedule: ['start'],
  program: ['start'],
}

/** Powers that a speaker has at most. */
const reachOf: Readonly<Record<Standing, readonly Power[]>> = {
  member: powers,
  operator: powers.filter((power) => power !== 'erase'),
  guest: [],
  outsider: [],
  unknown: [],
  bot: [],
}

const proof = Symbol('proof')

/**
 * Proof that words have a power; only `allowed` makes one, so that what takes it cannot be reached
 * without the table.
 */
export interface Allowed<P extends Power> {
  readonly [proof]: P
}

/** Null: these words may not. */
export function allowed<P extends Power>({ way, by }: Words, power: P): Allowed<P> | null {
  return reachOf[by].includes(power) && powersOf[way].includes(power) ? { [proof]: power } : null
}

/** Words of rows from before they said whose they are: as they were taken then. */
export const typedHere: Words = { way: 'typed', by: 'member' }
