/** Message or request of a person, and the rate per minute that the person may send. */
export interface Taken {
  workspace: string
  who: string
  /** Platforms send some messages twice: the same one counts once. */
  key: string
  /** When it was said: what is read late, after an outage, was not said all at once. */
  at: number
  perMinute: number
}

/** Rate limit on what one person sends (S8), counted for all processes together. */
export interface Rates {
  /** `perMinute` at once, and then as they come back over the minute. False: it is one too many. */
  take(taken: Taken): Promise<boolean>
}
