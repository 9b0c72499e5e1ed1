import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Reads the environment, and the file `.env` of this folder for names that it lacks. */
export function readEnvironment() {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { env: { ...file, ...process.env }, inFile: Object.keys(file) }
}
export type ReadEnvironment = typeof readEnvironment
