import { Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Conversation } from '../../agent/domain/conversation.ts'
import type { ProgressView } from '../../agent/domain/progress.ts'
import type { Sent } from '../../agent/ports/channel.ts'
import { linksTo } from '../safety.ts'
import { type Discord, keep } from './context.ts'
import { codes, limits } from './limits.ts'
import { nonceOf, type Payload, renderPlan } from './render.ts'
import { idIn, outcomeOf, targetOf, wake } from './threads.ts'

/** Where a run's plan is shown. `count` tells the plan's messages apart. */
const Note = z.object({ channelId: z.string(), messageId: z.string(), at: z.number(), count: z.number() })
type Note = z.infer<typeof Note>

/** Plans whose last state is remembered, so that nothing is sent that shows nothing new. */
const remembered = 2_000

/**
 * One message a run that shows its live plan. It is changed in place; when it has become too old to be changed freely
 * (30046), or somebody has deleted it, a fresh one takes its place.
 */
export function createPlans(discord: Discord) {
  const { rest, deps } = discord
  const { shelf } = deps.store
  const last = new LRUCache<string, { due: number; body: string }>({ max: remembered })
  const keyOf = (runId: string) => `plan:${runId}`
  const noLinks = linksTo([], [])

  async function noteOf(workspace: string, runId: string): Promise<Note | null> {
    const text = await shelf.get(workspace, keyOf(runId))
    return text === null ? null : (Note.safeParse(JSON.parse(text)).data ?? null)
  }

  async function post(
    progress: ProgressView,
    conversation: Conversation,
    payload: Payload,
    old: Note | null,
  ): Promise<Sent> {
    const target = await targetOf(discord, conversation)
    // Before the conversation is opened there is no place for a plan; its first message opens it.
    if (target.kind === 'opens') return { kind: 'sent', ref: '' }
    if (target.kind !== 'at') return target
    const count = (old?.count ?? 0) + 1
    const answer = await rest.call('POST', Routes.channelMessages(target.channelId), {
      body: { ...payload, nonce: nonceOf(progress.runId, 'plan', count), enforce_nonce: true },
    })
    // The nonce makes a second try harmless.
    if (answer.kind === 'unknown') return { kind: 'later', afterMs: 1_000 }
    if (answer.kind !== 'ok') return outcomeOf(answer)
    const messageId = idIn(answer.value)
    if (messageId === null) return { kind: 'later', afterMs: 1_000 }
    const note: Note = { channelId: target.channelId, messageId, at: deps.clock.now(), count }
    await shelf.put(conversation.address.workspace, keyOf(progress.runId), JSON.stringify(note), keep.plan)
    if (old !== null) await rest.call('DELETE', Routes.channelMessage(old.channelId, old.messageId))
    return { kind: 'sent', ref: messageId }
  }

  async function change(note: Note, payload: Payload): Promise<Sent | 'gone'> {
    const attempt = () => rest.call('PATCH', Routes.channelMessage(note.channelId, note.messageId), { body: payload })
    let answer = await attempt()
    if (answer.kind === 'failed' && answer.code === codes.archived && (await wake(discord, note.channelId)))
      answer = await attempt()
    if (answer.kind === 'ok') return { kind: 'sent', ref: note.messageId }
    if (answer.kind === 'failed' && answer.code === codes.unknownMessage) return 'gone'
    if (answer.kind === 'unknown') return { kind: 'later', afterMs: 1_000 }
    return outcomeOf(answer)
  }

  return async function show(progress: ProgressView, conversation: Conversation): Promise<Sent> {
    const { runId } = progress
    const payload = renderPlan(progress, conversation.locale, noLinks)
    const body = JSON.stringify(payload)
    const before = last.get(runId)
    if (before?.body === body) return { kind: 'sent', ref: '' }
    const now = deps.clock.now()
    // A few changes in a row go through at once; many are spread evenly.
    const due = Math.max(now, before?.due ?? 0)
    const wait = due - now - (limits.planBurst - 1) * limits.planEveryMs
    if (wait > 0) return { kind: 'later', afterMs: wait }
    // Marks, answers, questions and reports never wait for a plan.
    if (rest.recent() >= limits.plansBelow) return { kind: 'later', afterMs: limits.planAgainMs }
    const note = await noteOf(conversation.address.workspace, runId)
    const fresh = note !== null && now - note.at < limits.editableMs
    let sent: Sent | 'gone' = fresh ? await change(note, payload) : 'gone'
    if (sent === 'gone') sent = await post(progress, conversation, payload, note)
    if (sent.kind === 'sent') last.set(runId, { due: due + limits.planEveryMs, body })
    return sent
  }
}
