import { signedIn } from './signed-in.ts'

/**
 * What this browser remembers: drafts, what was not sent yet, name and language; of each member apart, so that nothing is sent in
 * another's name. Works without storage too, for as long as the tab lives.
 */

const memory = new Map<string, string>()
const owner = signedIn.member === null ? '' : `${signedIn.member.id}.`
const keyOf = (name: string): string => `clew.${owner}${name}`

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

/** A new id. `crypto.randomUUID` is missing on plain http from another machine, so the bytes are taken from where they are not. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
