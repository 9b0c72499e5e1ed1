import { pino } from 'pino'
import type { Log } from './agent/ports/log.ts'

/**
 * Writer of words and colours, loaded only if a person reads standard error on a terminal (C515).
 */
const pretty = process.stderr.isTTY ? (await import('pino-pretty')).default : null

/**
 * Logs to standard error, from the level in the settings: words on a terminal, else lines of JSON.
 * Lines of a worker of another process hold its number.
 */
export function createLog(
  { LOG_LEVEL: level }: { LOG_LEVEL: string },
  worker: number | null = null,
): Log {
  const base = worker === null ? null : { worker }
  const lines = pretty?.({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss' })
  return pino({ level, base }, lines ?? pino.destination({ fd: 2, sync: true }))
}
