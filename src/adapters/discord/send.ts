import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { createSender } from '../channel-kit/sender.ts'
import type { Discord } from './context.ts'
import { createParts } from './parts.ts'
import { edit } from './post.ts'
import { discordPosts, type PostTarget } from './post-deliveries.ts'
import { noteWorkspace, openDirect, whisper } from './private-message.ts'
import { marks, react } from './reactions.ts'
import { type Part, plain } from './render.ts'
import type { Where } from './threads.ts'

/** Where a question is shown. */
const QuestionPlace = z.object({ channelId: z.string(), messageId: z.string() })
type QuestionPlace = z.infer<typeof QuestionPlace>

/** Deliveries as messages. */
export function createDiscordSender(discord: Discord) {
  return createSender<Part, Where, PostTarget, QuestionPlace>(discord.deps, {
    ...discordPosts(discord),
    marks,
    whereOf: () => null,
    render: createParts(discord),
    react: (kind, sign, ref) => react(discord, kind, sign, ref),

    async whisper(delivery, conversation, { part, post }) {
      const told = await whisper(discord, delivery, conversation, part.content ?? '…')
      // Nobody is left without an answer: who takes no direct messages reads it in the thread.
      return told.kind === 'refused' ? await post() : told
    },

    async directly(delivery, { address, locale }, to) {
      const opened = await openDirect(discord, to.id)
      if (opened.kind !== 'ready') return opened
      await noteWorkspace(discord.deps.notes, delivery, to.id, address.workspace)
      const head = plain(
        texts(locale).discord.cannotPostThere(`<#${address.thread ?? address.channel}>`),
      )
      // What has arrived in the place itself counts for nothing here.
      const own = { ...delivery, id: `${delivery.id}:direct` }
      return { ...opened, delivery: own, head: (parts) => [head, ...parts] }
    },

    question: {
      schema: QuestionPlace,
      at: ({ where, conversation: { address } }, { refs, thread }, target) => ({
        channelId: target?.channelId ?? where ?? thread ?? address.thread ?? address.channel,
        messageId: refs.at(-1) ?? '',
      }),
      edit: (at, part) => edit(discord, at, part),
    },
  })
}
