/**
 * Structured log lines for the operator. Never a message's text, a secret or a model's reasoning
 * (S7, R42).
 */
export interface Log {
  debug(fields: object, line: string): void
  info(fields: object, line: string): void
  warn(fields: object, line: string): void
  error(fields: object, line: string): void
}

/** Writes nothing. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
