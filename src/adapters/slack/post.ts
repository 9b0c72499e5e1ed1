import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import type { PostPlatform } from '../channel-kit/poster.ts'
import type { Edited } from '../channel-kit/send-outcomes.ts'
import { type Api, asSent } from './api.ts'
import type { Post } from './blocks.ts'
import { limits } from './limits.ts'
import { metadataTypes, partsOf } from './readback.ts'
import { renderPlain } from './render.ts'

/** Where something is posted. Without a thread it begins one. */
export interface Place {
  workspace: string
  channel: string
  thread: string | null
}

export const PostAnswer = z.looseObject({ ts: z.string() })

/** No previews, and nobody is called by their name. */
export const quietly = { unfurl_links: false, unfurl_media: false, link_names: false } as const

/** Changes a message; `gone` where Slack has none there any more. */
export async function edit(
  api: Api,
  workspace: string,
  at: { channel: string; ts: string },
  shown: Post,
): Promise<Edited> {
  const answer = await api.call(workspace, 'chat.update', { ...at, ...shown }, PostAnswer)
  if (answer.ok) return { kind: 'sent', ref: at.ts }
  const { problem } = answer
  return problem.kind === 'refused' && problem.code === 'message_not_found' ? { kind: 'gone' } : asSent(problem)
}

/** Blocks that Slack does not take are our mistake; the words must arrive all the same. */
const badBlocks = ['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'no_text']

/**
 * Messages of blocks. Slack knows no nonce: everything posted carries its delivery's id and the number of its part, so that
 * it is found again (P2).
 */
export function slackPosts({ api, log }: { api: Api; log: Log }): PostPlatform<Post, Place, null> {
  return {
    keyOf: ({ delivery, where }) => `sending:${delivery.id}:${where.channel}`,
    keptMs: limits.noteKeptMs,
    looksFirst: true,
    begin: async () => ({ kind: 'ready', way: null }),

    async post({ delivery, parts, where }, { part: { text, blocks }, index, out }) {
      const { workspace, channel } = where
      const thread = where.thread ?? out.thread
      const { id, conversationId: conversation } = delivery
      const payload = { id, part: index, parts: parts.length, conversation }
      const args = {
        channel,
        text,
        ...(blocks.length > 0 ? { blocks } : {}),
        ...(thread === null ? {} : { thread_ts: thread }),
        ...quietly,
        metadata: { event_type: metadataTypes.delivery, event_payload: payload },
      }
      const answer = await api.call(workspace, 'chat.postMessage', args, PostAnswer, { lane: channel })
      if (answer.ok) {
        const { ts } = answer.value
        if (thread === null) out.thread = ts
        return { kind: 'posted', ref: ts }
      }
      const { problem } = answer
      const isBad = problem.kind === 'refused' && badBlocks.includes(problem.code)
      if (!isBad || !parts.some((one) => one.blocks.length > 0)) return asSent(problem)
      log.error({ delivery: id, code: problem.code }, 'Slack refused the blocks of a delivery; it goes as text')
      return { kind: 'instead', parts: renderPlain(parts) }
    },

    async look({ delivery, where }, out) {
      const there = await partsOf(api, delivery.id, where, delivery.at)
      if (there === null) return null
      const found: string[] = []
      for (let ref = there.known.get(0); ref !== undefined; ref = there.known.get(found.length)) found.push(ref)
      if (found.length > out.refs.length) out.refs = found
      if (where.thread === null) out.thread = out.refs[0] ?? null
      return { whole: found.length > 0 && found.length >= there.count }
    },
  }
}
