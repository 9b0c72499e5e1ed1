import { RESTJSONErrorCodes as codes, Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Address } from '../../agent/domain/conversation.ts'
import { texts } from '../../locales/texts.ts'
import { createSender } from '../channel-kit/sender.ts'
import { noteAsked } from './answers-outside.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { isForum } from './directory.ts'
import { createParts } from './parts.ts'
import { edit, remove } from './post.ts'
import { discordPosts, type PostTarget } from './post-deliveries.ts'
import { noteWorkspace, openDirect, whisper } from './private-message.ts'
import { marks, react } from './reactions.ts'
import { type Part, plain } from './render.ts'
import type { Where } from './threads.ts'

/** Address of a question's message. */
const QuestionPlace = z.object({ channelId: z.string(), messageId: z.string() })
type QuestionPlace = z.infer<typeof QuestionPlace>

/** True if the message was deleted that a conversation's thread would grow from. */
async function isDeleted({ api, directory }: Discord, { channel, thread }: Address) {
  if (thread === null || thread === channel || (await directory.find(thread)) !== null) return false
  const answer = await api.call('GET', Routes.channelMessage(channel, thread))
  return answer.kind === 'refused' && answer.code === codes.UnknownMessage
}

/** Sends deliveries as messages. */
export function createDiscordSender(discord: Discord) {
  const blocked = new LRUCache<string, true>({ max: blockedKept })
  const sender = createSender<Part, Where, PostTarget, QuestionPlace>(discord.deps, {
    ...discordPosts(discord),
    marks,
    whereOf: () => null,
    render: createParts(discord),
    react: (kind, sign, ref) => react(discord, kind, sign, ref),

    async whisper(delivery, conversation, { part, post }) {
      const told = await whisper(discord, delivery, conversation, part.content ?? '…')
      // If a person accepts no direct messages, the answer goes to the thread.
      return told.kind === 'refused' ? await post() : told
    },

    async directly(delivery, conversation, to) {
      const { address, locale } = conversation
      const opened = await openDirect(discord, to.id)
      if (opened.kind !== 'ready') return opened
      await noteWorkspace(discord.deps.notes, delivery, to.id, address.workspace)
      if (delivery.body.kind === 'question')
        await noteAsked(discord.deps.notes, conversation, {
          workspace: workspaceOf(null),
          place: opened.where,
        })
      const { discord: words } = texts(locale)
      const { channel, thread } = address
      const there = `<#${thread ?? channel}>`
      const why = blocked.has(delivery.id)
        ? words.blockedThere(there)
        : words.cannotPostThere(there)
      const isGone = await isDeleted(discord, address)
      const head = plain(isGone ? words.requestGone(`<#${channel}>`) : why)
      // Progress in the original place does not count here.
      const own = { ...delivery, id: `${delivery.id}:direct` }
      return { ...opened, delivery: own, head: (parts) => [head, ...parts] }
    },

    async attach({ delivery, conversation, where }, { refs }) {
      if (delivery.body.kind === 'question')
        for (const place of refs)
          await noteAsked(discord.deps.notes, conversation, {
            workspace: where === null ? conversation.address.workspace : workspaceOf(null),
            place,
          })
      if (conversation.asks != null)
        for (const place of refs)
          await noteAsked(discord.deps.notes, conversation, { workspace: workspaceOf(null), place })
      return true
    },

    question: {
      schema: QuestionPlace,
      at: ({ where, conversation: { address } }, { refs, thread }, target) => ({
        channelId: target?.channelId ?? where ?? thread ?? address.thread ?? address.channel,
        messageId: refs.at(-1) ?? '',
      }),
      edit: (at, part) => edit(discord, at, part),
      async remove(at, { address }) {
        const place = await discord.directory.find(address.channel)
        const isInForum = place !== null && place !== 'away' && isForum(place)
        // The message that a thread grows from stands above it, but for a forum's.
        const isAbove = at.messageId === address.thread && !isInForum
        return await remove(discord, isAbove ? { ...at, channelId: address.channel } : at)
      },
    },
  })
  return {
    ...sender,
    async send(...delivered: Parameters<typeof sender.send>) {
      const sent = await sender.send(...delivered)
      const [{ id }] = delivered
      if ('code' in sent && sent.code === codes.MessageWasBlockedByAutomaticModeration)
        blocked.set(id, true)
      return sent
    },
  }
}

/** Deliveries that AutoMod blocked, of which the person is told directly next. */
const blockedKept = 500
