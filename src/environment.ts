import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Reads the environment, and the file `.env` of this folder for names that it lacks. */
export function readEnvironment() {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { env: { ...file, ...process.env }, inFile: Object.keys(file) }
}

/**
 * Number of this worker among those of its parent (C588); null if it is no worker of another
 * process.
 */
export function workerNumber(): number | null {
  const number = Number(process.env.CLEW_WORKER)
  return process.connected && number > 0 ? number : null
}
export type ReadEnvironment = typeof readEnvironment
