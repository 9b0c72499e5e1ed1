import type { Usage } from './model.ts'

/** Audio file as its platform names it. */
export interface Audio {
  name: string
  type: string
  bytes: Uint8Array
}

/**
 * Turns speech into text (C886).
 *
 * Contract: one request a file, never retried inside; never throws; ends soon after the signal
 * aborts. `words` null: it could not be listened to.
 */
export interface Listener {
  listen(audio: Audio, signal: AbortSignal): Promise<{ words: string | null; usage: Usage }>
}
