import { pino } from 'pino'
import type { Log } from './agent/ports/log.ts'

/** Lines of JSON on standard error, from the level that the settings say. */
export const createLog = ({ LOG_LEVEL: level }: { LOG_LEVEL: string }): Log =>
  pino({ level, base: null }, pino.destination({ fd: 2, sync: true }))

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
