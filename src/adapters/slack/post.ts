import { z } from 'zod'
import type { Delivery } from '../../agent/domain/delivery.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { type Api, asSent, type Problem } from './api.ts'
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

/** Blocks that Slack does not take are our mistake; the words must arrive all the same. */
const badBlocks = ['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'no_text']

/**
 * Posts deliveries. Everything posted carries its delivery's id and the number of its part, so that after an unclear answer
 * only what is missing is posted again (P2).
 */
export function createPosting(deps: { api: Api; shelf: Notes; log: Log }) {
  const { api, shelf, log } = deps
  /** Parts that are known to be there, by delivery, and where the first one is. */
  const parts = new Map<string, Map<number, string>>()

  /** Posts what is missing of a delivery, in order. */
  async function post(delivery: Delivery, posts: readonly Post[], place: Place): Promise<Sent> {
    const known = parts.get(delivery.id) ?? new Map<number, string>()
    parts.set(delivery.id, known)
    let { thread } = place
    await shelf.put(place.workspace, noteOf(delivery, place), trying, limits.noteKeptMs)
    for (const [part, { text, blocks }] of posts.entries()) {
      const there = known.get(part)
      if (there !== undefined) {
        thread ??= there
        continue
      }
      const answer = await api.call(
        place.workspace,
        'chat.postMessage',
        {
          channel: place.channel,
          text,
          ...(blocks.length > 0 ? { blocks } : {}),
          ...(thread === null ? {} : { thread_ts: thread }),
          unfurl_links: false,
          unfurl_media: false,
          link_names: false,
          metadata: {
            event_type: metadataTypes.delivery,
            event_payload: { id: delivery.id, part, parts: posts.length, conversation: delivery.conversationId },
          },
        },
        PostAnswer,
        { lane: place.channel },
      )
      if (!answer.ok) return await failed(delivery, posts, place, answer.problem)
      known.set(part, answer.value.ts)
      thread ??= answer.value.ts
    }
    const ref = known.get(0) ?? ''
    return { kind: 'sent', ref, ...(place.thread === null && ref !== '' ? { thread: ref } : {}) }
  }

  async function failed(delivery: Delivery, posts: readonly Post[], place: Place, problem: Problem): Promise<Sent> {
    if (
      problem.kind === 'refused' &&
      badBlocks.includes(problem.code) &&
      posts.some(({ blocks }) => blocks.length > 0)
    ) {
      log.error(
        { delivery: delivery.id, code: problem.code },
        'Slack refused the blocks of a delivery; it goes as text',
      )
      return await post(delivery, renderPlain(posts), place)
    }
    // Slack has said clearly that nothing of it is there: nobody has to look for it.
    const nothing = problem.kind !== 'unknown' && (parts.get(delivery.id)?.size ?? 0) === 0
    if (nothing) await shelf.drop(place.workspace, noteOf(delivery, place))
    return asSent(problem)
  }

  /** Which parts of a delivery are there. Null: it cannot be found out now. */
  async function look(
    delivery: Delivery,
    place: Place,
  ): Promise<{ ref: string; whole: boolean; count: number } | null> {
    const there = await partsOf(api, delivery.id, place, delivery.at)
    if (there === null) return null
    parts.set(delivery.id, there.known)
    const ref = there.known.get(0)
    return { ref: ref ?? '', whole: ref !== undefined && there.known.size >= there.count, count: there.count }
  }

  /** Posts what is missing; after an unclear answer that has to be found out first. */
  async function postOnce(delivery: Delivery, posts: readonly Post[], place: Place): Promise<Sent> {
    parts.delete(delivery.id)
    const tried = (await shelf.get(place.workspace, noteOf(delivery, place))) !== null
    if (tried && (await look(delivery, place)) === null) return { kind: 'unknown' }
    return await post(delivery, posts, place)
  }

  return {
    post: postOnce,
    /** A delivery that is there whole, posted by whichever process; null where nobody tried or a part is missing. */
    async find(delivery: Delivery, place: Place): Promise<{ ref: string; count: number } | null> {
      if ((await shelf.get(place.workspace, noteOf(delivery, place))) === null) return null
      const there = await look(delivery, place)
      return there?.whole ? there : null
    },
    forget: ({ id }: Delivery): boolean => parts.delete(id),
  }
}

/**
 * Noted before a delivery is posted and kept until Slack has clearly not taken it: whoever tries it next, in whichever
 * process, looks for it first (P2). Only then, because looking costs a call of a method that is limited too.
 */
const noteOf = ({ id }: Delivery, { channel }: Place): string => `sending:${id}:${channel}`
const trying = '1'
