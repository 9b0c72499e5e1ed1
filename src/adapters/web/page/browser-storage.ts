import { signedIn } from './signed-in.ts'

/**
 * Memory of this browser: drafts, unsent messages, name and language. Each member has their own, so
 * that nothing is sent in another's name. Without storage it lasts as long as the tab.
 */

const memory = new Map<string, string>()
const owner = signedIn.member === null ? '' : `${signedIn.member.id}.`
const keyOf = (name: string) => `clew.${owner}${name}`

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name))
  } catch {
    return memory.get(name) ?? null
  }
}

export function keep(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), value)
  } catch {
    memory.set(name, value)
  }
}

/**
 * Makes a new id. `crypto.randomUUID` is missing on plain http from another machine, so random
 * bytes are used.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
