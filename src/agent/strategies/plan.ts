import { normalised, sameItem } from '../domain/same-item.ts'
import type { Clarification, Conclusion, PlanChange, PlanItem, Task } from '../domain/task.ts'
import { keepParts } from './parts.ts'
import type { PlanPoint } from './strategy.ts'

/**
 * C3: a new list against what is already done. The same full list keeps its progress; a list equal
 * to what is left starts at its first item; otherwise items that were done before stay done. The
 * cursor is the first open item.
 */
export function alignPlan(
  old: readonly PlanItem[],
  list: readonly string[],
  conclusions: readonly Conclusion[],
): { items: PlanItem[]; index: number } {
  const texts = list.map((text) => text.trim())
  const names = texts.map(normalised)
  const oldNames = old.map(({ text }) => normalised(text))
  const left = oldNames.filter((_, at) => old[at]?.done !== true)
  const doneOf = (): boolean[] => {
    if (sameLists(names, oldNames)) return old.map((item) => item.done)
    if (sameLists(names, left)) return []
    const before = [...namesDone(old, oldNames), ...concludedOnly(oldNames, conclusions)]
    return doneBefore(names, left, new Set(before))
  }
  const done = doneOf()
  const items = keepParts(
    texts.map((text, at) => ({ text, done: done[at] ?? false })),
    old,
  )
  const open = items.findIndex((item) => !item.done)
  return { items, index: open === -1 ? items.length : open }
}

/**
 * Returns for each name whether its item was done before. Of equal names, the last ones stay open,
 * as many as were open.
 */
function doneBefore(
  names: readonly string[],
  left: readonly string[],
  done: ReadonlySet<string>,
): boolean[] {
  const open = new Map<string, number>()
  for (const name of left) open.set(name, (open.get(name) ?? 0) + 1)
  return names
    .toReversed()
    .map((name) => {
      const places = open.get(name) ?? 0
      open.set(name, places - 1)
      return done.has(name) && places <= 0
    })
    .toReversed()
}

const namesDone = (old: readonly PlanItem[], names: readonly string[]) =>
  names.filter((_, at) => old[at]?.done === true)

/** Returns concluded items that the last plan did not have; for others the plan decides. */
function concludedOnly(old: readonly string[], conclusions: readonly Conclusion[]): string[] {
  const known = new Set(old)
  return conclusions
    .filter((one) => one.ok)
    .flatMap(({ item }) => (known.has(normalised(item)) ? [] : [normalised(item)]))
}

export const sameLists = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index])

/** The open items of a list that the other one does not have. */
function openBeyond(other: readonly PlanItem[], items: readonly PlanItem[]): string[] {
  const open = items.filter(({ done }) => !done).map(({ text }) => text)
  const known = new Set(open.length === 0 ? [] : other.map(({ text }) => normalised(text)))
  return open.filter((text) => !known.has(normalised(text)))
}

/**
 * Returns the open items that are new and those that are gone; null if there are none and nobody
 * caused a change.
 */
export function planChange(
  before: readonly PlanItem[],
  after: readonly PlanItem[],
  because: Clarification | null,
): PlanChange | null {
  const added = openBeyond(before, after)
  const dropped = openBeyond(after, before)
  return added.length === 0 && dropped.length === 0 && because === null
    ? null
    : { added, dropped, because }
}

/** Returns the items that are begun or done, followed by those left. */
export function withLeft(
  planItems: readonly PlanItem[],
  begun: number,
  left: readonly string[],
): PlanItem[] {
  const kept = planItems.filter(({ done }, at) => done || at < begun)
  return keepParts([...kept, ...left.map((text) => ({ text, done: false }))], planItems)
}

/** The iteration after the one that ended the last step before that one. */
export function iterationAfter({ conclusions }: Task, { items, at }: PlanPoint): number {
  const names = items.slice(at)
  const over = conclusions.findIndex(({ item }) => names.some(({ text }) => sameItem(text, item)))
  const before = over === -1 ? conclusions : conclusions.slice(0, over)
  return (before.at(-1)?.step ?? -1) + 1
}
