/*
 * What rehearsal understands of a request: clauses with a kind of work each, and the things that they leave open. A
 * `Grammar` reads them from one language; everything behind it is the same for all languages.
 */

/** Kinds of work, each with its own way of being planned. */
export type Kind =
  | 'find'
  | 'compare'
  | 'choose'
  | 'book'
  | 'buy'
  | 'send'
  | 'write'
  | 'explain'
  | 'review'
  | 'translate'
  | 'plan'
  | 'list'
  | 'note'
  | 'todos'
  | 'answer'
  | 'other'

/** One thing to do. All texts are in the person's own words, without courtesies. */
export interface Clause {
  kind: Kind
  /** The whole of it as an order: `book a date for the offsite`. */
  text: string
  /** What is acted on: `a date for the offsite`. */
  object: string
  /** What it is for: `the offsite`. */
  purpose: string | null
  /** The request brings along what it is about: a quote, a link, a text behind a colon. */
  given: boolean
  /** To-dos to note, in order. */
  names: readonly string[]
  /** A to-do is to ring at its time. */
  reminds: boolean
  /** A command that the clause comes down to, and the tool that takes it: the to-dos' unless it is named. */
  command: string | null
  tool?: 'schedule'
}

export type SlotKind =
  | 'place'
  | 'destination'
  | 'date'
  | 'which'
  | 'recipient'
  | 'people'
  | 'amount'
  | 'language'
  | 'text'

/** Something that the request leaves open and that its work cannot do without. */
export interface Slot {
  kind: SlotKind
  /** The clause that needs it. */
  clause: number
  /** The words that leave it open: `the three venues`. */
  phrase: string
}

/** Talk that gets a reply and no work. */
export type Talk = 'greeting' | 'about' | 'thanks' | 'acknowledged' | 'unclear'

export interface Grammar {
  /** Null when the text is more than talk. */
  smallTalk(text: string): Talk | null
  /** “wait 30 seconds”, “remind me in 10 minutes to stretch”. */
  wait(text: string): { seconds: number; what: string | null } | null
  /** At least one clause, unless the text holds no request at all. */
  read(text: string): Clause[]
  /** What is left open, the weightiest first; at most two. */
  open(clauses: readonly Clause[], goal: string): Slot[]
  /** The clause with the open thing put in. */
  fill(clause: Clause, slot: Slot, value: string): Clause
  /** The first place or time that the text names, in its words. */
  placeIn(text: string): string | null
  dateIn(text: string): string | null
  /** “choose between A and B”: there is nothing to collect first. */
  namesChoices(clause: Clause): boolean
  /** “book a date”: the date is what the work finds, not what it starts from. */
  choosesDate(clause: Clause): boolean
  /** An answer's own words for the open thing, and what else it says. */
  answer(text: string, kind: SlotKind): { value: string; rest: string | null }
  /** “you choose” and “no idea” leave a thing open. */
  undecided(text: string): 'you_choose' | 'unknown' | null
  /** “ok”, “thanks”, “continue”: words that change nothing. */
  isFiller(text: string): boolean
  /** Takes back what was said before: “Berlin instead”. */
  isCorrection(text: string): boolean
  /** Whether the clause is work of its own, not a condition on other work (“keep it short”). */
  isWork(clause: Clause): boolean
  /** A note's text without the courtesies that lead to it: `also keep it short` → `keep it short`. */
  condition(text: string): string
  /** Words for a search engine. */
  query(clause: Clause): string
  /** One lower-case word that says what the clause is for; null when there is no plain one. */
  tag(clause: Clause): string | null
}
