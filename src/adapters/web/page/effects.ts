import { useEffect, useRef } from 'preact/hooks'

/** Does `work` again and again, every `ms` milliseconds, while it is shown; null: not now. */
export function useInterval(work: () => unknown, ms: number | null): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (ms === null) return
    const timer = setInterval(() => latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms])
}

/** Hears an event wherever it happens on the page, while it is shown. */
export function usePageEvent<Name extends keyof WindowEventMap>(
  name: Name,
  hear: (event: WindowEventMap[Name]) => void,
): void {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    const listener = (event: WindowEventMap[Name]): void => latest.current(event)
    addEventListener(name, listener)
    return () => removeEventListener(name, listener)
  }, [name])
}
