import type { InboundEvent } from '../../agent/domain/event.ts'
import type { IntakeResult } from '../../agent/ports/channel.ts'
import type { ChannelContext } from './deps.ts'

type Accepted = Extract<IntakeResult, { kind: 'accepted' }>

/** Longest time that the sign is shown. Longer silence of a model is announced in words. */
const mostMs = 5 * 60_000

/**
 * C180: shows that Clew works on a message, at once and again every `everyMs`, until its turn ends.
 * The inbox tells when, whichever process has the turn. Never throws.
 */
export async function showWorking(
  { deps }: ChannelContext,
  { workspace }: Pick<InboundEvent, 'workspace'>,
  { conversationId, entryId }: Accepted,
  sign: { everyMs: number; stopping?: AbortSignal; show(): Promise<boolean> },
): Promise<void> {
  const { clock, conversations, log } = deps
  const until = clock.now() + mostMs
  try {
    while (clock.now() < until && (await sign.show())) {
      await clock.sleep(sign.everyMs, sign.stopping)
      const waiting = (await conversations.state(workspace, conversationId, 0))?.inbox ?? []
      if (sign.stopping?.aborted || !waiting.some(({ id }) => id === entryId)) return
    }
  } catch (error) {
    log.debug({ err: error }, 'the sign that something is worked on could not be kept up')
  }
}
