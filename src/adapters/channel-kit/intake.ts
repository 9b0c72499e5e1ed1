import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Standing } from '../../agent/domain/words.ts'
import type { Intake, IntakeResult } from '../../agent/ports/channel.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import type { ChannelContext } from './deps.ts'
import type { Told } from './tell-once.ts'

/** The way from an adapter to the core, which is open between `start` and `stop`. */
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
    /** @throws Error while it is closed: what comes in then is not acknowledged, and comes again. */
    async hand(event: InboundEvent): Promise<IntakeResult> {
      if (intake === null) throw new Error('Clew is stopping')
      return await intake(event)
    },
  }
}

/** What a person is told of a gesture; null where what came of it is seen in the thread. @param gone it meant nothing any more. */
export function afterGesture(
  result: IntakeResult | null,
  { core }: Texts,
  gone: string,
): string | null {
  if (result === null) return gone
  if (result.kind !== 'ignored') return null
  if (result.reason === 'outsider') return core.outsider
  if (result.reason === 'not_known') return core.notKnown
  return result.reason === 'too_many' ? core.tooFast : core.notAllowed
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Somebody who is told for good. */
const onceMs = 90 * dayMs

/**
 * Hands on what a person wrote. Its author is told, for their eyes only, why it was not taken: that they write too fast once
 * in a minute, that they may not use Clew once a day or, where `refuses` is `each`, for each message, and that they are no member
 * of the team once (S35), and that it is not known who they are for each message (S38).
 */
export async function take(
  { deps, hand, once }: ChannelContext,
  event: InboundEvent,
  options: { refuses: 'each' | 'daily'; tell(line: string): Promise<Told> },
): Promise<IntakeResult> {
  const result = await hand(event)
  if (result.kind !== 'ignored') return result
  const { workspace, author, content, keys } = event
  const { core } = texts(event.locale ?? deps.defaults.locale)
  if (result.reason === 'too_many')
    void once({ workspace, key: `fast:${author.id}`, keptMs: minuteMs }, () =>
      options.tell(core.tooFast),
    )
  const isForClew = 'addressed' in content && content.addressed === true
  if (result.reason === 'outsider' && isForClew)
    void once({ workspace, key: `outsider:${author.id}`, keptMs: onceMs }, () =>
      options.tell(core.outsider),
    )
  if (result.reason === 'not_known' && isForClew)
    void once({ workspace, key: `unknown:${keys[0]}`, keptMs: dayMs }, () =>
      options.tell(core.notKnown),
    )
  if (result.reason === 'not_allowed' && content.kind === 'message' && content.addressed) {
    const key = `refused:${options.refuses === 'each' ? keys[0] : author.id}`
    void once({ workspace, key, keptMs: dayMs }, () => options.tell(core.notAllowed))
  }
  return result
}

/**
 * A person reacted to something that Clew said in a thread: it is read up to there (C51, C115). Nothing is stored but the mark, so
 * nothing is started, answered or asked; an older mark than the one that is kept changes nothing. What people wrote was read by
 * being written.
 *
 * @param at when the message was said that they reacted to.
 * @throws what the store throws.
 */
export async function markReadBy(
  { deps }: ChannelContext,
  person: { id: string; by: Standing },
  place: Pick<InboundEvent, 'workspace' | 'channel' | 'thread' | 'openedFor'>,
  at: number,
): Promise<void> {
  const by = deps.standingIn(person.by, place.channel)
  // A reaction needs no power but to be a member's (S35).
  if (by !== 'member' || !deps.mayUse(person.id, place.channel)) return
  const id = await deps.inbox.knows({ ...place, keys: [] })
  // A clock of ours that is behind must not take for read what is still to come.
  if (id !== null)
    await deps.conversations.markRead(place.workspace, id, Math.min(at, deps.clock.now()))
}
