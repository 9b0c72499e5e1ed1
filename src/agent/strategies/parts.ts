import { normalised, sameItem } from '../domain/same-item.ts'
import type { PlanItem } from '../domain/task.ts'

/*
 * Sub-steps of a plan item, one level deep (C127). They are words for people and for the model: the
 * cursor, the budget and the replans know the item alone.
 */

/**
 * The item after a thought that goes on: opened into the parts that it names, those before the one
 * that it works on done.
 */
export function workedOn(
  item: PlanItem,
  { parts, step }: { parts: readonly string[]; step: string },
): PlanItem {
  const known = item.parts ?? parts.map((text) => ({ text: text.trim(), done: false }))
  const at = known.findIndex(({ text }) => sameItem(text, step))
  const isNews =
    item.parts === undefined
      ? known.length > 0
      : known.some(({ done }, index) => !done && index < at)
  return isNews
    ? { ...item, parts: known.map((part, index) => ({ ...part, done: part.done || index < at })) }
    : item
}

/** The item when it is over; one that failed keeps what was left of it. */
export function closed(item: PlanItem, ok: boolean): PlanItem {
  const { parts } = item
  if (parts === undefined || !ok) return { ...item, done: ok }
  return { ...item, done: ok, parts: parts.map((part) => ({ ...part, done: true })) }
}

/** Copies the parts of items that stay from the old list to the new one. */
export function keepParts(items: readonly PlanItem[], old: readonly PlanItem[]): PlanItem[] {
  const opened = old.filter(({ parts }) => parts !== undefined)
  if (opened.length === 0) return [...items]
  const known = new Map(opened.map(({ text, parts }) => [normalised(text), parts]))
  return items.map((item) => {
    const parts = known.get(normalised(item.text))
    return parts === undefined ? item : { ...item, parts }
  })
}
