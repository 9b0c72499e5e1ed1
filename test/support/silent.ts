import type { Log } from '../../src/agent/ports/log.ts'

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
