import { z } from 'zod'
import type { Address } from '../../agent/domain/conversation.ts'
import type { DeliveryBody } from '../../agent/domain/delivery.ts'
import type { Outcome } from '../../agent/domain/message.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Api } from './api.ts'

const Anything = z.looseObject({})

/** "Seen", set as soon as a message is stored. */
const seen = 'eyes'
const trouble = 'warning'

export interface Reactions {
  /** Reactions a message as seen. Never throws and is never waited for. */
  see(place: { workspace: string; channel: string; ts: string }): Promise<void>
  /** Brings the mark up to date with what became of the message. */
  change(address: Address, receipt: Extract<DeliveryBody, { kind: 'receipt' }>): Promise<Sent>
}

/**
 * Reactions as receipts. They adorn what is said anyway, so nothing that matters ever waits for them: a mark that Slack
 * does not take now is left out.
 */
export function createReactions(api: Api): Reactions {
  const react = (kind: 'add' | 'remove', workspace: string, channel: string, ts: string, name: string) =>
    api.call(workspace, `reactions.${kind}`, { channel, timestamp: ts, name }, Anything, { minor: true })

  return {
    async see({ workspace, channel, ts }) {
      await react('add', workspace, channel, ts, seen)
    },
    async change({ workspace, channel }, { ref, outcome }) {
      const sent: Sent = { kind: 'sent', ref: ref ?? '' }
      if (ref === undefined || stays(outcome)) return sent
      await react('remove', workspace, channel, ref, seen)
      if (outcome.kind === 'failed') await react('add', workspace, channel, ref, trouble)
      return sent
    },
  }
}

/** While a task works with a message, it is under somebody's eyes. */
function stays(outcome: Outcome): boolean {
  return outcome.kind === 'waiting' || outcome.kind === 'started' || outcome.kind === 'joined'
}
