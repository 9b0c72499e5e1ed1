import { normalised } from '../../domain/same-item.ts'
import type { Clarification } from '../../domain/task.ts'
import type { Clause, Grammar, Slot } from './request.ts'
import { shorten } from './text.ts'
import type { Day, Words } from './words.en.ts'

/** What people said to a task, sorted by what it means for the plan. */
export interface Heard {
  /** By the slot's place among the open ones. */
  values: ReadonlyMap<number, string>
  /** Work of its own: “and book a photographer”. */
  added: readonly Clause[]
  /** Conditions on the work, in order: “keep it under 2000 euros”. */
  conditions: readonly Condition[]
}

export interface Condition {
  /** Which of the clarifications said it. */
  from: number
  text: string
}

export interface Listening {
  grammar: Grammar
  words: Words
  slots: readonly Slot[]
  days: readonly Day[]
}

/** Reads the clarifications in order; a later one may correct an earlier one. */
export function hear(clarifications: readonly Clarification[], listening: Listening): Heard {
  const values = new Map<number, string>()
  const added: Clause[] = []
  const conditions: Condition[] = []
  clarifications.forEach((said, from) => {
    const asked =
      said.question === null ? -1 : listening.slots.findIndex((slot) => isAbout(said.question, slot, listening))
    const more = asked === -1 ? said.text : takeAnswer(said.text, asked, listening, values)
    // Questions that the loop itself asked (“it failed: try again?”) are answered to it, not to the plan.
    if (more === null || (asked === -1 && said.question !== null) || listening.grammar.isFiller(more)) return
    if (asked === -1 && fillsOpen(more, listening, values)) return
    const { work, rest } = sortOut(more, listening.grammar)
    added.push(...work)
    conditions.push(...rest.map((text) => ({ from, text })))
  })
  return { values, added, conditions }
}

/** The question as shown may have a prefix (R12). */
export function isAbout(shown: string | null, slot: Slot, { words }: Pick<Listening, 'words'>): boolean {
  return shown !== null && normalised(shown).includes(normalised(words.question(slot)))
}

/** Notes the answer and returns what else was said with it. */
function takeAnswer(
  text: string,
  at: number,
  { grammar, words, slots, days }: Listening,
  values: Map<number, string>,
): string | null {
  const slot = slots[at]
  if (slot === undefined) return text
  const undecided = grammar.undecided(text)
  if (undecided === 'unknown') return null
  if (undecided === 'you_choose') {
    const [first] = words.choices(slot, days)
    if (first !== undefined && slot.kind !== 'date') values.set(at, first)
    return null
  }
  const { value, rest } = grammar.answer(text, slot.kind)
  if (/[\p{L}\p{N}]/u.test(value)) values.set(at, value)
  return rest
}

/** “Lisbon, please” before anybody asked, or “Berlin instead” afterwards. */
function fillsOpen(text: string, { grammar, words, slots, days }: Listening, values: Map<number, string>): boolean {
  const at = slots.findIndex((slot, index) => {
    if (values.has(index) && !grammar.isCorrection(text)) return false
    if (slot.kind === 'date') return grammar.dateIn(text) !== null && text.length < 60
    if (words.choices(slot, days).some((choice) => normalised(text).includes(normalised(choice)))) return true
    return (slot.kind === 'place' || slot.kind === 'destination') && grammar.placeIn(text) !== null && text.length < 60
  })
  const slot = slots[at]
  if (slot === undefined) return false
  const named =
    slot.kind === 'date'
      ? grammar.dateIn(text)
      : slot.kind === 'place' || slot.kind === 'destination'
        ? grammar.placeIn(text)
        : null
  const choice = words.choices(slot, days).find((one) => normalised(text).includes(normalised(one)))
  const value = named ?? choice
  if (value === undefined) return false
  values.set(at, value)
  return true
}

function sortOut(text: string, grammar: Grammar): { work: Clause[]; rest: string[] } {
  const clauses = grammar.read(text)
  const work = clauses.filter((clause) => grammar.isWork(clause))
  if (clauses.length === 0 || work.length === 0) return { work: [], rest: [shorten(grammar.condition(text), 90)] }
  const others = clauses.filter((clause) => !work.includes(clause))
  return { work, rest: others.map((clause) => shorten(clause.text, 90)) }
}
