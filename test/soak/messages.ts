import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { IntakeResult } from '../../src/agent/ports/channel.ts'

/** What the soak and its child processes say to each other. */
export type ChildMessage =
  | { kind: 'up'; url: string | null }
  | { kind: 'taken'; number: number; result: IntakeResult }
  | { kind: 'refused'; number: number; why: string }

export interface ParentMessage {
  number: number
  event: InboundEvent
}

/** What a life that ended by itself leaves behind. */
export interface Report {
  counts: [point: string, count: number][]
  fenced: number
}
