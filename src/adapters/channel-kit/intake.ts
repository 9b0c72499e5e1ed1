import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Standing } from '../../agent/domain/words.ts'
import type { Intake, IntakeResult } from '../../agent/ports/channel.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import type { ChannelContext } from './deps.ts'
import type { CourtesyOutcome } from './tell-once.ts'

/** Passes events from an adapter to the core while it is open, between `start` and `stop`. */
export function createIntakeLine() {
  let intake: Intake | null = null
  return {
    open(to: Intake): void {
      intake = to
    },
    close(): void {
      intake = null
    },
    isOpen: () => intake !== null,
    /**
     * Hands an event to the core.
     *
     * @throws Error while it is closed. The event is then not acknowledged, so the platform
     * delivers it again.
     */
    async hand(event: InboundEvent): Promise<IntakeResult> {
      if (intake === null) throw new Error('Clew is stopping')
      return await intake(event)
    },
  }
}

/**
 * Returns the line that answers a gesture, or `null` if its effect shows in the thread.
 *
 * @param gone line for a gesture that has no meaning any more.
 */
export function afterGesture(
  result: IntakeResult | null,
  { core }: Texts,
  gone: string,
): string | null {
  if (result === null) return gone
  if (result.kind !== 'ignored') return null
  if (result.reason === 'outsider') return core.outsider
  if (result.reason === 'not_known') return core.notKnown
  if (result.reason === 'closed') return core.closed(result.fault ?? null)
  return result.reason === 'too_many' ? core.tooFast : core.notAllowed
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Time after which a person may be told again that they are an outsider. */
const onceMs = 90 * dayMs

/**
 * Hands a person's message to the core. If it is refused, tells the author why, visible to them
 * only. Too many messages: once a minute. Not allowed: once a day, or for each message if `refuses`
 * is `each`. Not a member of the team: once (S35). Unknown person: for each message (S38).
 */
export async function take(
  { deps, hand, once }: ChannelContext,
  event: InboundEvent,
  options: { refuses: 'each' | 'daily'; tell(line: string): Promise<CourtesyOutcome> },
): Promise<IntakeResult> {
  const result = await hand(event)
  if (result.kind !== 'ignored') return result
  const { workspace, author, content, keys } = event
  const { core } = texts(event.locale ?? deps.defaults.locale)
  const tell = (key: string, keptMs: number, line: string) =>
    void once({ workspace, key, keptMs }, () => options.tell(line))
  if (result.reason === 'too_many') tell(`fast:${author.id}`, minuteMs, core.tooFast)
  const isForClew = 'addressed' in content && content.addressed === true
  if (!isForClew) return result
  if (result.reason === 'outsider') tell(`outsider:${author.id}`, onceMs, core.outsider)
  if (result.reason === 'not_known') tell(`unknown:${keys[0]}`, dayMs, core.notKnown)
  if (result.reason === 'closed')
    tell(`closed:${keys[0]}`, dayMs, core.closed(result.fault ?? null))
  if (result.reason === 'not_allowed' && content.kind === 'message')
    tell(`refused:${options.refuses === 'each' ? keys[0] : author.id}`, dayMs, core.notAllowed)
  return result
}

/**
 * Marks a thread as read up to the message by Clew that a person reacted to (C51, C115). Stores
 * only that mark: nothing is started, answered or asked. An older mark than the stored one is a
 * no-op. Messages by people need no reaction: writing in a thread marks it as read.
 *
 * @param at time of the message that the person reacted to.
 * @throws errors of the store.
 */
export async function markReadBy(
  { deps }: ChannelContext,
  person: { id: string; by: Standing },
  place: Pick<InboundEvent, 'workspace' | 'channel' | 'thread' | 'openedFor'>,
  at: number,
): Promise<void> {
  const by = deps.standingIn(person.by, place.channel)
  // Reactions of all members count, whatever their permissions (S35).
  if (by !== 'member' || !deps.mayUse(person.id, place.channel)) return
  const id = await deps.inbox.knows({ ...place, keys: [] })
  // If our clock is behind, messages still to come must not count as read.
  if (id !== null)
    await deps.conversations.markRead(place.workspace, id, Math.min(at, deps.clock.now()))
}
