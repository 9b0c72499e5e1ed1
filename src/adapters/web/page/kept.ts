import { useEffect, useState } from 'preact/hooks'

/**
 * Makes a hook for state that outlives its component: what is half typed is there again after
 * another filter or view (C617). A row that moves to another group is another component, and sees
 * what the one before it keeps or drops.
 */
export function keeper<T>() {
  const kept = new Map<string, T>()
  const shown = new Set<() => void>()
  return (name: string, first: T) => {
    const [, draw] = useState({})
    useEffect(() => {
      const again = () => draw({})
      shown.add(again)
      return () => void shown.delete(again)
    }, [])
    const drawAll = () => {
      for (const again of shown) again()
    }
    const keep = (change: (now: T) => T) => {
      kept.set(name, change(kept.get(name) ?? first))
      drawAll()
    }
    const drop = () => {
      kept.delete(name)
      drawAll()
    }
    return { value: kept.get(name) ?? first, keep, drop }
  }
}
