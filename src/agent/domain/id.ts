import { createHash } from 'node:crypto'

/**
 * An id that follows from what it names: the same parts give the same id on every machine and after every crash.
 * Effects, deliveries, runs and conversations are named this way, so that doing a thing twice is noticed (C27, P1).
 *
 * @returns `<prefix>_` and 24 characters of `0-9a-f` (96 bits of SHA-256).
 */
export function deriveId(prefix: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return `${prefix}_${hash.digest('hex').slice(0, 24)}`
}
