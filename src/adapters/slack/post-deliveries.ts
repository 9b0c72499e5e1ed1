import type { Address } from '../../agent/domain/conversation.ts'
import type { PostPlatform } from '../channel-kit/poster.ts'
import type { Part } from './blocks.ts'
import type { Slack } from './context.ts'
import { post } from './post.ts'
import { metadataTypes, partsOf } from './readback.ts'
import { isAboutBlocks, renderPlain } from './render.ts'

/**
 * Posts messages of blocks. Slack has no nonce, so each message carries its delivery's id and part
 * number in its metadata, by which it is found again (P2).
 */
export function slackPosts(slack: Slack): PostPlatform<Part, Address, null> {
  return {
    keyOf: ({ delivery, where }) => `sending:${delivery.id}:${where.channel}`,
    looksFirst: true,
    begin: async () => ({ kind: 'ready', target: null }),

    async post({ delivery, parts, where }, { part, index, out }) {
      const { id, conversationId: conversation } = delivery
      const thread = where.thread ?? out.thread
      const sent = await post(slack, { ...where, thread }, part, {
        event_type: metadataTypes.delivery,
        event_payload: { id, part: index, parts: parts.length, conversation },
      })
      if (sent.kind === 'sent') {
        if (thread === null) out.thread = sent.ref
        return { kind: 'posted', ref: sent.ref }
      }
      if (!isAboutBlocks(sent) || part.blocks.length === 0) return sent
      slack.deps.log.error(
        { delivery: id, sent },
        'Slack refused the blocks of a delivery; sending plain text',
      )
      return { kind: 'instead' }
    },
    instead: renderPlain,

    async look({ delivery, where }, out) {
      const there = await partsOf(slack, delivery.id, where, delivery.at)
      if (there === null) return null
      const found: string[] = []
      for (let ref = there.known.get(0); ref !== undefined; ref = there.known.get(found.length))
        found.push(ref)
      if (found.length > out.refs.length) out.refs = found
      if (where.thread === null) out.thread = out.refs[0] ?? null
      return { whole: found.length > 0 && found.length >= there.count }
    },
  }
}
