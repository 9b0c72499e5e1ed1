import { Routes } from 'discord.js'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { Delivery } from '../../agent/domain/delivery.ts'
import { texts } from '../../locales/texts.ts'
import type { Outgoing, PostPlatform } from '../channel-kit/poster.ts'
import { createSender } from '../channel-kit/sender.ts'
import { asSent } from './api.ts'
import { type Discord, keep } from './context.ts'
import { isForum } from './directory.ts'
import { codes, idAt, isAfter } from './limits.ts'
import { createParts } from './parts.ts'
import { mark } from './reactions.ts'
import { nonceOf, type Part, plain } from './render.ts'
import { noteHome } from './sent-directly.ts'
import { edit, findPost, openThread, type Target, targetOf, threadBelow } from './threads.ts'
import { openDirect, whisper } from './whisper.ts'

/** Where a question is shown. */
const QuestionPlace = z.object({ channelId: z.string(), messageId: z.string() })
type QuestionPlace = z.infer<typeof QuestionPlace>

/** What Discord says where it takes no file. */
const noFiles: readonly number[] = [codes.missingPermissions, codes.tooLarge]

/** A clock of Discord's that is behind ours must not hide a message. */
const skewMs = 60_000

/** A channel of one person's; null where the conversation says where. */
type Where = string | null
type Way = Omit<Extract<Target, { kind: 'at' }>, 'kind'>

/** Deliveries as messages. */
export function createDiscordSender(discord: Discord) {
  const { deps } = discord
  const partsOf = createParts(discord)
  return createSender<Part, Where, Way, QuestionPlace>(
    { notes: deps.store.notes, log: deps.log },
    {
      ...discordPosts(discord),
      whereOf: () => null,
      render: async (delivery, conversation, directly) => {
        const parts = await partsOf(delivery, conversation, directly)
        return parts.length === 0 ? [plain('…')] : parts
      },
      react: (ref, { outcome }) => mark(discord, ref, outcome),

      async whisper(delivery, conversation, { part, post }) {
        const text = part.content ?? '…'
        const told = await whisper(discord, { delivery, conversation, to: delivery.body.to, text })
        // Nobody is left without an answer: who takes no direct messages reads it in the thread.
        return told.kind === 'refused' ? await post() : told
      },

      async directly(delivery, { address, locale }, to) {
        const opened = await openDirect(discord, to.id)
        if (opened.kind !== 'ready') return opened
        await noteHome(deps.store.notes, delivery, to.id, address.workspace)
        const head = plain(texts(locale).discord.cannotPostThere(`<#${address.thread ?? address.channel}>`))
        // What has arrived in the place itself counts for nothing here.
        const own = { ...delivery, id: `${delivery.id}:direct` }
        return { ...opened, delivery: own, head: (parts) => [head, ...parts] }
      },

      question: {
        keptMs: keep.question,
        at: ({ where, conversation: { address } }, { refs, thread }, way) => ({
          channelId: way?.channelId ?? where ?? thread ?? address.thread ?? address.channel,
          messageId: refs[0] ?? '',
        }),
        read: (note) => QuestionPlace.safeParse(note).data ?? null,
        edit: (at, part) => edit(discord, at, part),
      },
    },
  )
}

function discordPosts(discord: Discord): PostPlatform<Part, Where, Way> {
  const { deps, api } = discord

  async function whereFirst(delivery: Delivery, { address, title }: Conversation, { thread }: Outgoing) {
    if (thread !== null || address.thread !== null) return thread ?? address.thread
    const place = await discord.directory.find(address.channel)
    if (place === null || place === 'away') return null
    if (!isForum(place)) return place.id
    const post = await findPost(discord, place, title, delivery.at - skewMs)
    return post === 'away' ? null : post
  }

  async function ownMessages(channelId: string, after: string): Promise<{ id: string; content: string }[]> {
    const answer = await api.call('GET', Routes.channelMessages(channelId), {
      query: { after: isAfter(after, '0') ? String(BigInt(after) - 1n) : '0', limit: '100' },
    })
    const list = answer.kind === 'ok' ? Said.safeParse(answer.value).data : undefined
    return (list ?? []).filter(({ author }) => author.id === discord.self()?.id).reverse()
  }

  return {
    keyOf: ({ delivery }) => `out:${delivery.conversationId}`,
    keptMs: keep.outgoing,
    // The nonce makes a second try harmless.
    looksFirst: false,

    async begin({ delivery, conversation, parts, where }, out) {
      if (where !== null) return { kind: 'ready', way: { channelId: where, replyTo: null } }
      const { address, title, id } = conversation
      let target = await targetOf(discord, conversation)
      if (target.kind === 'opens') {
        if (out.thread === null) {
          const [part = plain('…')] = parts
          const { place } = target
          const since = delivery.at - skewMs
          const opened = await openThread(discord, { place, part, deliveryId: delivery.id, title, since })
          if (opened.kind !== 'opened') return opened
          out.thread = opened.thread
          out.refs.push(opened.message)
          // A reply may come in before the core has bound the thread (R148).
          await deps.store.notes.put(address.workspace, `opened:${opened.thread}`, id, keep.outgoing)
        }
        if (out.refs.length >= parts.length) return { kind: 'ready', way: { channelId: out.thread, replyTo: null } }
        // Where no thread may be made, the rest goes below the first part as replies.
        target = await targetOf(discord, { ...conversation, address: { ...address, thread: out.thread } })
      }
      if (target.kind === 'opens') return { kind: 'unknown' }
      return target.kind === 'at' ? { kind: 'ready', way: target } : target
    },

    async post({ delivery }, { part: { files = [], ...body }, index, way: { channelId, replyTo } }) {
      const reply = replyTo === null ? {} : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }
      const say = (along: typeof files) =>
        api.call('POST', Routes.channelMessages(channelId), {
          body: { ...body, ...reply, nonce: nonceOf(delivery.id, index), enforce_nonce: true },
          files: along,
        })
      let answer = await say(files)
      // Words are not kept back for a file that may not be attached here.
      if (answer.kind === 'failed' && files.length > 0 && noFiles.includes(answer.code)) {
        deps.log.warn({ delivery: delivery.id, code: answer.code }, 'Discord did not take a file; its words go alone')
        answer = await say([])
      }
      if (answer.kind === 'failed' && answer.code === codes.unknownChannel) discord.directory.forget(channelId)
      const sent = asSent(answer)
      return sent.kind === 'sent' ? { kind: 'posted', ref: sent.ref } : sent
    },

    /** By its words: an equal text up to the delivery before was that one's. */
    async look({ delivery, conversation, parts }, out, before) {
      const channelId = await whereFirst(delivery, conversation, out)
      if (channelId === null) return null
      const said = await ownMessages(channelId, out.refs.at(-1) ?? idAt(delivery.at - skewMs))
      for (const part of parts.slice(out.refs.length)) {
        const wanted = (part.content ?? '').trim()
        const isNew = (id: string) => !out.refs.includes(id) && (before === null || isAfter(id, before))
        const found = said.find(({ id, content }) => content.trim() === wanted && isNew(id))
        if (found === undefined) return { whole: false }
        out.refs.push(found.id)
      }
      const [first] = out.refs
      if (conversation.address.thread !== null || out.thread !== null || first === undefined)
        return { whole: first !== undefined }
      const isPost = channelId === first
      if (!isPost && (await threadBelow(discord, channelId, first, conversation.title)).kind !== 'opened')
        return { whole: false }
      out.thread = first
      return { whole: true }
    },
  }
}

const Said = z.array(z.object({ id: z.string(), content: z.string(), author: z.object({ id: z.string() }) }))
