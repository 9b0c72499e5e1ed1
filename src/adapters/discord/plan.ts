import { Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { hasEnded } from '../../agent/domain/run.ts'
import { createPlans } from '../channel-kit/plan.ts'
import { editAgain } from '../channel-kit/send-outcomes.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'
import { edit, post } from './post.ts'
import { nonceOf, type Payload } from './render.ts'
import { renderPlan } from './render-plan.ts'
import { targetOf } from './threads.ts'
import { workWithoutThreads } from './without-threads.ts'

/** Address of a run's plan. `count` numbers the plan's messages. */
const Note = z.object({
  channelId: z.string(),
  messageId: z.string(),
  at: z.number(),
  count: z.number(),
})
type Note = z.infer<typeof Note>

/** Shows the live plan as a card. A card that is too old for free edits (30046) is posted again. */
export function createDiscordPlans(discord: Discord) {
  const { api, deps } = discord
  /** Time from which the next change of a run may be sent. */
  const due = new LRUCache<string, number>({ max: 2_000 })

  return createPlans<Payload, Note>(deps.notes, {
    read: (note) => Note.safeParse(JSON.parse(note)).data ?? null,
    write: (at) => JSON.stringify(at),
    render: (progress, { locale }) => renderPlan(progress, locale),

    hold({ runId, status }) {
      // C86: an ended run never waits for a plan that goes on.
      if (hasEnded(status)) return null
      // A short burst passes at once; further changes are spread evenly.
      const now = deps.clock.now()
      const next = Math.max(now, due.get(runId) ?? 0)
      const wait = next - now - (limits.planBurst - 1) * limits.planEveryMs
      if (wait > 0) return { kind: 'later', afterMs: wait }
      // Reactions, answers, questions and reports must not wait for a plan.
      if (api.recent() >= limits.plansBelow) return { kind: 'later', afterMs: limits.planAgainMs }
      due.set(runId, next + limits.planEveryMs)
      return null
    },

    async post(shown, { runId }, conversation, old) {
      const target = await targetOf(discord, conversation)
      // A plan has no place before the conversation's first message, which opens it.
      if (target.kind === 'opens') return { kind: 'sent', ref: '' }
      if (target.kind !== 'at') return target
      const { channelId } = target
      const count = (old?.count ?? 0) + 1
      // The nonce makes a retry harmless.
      const tried = await post(discord, channelId, shown, nonceOf(runId, 'plan', count))
      if (
        tried.kind === 'refused' &&
        (await workWithoutThreads(discord, conversation, channelId, tried))
      )
        return { kind: 'later', afterMs: 0 }
      const sent = editAgain(tried)
      if (sent.kind !== 'sent') return sent
      const at = { channelId, messageId: sent.ref, at: deps.clock.now(), count }
      return { kind: 'posted', at, ref: sent.ref }
    },

    async update(note, shown) {
      if (deps.clock.now() - note.at >= limits.editableMs) return { kind: 'gone' }
      return await edit(discord, note, shown)
    },
    remove: ({ channelId, messageId }) =>
      api.call('DELETE', Routes.channelMessage(channelId, messageId)),
  })
}
