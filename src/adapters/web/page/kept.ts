import { useState } from 'preact/hooks'

/**
 * Makes a hook for state that outlives its component: what is half typed is there again after another filter or view (C617).
 */
export function keeper<T>() {
  const kept = new Map<string, T>()
  return (name: string, first: T) => {
    const [value, setValue] = useState(() => kept.get(name) ?? first)
    const keep = (change: (now: T) => T): void => {
      const next = change(kept.get(name) ?? first)
      kept.set(name, next)
      setValue(next)
    }
    const drop = (): void => {
      kept.delete(name)
      setValue(first)
    }
    return { value, keep, drop }
  }
}
