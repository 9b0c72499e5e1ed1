/** Reads when it is first asked, and answers the same ever after. */
export function lazy<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null
  return () => {
    known ??= read()
    return known
  }
}
