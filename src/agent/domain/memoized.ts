/** Answers what `make` made of a key when it was first asked; `known` keeps it. */
export function memoized<K, V extends object | number | string | boolean>(
  make: (key: K) => V,
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown } = new Map<K, V>(),
): (key: K) => V {
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key)
    known.set(key, made)
    return made
  }
}
