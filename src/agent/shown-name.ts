import { givenName } from '../locales/texts.ts'
import { plainText } from './commands/command-line.ts'
import { ownerOf, type Run } from './domain/run.ts'

/**
 * Name of a person as a sentence of Clew's shows it: as it was given, whatever signs it has; null
 * for somebody of the page who gave none.
 */
export function shownName(name: string): string | null {
  const given = givenName(name)
  return given === null ? null : plainText(given)
}

/** Returns the shown name of the person a run belongs to; null also if it belongs to nobody. */
export function ownerNameOf(run: Run): string | null {
  const owner = ownerOf(run)
  return owner === null ? null : plainText(owner.name)
}
