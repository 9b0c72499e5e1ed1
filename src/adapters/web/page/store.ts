import { useEffect, useState } from 'preact/hooks'

/** One value that the page is drawn from. */
export interface Store<T> {
  get(): T
  /** Changes some parts and lets everyone who watches draw again. */
  set(patch: Partial<T>): void
  watch(listener: () => void): () => void
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(patch) {
      value = { ...value, ...patch }
      for (const listener of listeners) listener()
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The store's value, drawn again whenever it changes. */
export function useStore<T extends object>(store: Store<T>): T {
  const [value, draw] = useState(store.get())
  useEffect(() => {
    draw(store.get())
    return store.watch(() => draw(store.get()))
  }, [store])
  return value
}
