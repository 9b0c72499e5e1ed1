import type { Intake } from '../../agent/ports/channel.ts'

/** The way from an adapter to the core, which is open between `start` and `stop`. */
export interface IntakeLine {
  open(intake: Intake): void
  close(): void
  isOpen(): boolean
  /** @throws Error while it is closed: what comes in then is not acknowledged, and comes again. */
  hand: Intake
}

export function createIntakeLine(): IntakeLine {
  let intake: Intake | null = null
  return {
    open(to) {
      intake = to
    },
    close() {
      intake = null
    },
    isOpen: () => intake !== null,
    async hand(event) {
      if (intake === null) throw new Error('Clew is stopping')
      return await intake(event)
    },
  }
}
