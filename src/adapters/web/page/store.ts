import { useEffect, useState } from 'preact/hooks'

export type Store<T extends object> = ReturnType<typeof createStore<T>>

/** Observable value that the page is drawn from. */
export function createStore<T extends object>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: (): T => value,
    /** Changes some fields. */
    set(patch: Partial<T>): void {
      value = { ...value, ...patch }
      for (const listener of listeners) listener()
    },
    watch(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Value of the store; redraws whenever it changes. */
export function useStore<T extends object>(store: Store<T>): T {
  const [value, draw] = useState(store.get())
  useEffect(() => {
    draw(store.get())
    return store.watch(() => draw(store.get()))
  }, [store])
  return value
}
