import { pino } from 'pino'
import type { Log } from './agent/ports/log.ts'

/** Logs lines of JSON to standard error, from the level in the settings. */
export const createLog = ({ LOG_LEVEL: level }: { LOG_LEVEL: string }): Log =>
  pino({ level, base: null }, pino.destination({ fd: 2, sync: true }))

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
