import { assertNever } from '../domain/assert.ts'
import type { News, Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { noUsage, plus } from '../domain/usage.ts'
import { mergeChanges } from '../kernel/change.ts'
import { privateMessage } from '../kernel/messages.ts'
import type { RunInput } from '../ports/store.ts'
import { wantsPlanFirst } from '../said/plan-first.ts'
import { type Strategies, strategyOf } from '../strategies/strategies.ts'
import type { AnyEvent } from '../strategies/strategy.ts'
import { outcomeOf, sayLine, verdictLine } from './outcome.ts'
import type { Line } from './scene.ts'
import { usesOf } from './standing.ts'
import { toolOutput } from './tool-output.ts'

/** Effects of events on a task: pure, so that they are known before anything is read or written. */
export interface Step {
  after: Task
  trace: readonly TraceEvent[]
  /** Changes to its thread; nothing needs to be read if this is empty. */
  lines: readonly Line[]
}

/**
 * Applies events to a task, and decides what its thread is told and asked. What the next action
 * means for the thread is in the same step as the event that led to it, so no crash can part them
 * (R15, R16, C27).
 */
export function decideStep(
  strategies: Strategies,
  before: Task,
  events: readonly AnyEvent[],
): Step {
  const trace: TraceEvent[] = []
  const stale: PlanEdited[] = []
  let after = before
  for (const event of events) {
    const strategy = strategyOf(after, strategies)
    const next = strategy.apply(after, event)
    if (event.kind === 'plan_edited' && next === after) stale.push(event)
    const told = strategy.narrate(after, event, next)
    trace.push(...told)
    const news = told.map(newsOf).findLast((one) => one !== null)
    after = news == null ? next : { ...next, news }
  }
  // A plan that people change leaves a task that waits as it is.
  const isEdit = events.length > 0 && events.every(({ kind }) => kind === 'plan_edited')
  const lines = [
    ...sayLine(before, after),
    ...verdictLine(before, after),
    ...toolOutput(events),
    ...usesOf(events),
    ...staleLine(stale),
    ...(isEdit ? [] : outcomeOf(after, strategyOf(after, strategies).next(after))),
  ]
  return { after, trace, lines }
}

type PlanEdited = Extract<AnyEvent, { kind: 'plan_edited' }>

/** C208: a change that came too late changed nothing, and the person who made it is told so. */
function staleLine(stale: readonly PlanEdited[]): Line[] {
  if (stale.length === 0) return []
  return [
    ({ run: { conversationId, title }, words, now: at }) => {
      if (conversationId === null) return {}
      const parts = stale.map(({ entryId, by }) => {
        const origin = { conversationId, cause: { kind: 'turn' as const, refId: entryId }, at }
        return privateMessage(origin, { ...by, bot: false }, words.core.planMovedOn(title))
      })
      return mergeChanges(...parts)
    },
  ]
}

/** R38, R39: returns the news of a reply for the thread; null: none. */
function newsOf(told: TraceEvent): News | null {
  if (told.kind === 'planned' || told.kind === 'replanned') return { kind: told.kind, index: 0 }
  return told.kind === 'thought' ? { kind: told.decision, index: told.index } : null
}

/** Tokens of the model calls among events. */
export const usageOf = (events: readonly AnyEvent[]) =>
  events.reduce((sum, event) => ('usage' in event ? plus(sum, event.usage) : sum), noUsage)

/**
 * Turns a mailbox entry into events of the task. Overheard entries give none: the next request
 * shows them (C71). A task gathers nothing.
 */
export function eventsOf(input: RunInput): AnyEvent[] {
  switch (input.kind) {
    case 'answer': {
      const { question, text, author, edited } = input
      const change = edited === undefined ? {} : { edited }
      const { text: asked, choices } = question
      const choice = choices.indexOf(text)
      return [{ kind: 'answered', question: asked, choices, text, author, choice, ...change }]
    }
    case 'joined': {
      const { text, author, images, aside = false } = input
      const attached = images === undefined ? {} : { images }
      const planFirst = wantsPlanFirst(text)
      return [{ kind: 'joined', text, author, ...attached, aside: aside || undefined, planFirst }]
    }
    case 'continue':
      return [{ kind: 'continued' }]
    case 'plan_edit': {
      const { entryId, author: by, seen, steps } = input
      return [{ kind: 'plan_edited', entryId, by, seen, steps }]
    }
    case 'overheard':
    case 'gathered':
      return []
    default:
      return assertNever(input)
  }
}

/** Returns the trace of a mailbox entry that the task gets. */
export function heardOf(input: RunInput): TraceEvent[] {
  if (input.kind === 'overheard' || input.kind === 'gathered') return []
  const { kind: as, entryId, author } = input
  const by = author === undefined ? {} : { by: { id: author.id, name: author.name } }
  return [{ kind: 'heard', entryId, as, ...by }]
}
