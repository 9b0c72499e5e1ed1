import { readFileSync } from 'node:fs'
import { type Config, readConfig } from '../../src/config.ts'

/** The bench's settings without those that this version of Clew does not know: an older one is measured, too. */
export function configOf(settings: Record<string, string>): Config {
  const all = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  return readConfig(
    Object.fromEntries(Object.entries(settings).filter(([name]) => all.includes(name))),
  )
}
