import { useEffect, useRef } from 'preact/hooks'

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

/** Listens to an event of the window while the component is mounted. */
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
