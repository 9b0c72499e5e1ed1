import { EmbeddedStoreError, type EmbeddedStoreErrorCode } from './errors.ts'

/** What the store's thread is started with. */
export interface WorkerSettings {
  path: string
  password: string
  compactAtBytes: number
  strict: boolean
  /** Whether a person said that the store shall go on although something is missing. */
  acceptLoss: boolean
}

/** What the store's thread says; the only message that it gets is `stop`. */
export type WorkerMessage =
  | { kind: 'ready'; port: number; notes: readonly string[] }
  | { kind: 'log'; line: string }
  | { kind: 'failed'; code: EmbeddedStoreErrorCode; message: string }

export const STOP = 'stop'

/** An error does not keep its class on the way between threads. */
export function failureMessage(thrown: unknown): WorkerMessage {
  if (thrown instanceof EmbeddedStoreError) return { kind: 'failed', code: thrown.code, message: thrown.message }
  const message = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  return { kind: 'failed', code: 'crashed', message: `The embedded Valkey ended: ${message}` }
}
