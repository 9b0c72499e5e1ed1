import { sameItem } from '../../domain/same-item.ts'
import type { Clause, Grammar, Slot } from './request.ts'
import type { Words } from './words.en.ts'

/** What a step does and, with that, what can be said of it afterwards. */
export type Work = 'search' | 'judge' | 'day' | 'order' | 'note' | 'command' | 'text' | 'think' | 'keep'

export interface Step {
  /** Holds the answers that the step depends on: with another answer it is another step. */
  key: string
  /** The key without the answers. */
  base: string
  text: string
  work: Work
  clause: Clause
  /** Asked at this step, unless it is known by then. */
  asks: readonly Slot[]
  /** May go when the plan would be too long. */
  helper: boolean
  /** People asked for it while the task was going on. */
  added: boolean
}

export interface Given {
  words: Words
  grammar: Grammar
  goal: string
  clauses: readonly Clause[]
  slots: readonly Slot[]
  /** Answers, by the slot's place in `slots`. */
  values: ReadonlyMap<number, string>
  /** Work that people added while the task was going on. */
  added: readonly Clause[]
}

/** Steps of the default budget, less a margin for messages that arrive on the way (R20). */
const affordable = 18

/**
 * The whole list of steps for what is known. A step that depends on an answer changes its words and its key with it;
 * the others stay as they are, so that finished work stays finished (C3).
 */
export function draft(given: Given): Step[] {
  const unaffordable = dropped({ ...given, values: new Map(), added: [] }, new Set())
  const base = stepsOfAll(given, unaffordable)
  const added = given.added.flatMap((clause, index) =>
    stepsOf(clause, { ...given, prefix: `added${index}:`, added: true, own: [], looked: true, last: false }).filter(
      (step) => !step.helper,
    ),
  )
  return unique([...base, ...added], given.words)
}

/** The bases of the helper steps that go, the last ones first, until the rest is affordable. */
function dropped(given: Given, gone: ReadonlySet<string>): ReadonlySet<string> {
  const steps = stepsOfAll(given, gone)
  const cost = steps.reduce((sum, step) => sum + costOf(step), 0)
  const spare = steps.findLast((step) => step.helper)
  return cost <= affordable || spare === undefined ? gone : dropped(given, new Set([...gone, spare.base]))
}

/** Thoughts, calls and the replan behind them; a question adds a thought and a replan. */
export function costOf(step: Step): number {
  const calls =
    step.work === 'note'
      ? Math.max(1, step.clause.names.length)
      : ['search', 'order', 'command'].includes(step.work)
        ? 1
        : 0
  return 2 + 2 * calls + 2 * step.asks.length
}

function stepsOfAll(given: Given, gone: ReadonlySet<string>): Step[] {
  if (given.clauses.length === 0) return unclear(given)
  let looked = false
  return given.clauses.flatMap((clause, index) => {
    const own = given.slots.flatMap((slot, at) =>
      slot.clause === index ? [{ slot, value: given.values.get(at) ?? null }] : [],
    )
    const context = {
      ...given,
      prefix: `${index}:`,
      added: false,
      own,
      looked,
      last: index === given.clauses.length - 1,
    }
    const steps = stepsOf(clause, context).filter((step) => !gone.has(step.base))
    looked ||= clause.kind === 'review' || steps.some((step) => step.work === 'search')
    return withQuestions(
      steps,
      own.map((one) => one.slot),
    )
  })
}

/** A goal without a verb: a noun phrase, or words that nobody here knows. */
function unclear({ words, goal }: Given): Step[] {
  const nothing = { purpose: null, given: false, names: [], reminds: false, command: null }
  const clause: Clause = { kind: 'other', text: goal, object: goal, ...nothing }
  const step = (key: string, text: string, work: Work): Step => {
    return { key, base: key, text, work, clause, asks: [], helper: false, added: false }
  }
  return [step('understand', words.understand(goal), 'think'), step('result', words.result(), 'text')]
}

interface Context extends Omit<Given, 'added'> {
  prefix: string
  added: boolean
  own: readonly { slot: Slot; value: string | null }[]
  /** An earlier clause has looked things up already. */
  looked: boolean
  last: boolean
}

/** A plan's budget holds so many to-dos; the last one takes in what is beyond, so that nothing is lost. */
const namesMost = 8

const bundled = (names: readonly string[]): string[] =>
  names.length <= namesMost ? [...names] : [...names.slice(0, namesMost - 1), names.slice(namesMost - 1).join(', ')]

/** Where the open thing is a place, a look at what there is comes before the question. */
const afterLooking = (slot: Slot): boolean => slot.kind === 'place' || slot.kind === 'destination'

function stepsOf(plain: Clause, context: Context): Step[] {
  const { words, grammar, own, prefix, goal } = context
  const answered = own.filter((one) => one.value !== null)
  const filled = own.reduce((one, { slot, value }) => (value === null ? one : grammar.fill(one, slot, value)), plain)
  const clause: Clause = { ...filled, names: bundled(filled.names) }
  const suffix = answered.length === 0 ? '' : `=${answered.map((one) => one.value).join('|')}`
  const step = (name: string, text: string, work: Work, rest: Partial<Step> = {}): Step => ({
    key: `${name}:${prefix}${suffix}`,
    base: `${name}:${prefix}`,
    text: words.item(text),
    work,
    clause,
    asks: [],
    helper: false,
    added: context.added,
    ...rest,
  })
  const look = (text: (clause: Clause) => string): Step[] => {
    if (context.looked) return []
    const placed = answered.filter((one) => afterLooking(one.slot))
    if (placed.length === 0) return [step('look', text(clause), 'search', { helper: true })]
    const before = own.reduce(
      (one, { slot, value }) => (value === null || afterLooking(slot) ? one : grammar.fill(one, slot, value)),
      plain,
    )
    return [
      step('look', text(before), 'search', { key: `look:${prefix}`, helper: true, clause: before }),
      step('check', closer(clause), 'search', { base: `look:${prefix}`, helper: true }),
    ]
  }
  const closer = (one: Clause): string =>
    one.kind === 'answer' ? words.lookUpQuestion(one) : one.kind === 'find' ? one.text : words.check(one)
  const helper = (name: string, text: string, work: Work) => step(name, text, work, { helper: true })
  const main = (work: Work, text = clause.text) => step('main', text, work)
  return stepsByKind()

  function stepsByKind(): Step[] {
    switch (clause.kind) {
      case 'find':
        return [
          ...look((one) => one.text).map((one) => ({ ...one, helper: false })),
          ...(context.looked ? [main('judge')] : context.last ? [helper('close', words.writeUp(), 'text')] : []),
        ]
      case 'compare':
        return [...look(words.findOut), main('judge')]
      case 'choose':
        return [...look(grammar.namesChoices(clause) ? words.findOut : words.options), main('judge')]
      case 'book':
        if (grammar.choosesDate(clause))
          return grammar.dateIn(clause.text) === null && grammar.dateIn(goal) === null
            ? [step('day', words.chooseDate(clause), 'day'), step('main', words.bookDate(), 'order')]
            : [main('order')]
        return [...look(words.availability), main('order')]
      case 'buy':
        return [...look(words.prices), main('order')]
      case 'send':
        return [helper('draft', words.draft(), 'text'), main('order')]
      case 'write':
        return [
          ...look(words.gather),
          main('text'),
          ...(context.last ? [helper('close', words.proofread(), 'think')] : []),
        ]
      case 'explain':
        return [...(clause.given ? [helper('look', words.readText(), 'think')] : look(words.lookUp)), main('text')]
      case 'review':
        return [step('main', words.goThrough(clause), 'think'), helper('close', words.findings(), 'text')]
      case 'translate':
        return [main('text'), helper('close', words.proofread(), 'think')]
      case 'plan':
        return [...look(words.needs), main('judge', words.order()), step('close', words.planToList(), 'order')]
      case 'list':
        return [...look(words.lookUp), main('text')]
      case 'note':
        return [
          main(
            'note',
            clause.names.length === 0
              ? words.noteNothing()
              : clause.names.length === 1
                ? words.noteOne(clause.names[0] ?? '')
                : words.noteAll(clause.names.length),
          ),
          ...(context.last && clause.names.length > 1 ? [helper('close', words.checkList(), 'command')] : []),
        ]
      case 'todos':
        return [main('command')]
      case 'answer':
        return [...look(words.lookUpQuestion), step('main', words.writeAnswer(), 'text')]
      case 'other':
        return [helper('look', words.workOut(), 'think'), main('order')]
    }
  }
}

/** Hangs each question on the step that cannot go on without it; two that belong together come together. */
function withQuestions(steps: readonly Step[], slots: readonly Slot[]): Step[] {
  const looks = steps.findIndex((step) => step.work === 'search')
  const at = slots.some(afterLooking) && looks !== -1 ? Math.min(looks + 1, steps.length - 1) : 0
  return steps.map((step, index) => ({ ...step, asks: index === at ? slots : [] }))
}

/** Two items of one name would be one item to the loop. */
function unique(steps: readonly Step[], words: Words): Step[] {
  const kept: Step[] = []
  for (const step of steps) {
    const same = kept.some((one) => sameItem(one.text, step.text))
    if (same && step.helper) continue
    let text = step.text
    for (let nth = 2; kept.some((one) => sameItem(one.text, text)); nth += 1) text = words.again(step.text, nth)
    kept.push({ ...step, text })
  }
  return kept
}
