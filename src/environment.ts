import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** What the settings are read from: the environment, and for what is not in it the file `.env` of this folder. */
export function readEnvironment() {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { env: { ...file, ...process.env }, inFile: Object.keys(file) }
}
export type ReadEnvironment = typeof readEnvironment
