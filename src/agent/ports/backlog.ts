import type { Delivery } from '../domain/delivery.ts'

/**
 * Number of waiting items, and the instant since which the first one waits; `null` if none does.
 */
export interface Waiting {
  count: number
  since: number | null
}

/** A delivery that was given up: its platform refused it, or it could not be read or shown. */
export interface FailedDelivery {
  id: string
  conversationId: string
  /** When it was given up the last time. */
  at: number
  problem: string
  /** It was refused by its platform, and did not fail here. */
  refused: boolean
  delivery: Delivery
  /**
   * `waiting`: it was put back and waits for its platform; `sent`: it was put back, and is there
   * now; `over`: what it asks is answered.
   */
  state: 'failed' | 'waiting' | 'sent' | 'over'
}

/** Waiting work and given-up deliveries of a workspace, for the people who look after Clew. */
export interface Backlog {
  /**
   * @returns `due`: conversations and runs that have something to do and that nobody works on.
   *   `outbox`: deliveries that no platform has yet. `aside`: rows that were set aside and are no
   *   delivery that can be sent again (P18). `failed`: the newest `limit` of those that can.
   */
  of(
    workspace: string,
    now: number,
    limit: number,
  ): Promise<{ due: Waiting; outbox: Waiting; aside: number; failed: FailedDelivery[] }>
  /**
   * Puts a delivery that was given up at the end of its thread's outbox, due at once. `known`: it
   * is back already or asks what is answered, and nothing was changed. Null: there is no such
   * delivery, or its thread is gone.
   */
  sendAgain(
    workspace: string,
    id: string,
    at: number,
  ): Promise<{ conversationId: string; known: boolean } | null>
}
