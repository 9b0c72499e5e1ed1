import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { IntakeResult } from '../../src/agent/ports/channel.ts'

/** Something that keeps Clew going: when a life ends at its target, the next one begins at once. */
export interface Host {
  /** Null while nobody listens. */
  url(): string | null
  /** Hands an event to intake as a platform would; throws while Clew is down. */
  intake(event: InboundEvent): Promise<IntakeResult>
  /** Stops Clew as SIGTERM does and starts it again. */
  bounce(): Promise<void>
  close(): Promise<void>
  /** The targets at which a life ended, in order. */
  readonly crashes: readonly string[]
  /** How often each point was reached in the lives that are known; at most over all of them. */
  readonly counts: ReadonlyMap<string, number>
}

/** Takes the larger count of each point. */
export function mergeCounts(
  into: Map<string, number>,
  from: Iterable<readonly [string, number]>,
): void {
  for (const [point, count] of from) into.set(point, Math.max(count, into.get(point) ?? 0))
}
