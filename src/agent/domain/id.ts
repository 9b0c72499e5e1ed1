import { hash } from 'node:crypto'

/**
 * An id that follows from what it names: the same parts give the same id on every machine and after
 * every crash. Effects, deliveries, runs and conversations are named this way, so that doing a
 * thing twice is noticed (C27, P1).
 *
 * @returns `<prefix>_` and 24 characters of `0-9a-f` (96 bits of SHA-256).
 */
export function deriveId(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}_${digestOf(parts).slice(0, 24)}`
}

/** The same as a UUID (version 8), for formats that ask for one. */
export function uuidFrom(...parts: readonly string[]): string {
  const hex = digestOf(parts)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''))
}
