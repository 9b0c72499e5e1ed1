import { z } from 'zod'
import type { Sent } from '../../agent/ports/channel.ts'
import type { Once } from '../channel-kit/once.ts'
import type { NotSent } from '../channel-kit/send-outcomes.ts'
import { type Api, asSent } from './api.ts'
import type { Post } from './blocks.ts'
import { type Place, PostAnswer } from './post.ts'
import { renderMarkdown } from './render.ts'

const Anything = z.looseObject({})
const Opened = z.looseObject({ channel: z.looseObject({ id: z.string() }) })
const keptMs = 24 * 60 * 60 * 1_000

/** The channel of one person with Clew. */
export async function openDirect(
  api: Api,
  workspace: string,
  user: string,
): Promise<{ kind: 'ready'; where: Place } | NotSent> {
  const opened = await api.call(workspace, 'conversations.open', { users: user }, Opened)
  if (opened.ok) return { kind: 'ready', where: { workspace, channel: opened.value.channel.id, thread: null } }
  return opened.problem.kind === 'unknown' ? { kind: 'later', afterMs: 1_000 } : asSent(opened.problem)
}

/** For one person's eyes only, in a place; where Clew is not, only a direct message reaches anybody. */
export async function showPrivately(
  api: Api,
  { workspace, channel, thread }: Place,
  user: string,
  post: Post,
): Promise<Sent | { kind: 'ready'; where: Place }> {
  const args = { channel, user, ...post, ...(thread === null ? {} : { thread_ts: thread }) }
  const answer = await api.call(workspace, 'chat.postEphemeral', args, Anything, { lane: channel })
  if (answer.ok) return { kind: 'sent', ref: '' }
  return answer.problem.kind === 'refused' ? await openDirect(api, workspace, user) : asSent(answer.problem)
}

/** A line for one person that belongs to no conversation: why something was not taken. */
export type Whisper = (key: string, to: Place & { user: string }, text: string) => Promise<void>

export const createWhisper =
  (api: Api, once: Once): Whisper =>
  (key, { user, ...place }, text) =>
    once({ workspace: place.workspace, key: `said:${key}`, keptMs }, async () => {
      const [post = { text, blocks: [] }] = renderMarkdown(text, () => false)
      const shown = await showPrivately(api, place, user, post)
      if (shown.kind !== 'ready') return shown
      const { workspace, channel } = shown.where
      const answer = await api.call(workspace, 'chat.postMessage', { channel, ...post }, PostAnswer, { lane: channel })
      return answer.ok ? { kind: 'sent' } : asSent(answer.problem)
    })
