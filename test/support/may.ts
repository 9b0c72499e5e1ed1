import { type Allowed, allowed, type Power, typedHere } from '../../src/agent/domain/words.ts'

/** The proof that a member who typed here may. */
export function memberMay<P extends Power>(power: P): Allowed<P> {
  const may = allowed(typedHere, power)
  if (may === null) throw new Error(`a member may not ${power}`)
  return may
}
