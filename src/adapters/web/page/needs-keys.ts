import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { NeedView } from '../views.ts'
import { usePage } from './context.ts'
import { usePageEvent } from './effects.ts'
import { usePutOff } from './needs-acts.ts'
import { placeOf } from './needs-words.ts'
import { keyOf } from './snoozed.ts'

type ListRef = RefObject<HTMLUListElement | null>

/** Entry of the queue that is open; its row gets the focus as another one opens. */
export function useOpened(now: readonly NeedView[], list: ListRef) {
  const [opened, setOpened] = useState<string | null>(null)
  const place = useRef(0)
  const found = now.findIndex((need) => keyOf(need) === opened)
  // Where the open entry has gone, the next one stands.
  const at = found >= 0 ? found : Math.max(0, Math.min(place.current, now.length - 1))
  place.current = at
  const current = now[at]
  const key = current && keyOf(current)
  const before = useRef(key)
  useEffect(() => {
    if (opened !== null) focusHead(list)
  }, [opened])
  useEffect(() => {
    const isNext = before.current !== undefined && before.current !== key
    if (isNext && document.activeElement === document.body) focusHead(list)
    before.current = key
  }, [key])
  return {
    current,
    open(next: string | null): void {
      setOpened(next)
      if (next === key) focusHead(list)
    },
    openAt(index: number): void {
      const need = now[Math.min(Math.max(index, 0), now.length - 1)]
      if (need !== undefined) setOpened(keyOf(need))
    },
  }
}

const focusHead = (list: ListRef) =>
  list.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()

/**
 * Calls `back` with the keys of the entries that Undo has just brought back to the queue (C912).
 */
export function useBroughtBack(
  now: readonly NeedView[],
  back: (keys: readonly string[]) => void,
): void {
  const { needs, undos } = usePage().state
  const away = useRef<readonly string[]>([])
  const keys = now.map(keyOf)
  useEffect(() => {
    const came = keys.filter((key) => away.current.includes(key))
    if (came.length > 0) back(came)
  }, [undos])
  useEffect(() => {
    away.current = needs?.needs.map(keyOf).filter((key) => !keys.includes(key)) ?? []
  })
}

/** Pause after which a letter is a key again, in ms: people who type do not stop so long. */
const typingMs = 1_000

/**
 * Keys of the queue. Only those that move work from anywhere: all others need the focus on a row,
 * and do nothing while somebody types a sentence (C913).
 */
export function useQueueKeys(queue: {
  now: readonly NeedView[]
  current: NeedView | undefined
  list: ListRef
  openAt: (index: number) => void
  choose: (need: NeedView) => void
}): void {
  const { now, current, list, openAt, choose } = queue
  const putOff = usePutOff()
  const typedAt = useRef(Number.NEGATIVE_INFINITY)
  const inOpen = (selector: string) =>
    list.current?.querySelectorAll<HTMLElement>(`.opened ${selector}`) ?? []
  const press = (choice: number) => inOpen('[data-acts] button')[choice - 1]?.click()
  const hear = (event: KeyboardEvent) => {
    const { key, target, timeStamp } = event
    // The way back from an answer, whose words stay.
    if (key === 'Escape' && isWithin(target, '.queue .opened')) return focusHead(list)
    if (current === undefined || isTyping(event)) return
    const at = now.indexOf(current)
    const rows = [...(list.current?.children ?? [])]
    const focused = rows.findIndex((row) => target instanceof Node && row.contains(target))
    const from = focused < 0 ? at : focused
    const acts: Readonly<Record<string, () => void>> = {
      x: () => choose(current),
      s: () => putOff([current], 'hour'),
      d: () => putOff([current], 'day'),
      r: () => inOpen('form textarea')[0]?.focus(),
      o: () => location.assign(placeOf(current)),
    }
    const moves: Readonly<Record<string, () => void>> = {
      j: () => openAt(from + 1),
      k: () => openAt(from - 1),
    }
    const choice = /^[1-9]$/.test(key) ? () => press(Number(key)) : undefined
    const known = focused < 0 ? undefined : (choice ?? acts[key])
    // A key is about the row that has the focus: one that is closed opens first.
    const act = moves[key] ?? (known && focused !== at ? () => openAt(focused) : known)
    const isLetter = key.length === 1
    const isSentence = isLetter && timeStamp - typedAt.current < typingMs
    if (isLetter && (act === undefined || isSentence)) typedAt.current = timeStamp
    if (act === undefined && !isSentence) return
    event.preventDefault()
    if (!isSentence) act?.()
  }
  usePageEvent('keydown', hear, true)
}

/** True if a key belongs to what has the focus, or is a shortcut of the browser. */
const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isWithin(
    target,
    '.opened, .together, details, input:not([type=checkbox]), select, textarea, dialog',
  )

const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null
