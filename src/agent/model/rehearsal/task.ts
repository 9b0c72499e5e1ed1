import type { LoopInput, TaskInput } from '../../contracts/input.ts'
import { sameItem } from '../../domain/same-item.ts'
import type { Clarification } from '../../domain/task.ts'
import { plainGoal } from '../../schedules/quiet.ts'
import { proposedDays } from './days.ts'
import { draft, type Step } from './draft.ts'
import { english } from './grammar.en.ts'
import { chinese } from './grammar.zh.ts'
import { type Heard, hear } from './hear.ts'
import type { Clause, Grammar, Slot } from './request.ts'
import { languageIn, readable } from './text.ts'
import { type Day, words as en, type Words } from './words.en.ts'
import { words as zh } from './words.zh.ts'

export const grammars: Readonly<Record<'en' | 'zh', Grammar>> = { en: english, zh: chinese }
export const wordsOf: Readonly<Record<'en' | 'zh', Words>> = { en, zh }

/** A task as rehearsal sees it, worked out anew from every input: nothing is remembered between calls. */
export interface Task {
  words: Words
  grammar: Grammar
  goal: string
  clauses: readonly Clause[]
  slots: readonly Slot[]
  days: readonly Day[]
  heard: Heard
  /** The whole list for all that is known now, finished steps included. */
  steps: readonly Step[]
  /** The step that a plan item stands for, in the words of any earlier plan; null for an item of somebody else's. */
  stepOf(item: string): Step | null
}

/** Plans before these many of the latest clarifications are still recognised. */
const remembered = 12

export function understand(input: TaskInput, clarifications: readonly Clarification[] = []): Task {
  const asked = plainGoal(input.goal)
  const language = languageIn(asked, input.locale)
  const [words, grammar] = [wordsOf[language], grammars[language]]
  const goal = readable(asked)
  const clauses = bounded(grammar.read(goal))
  const slots = grammar.open(clauses, goal)
  const days = proposedDays(input)
  const listening = { grammar, words, slots, days }
  const drafted = (heard: Heard) =>
    draft({ words, grammar, goal, clauses, slots, values: heard.values, added: heard.added })
  const heard = hear(clarifications, listening)
  const steps = drafted(heard)
  const earlier: Step[] = []
  for (let end = Math.max(0, clarifications.length - remembered); end < clarifications.length; end += 1)
    earlier.push(...drafted(hear(clarifications.slice(0, end), listening)))
  const known = [...steps, ...earlier.reverse()]
  return { words, grammar, goal, clauses, slots, days, heard, steps, stepOf: (item) => recognise(item, known) }
}

/** An item's words may have been followed by what people added: `Book the date (keep it under 2000 euros)`. */
function recognise(item: string, known: readonly Step[]): Step | null {
  return known.find((step) => sameItem(step.text, item)) ?? known.find((step) => asideOf(item, step) !== '') ?? null
}

/** What stands behind the step's own words in the item. */
export function asideOf(item: string, step: Step): string {
  const rest = item.startsWith(step.text) ? item.slice(step.text.length) : ''
  return /^ ?[(（].+[)）]$/su.test(rest) ? rest.trim().slice(1, -1) : ''
}

/** So many clauses make a plan that people still read; the last one takes in what is beyond. */
const clausesMost = 6

function bounded(clauses: readonly Clause[]): Clause[] {
  const head = clauses.slice(0, clausesMost)
  const [last, ...others] = clauses.slice(clausesMost - 1)
  if (last === undefined || others.length === 0) return head
  const text = [last, ...others].map((clause) => clause.text).join('; ')
  return [...head.slice(0, -1), { ...last, kind: 'other', text, object: text, names: [], command: null }]
}

/** What has been said, for contracts that carry it. */
export const understandLoop = (input: LoopInput): Task => understand(input, input.clarifications)
