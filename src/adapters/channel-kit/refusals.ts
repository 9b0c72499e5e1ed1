import type { InboundEvent } from '../../agent/domain/event.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import { type Texts, texts } from '../../locales/texts.ts'
import type { ChannelContext } from './deps.ts'
import type { Told } from './tell-once.ts'

/** What a person is told of a gesture; null where what came of it is seen in the thread. @param gone it meant nothing any more. */
export function afterGesture(result: IntakeResult | null, { core }: Texts, gone: string): string | null {
  if (result === null) return gone
  if (result.kind !== 'ignored') return null
  return result.reason === 'too_many' ? core.tooFast : core.notAllowed
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Hands on what a person wrote. Its author is told, for their eyes only, why it was not taken: that they write too fast once
 * in a minute, and that they may not use Clew once a day or, where `refuses` is `each`, for each message.
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
    void once({ workspace, key: `fast:${author.id}`, keptMs: minuteMs }, () => options.tell(core.tooFast))
  if (result.reason === 'not_allowed' && content.kind === 'message' && content.addressed) {
    const key = `refused:${options.refuses === 'each' ? keys[0] : author.id}`
    void once({ workspace, key, keptMs: dayMs }, () => options.tell(core.notAllowed))
  }
  return result
}
