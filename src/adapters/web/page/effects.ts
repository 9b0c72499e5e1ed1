import { useEffect, useRef } from 'preact/hooks'

/** Pause between two looks at how Clew is, while a message waits or the model fails, in ms. */
export const healthEveryMs = 2_000

/** Calls `work` every `ms` milliseconds while the component is mounted; null pauses it. */
export function useInterval(work: () => unknown, ms: number | null): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (ms === null) return
    const timer = setInterval(() => latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms])
}

/**
 * An open `<details>` that closes on a press elsewhere, on Escape and when the page goes elsewhere.
 */
export function useMenu() {
  const ref = useRef<HTMLDetailsElement>(null)
  const close = () => {
    const menu = ref.current
    if (!menu?.open) return
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
    menu.open = false
  }
  usePageEvent('pointerdown', ({ target }) => {
    if (target instanceof Node && !ref.current?.contains(target)) close()
  })
  usePageEvent('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })
  usePageEvent('hashchange', close)
  return { ref, close }
}

/**
 * Listens to an event of the window while the component is mounted; `isFirst`: before other
 * listeners.
 */
export function usePageEvent<Name extends keyof WindowEventMap>(
  name: Name,
  hear: (event: WindowEventMap[Name]) => void,
  isFirst = false,
): void {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    const listener = (event: WindowEventMap[Name]) => latest.current(event)
    addEventListener(name, listener, isFirst)
    return () => removeEventListener(name, listener, isFirst)
  }, [name, isFirst])
}

/** Listener of a field that passes on what is typed. */
export const typedInto =
  (take: (text: string) => unknown) =>
  ({ currentTarget }: { currentTarget: { value: string } }) =>
    take(currentTarget.value)
