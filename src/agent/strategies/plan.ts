import { normalised, sameItem } from '../domain/same-item.ts'
import type { Clarification, Conclusion, PlanChange, PlanItem } from '../domain/task.ts'

/**
 * C3: a new list against what is already done. The same full list keeps its progress; a list equal to what is left starts
 * at its first item; otherwise items that were done before stay done. The cursor is the first open item.
 */
export function alignPlan(
  old: readonly PlanItem[],
  list: readonly string[],
  conclusions: readonly Conclusion[],
): { items: PlanItem[]; index: number } {
  const texts = list.map((text) => text.trim())
  const left = old.filter((item) => !item.done).map((item) => item.text)
  const done = sameLists(texts, textsOf(old))
    ? old.map((item) => item.done)
    : sameLists(texts, left)
      ? []
      : // Of items that are called the same, as many as were open stay open, the last ones.
        texts.map((text, at) => wasDone(text, old, conclusions) && count(texts.slice(at), text) > count(left, text))
  const items = texts.map((text, at) => ({ text, done: done[at] ?? false }))
  const open = items.findIndex((item) => !item.done)
  return { items, index: open === -1 ? items.length : open }
}

const textsOf = (items: readonly PlanItem[]) => items.map((item) => item.text)

const count = (texts: readonly string[], text: string) => texts.filter((one) => sameItem(one, text)).length

function wasDone(text: string, old: readonly PlanItem[], conclusions: readonly Conclusion[]): boolean {
  const known = old.filter((item) => sameItem(item.text, text))
  return known.length > 0
    ? known.some((item) => item.done)
    : conclusions.some((one) => one.ok && sameItem(one.item, text))
}

function sameLists(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => sameItem(text, b[index] ?? ''))
}

/** What is new among the open items and which open ones are gone; null when nothing is. */
export function planChange(
  before: readonly PlanItem[],
  after: readonly PlanItem[],
  because: Clarification | null,
): PlanChange | null {
  const known = new Set(before.map((item) => normalised(item.text)))
  const kept = new Set(after.map((item) => normalised(item.text)))
  const added = after.filter((item) => !item.done && !known.has(normalised(item.text))).map((item) => item.text)
  const dropped = before.filter((item) => !item.done && !kept.has(normalised(item.text))).map((item) => item.text)
  return added.length === 0 && dropped.length === 0 && because === null ? null : { added, dropped, because }
}
