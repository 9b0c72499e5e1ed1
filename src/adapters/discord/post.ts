import { RESTJSONErrorCodes as codes, Routes } from 'discord.js'
import { z } from 'zod'
import type { EditOutcome } from '../channel-kit/send-outcomes.ts'
import type { Answer, Failure } from './api.ts'
import type { Discord } from './context.ts'

import type { Part, Payload } from './render.ts'

const Posted = z.object({ id: z.string() })

export type PostOutcome = { kind: 'sent'; ref: string } | Failure

/** Posts a message, once per nonce. Its reference is its id. */
export async function post(
  { api }: Discord,
  channelId: string,
  { files = [], ...body }: Part,
  nonce: string,
): Promise<PostOutcome> {
  const answer = await api.call('POST', Routes.channelMessages(channelId), {
    body: { ...body, nonce, enforce_nonce: true },
    files,
  })
  if (answer.kind !== 'ok') return answer
  const ref = Posted.safeParse(answer.value).data?.id
  return ref === undefined ? { kind: 'unknown' } : { kind: 'sent', ref }
}

/** Edits a message, and wakes an archived thread for it. `gone`: the message no longer exists. */
export async function edit(
  { api }: Discord,
  { channelId, messageId }: { channelId: string; messageId: string },
  body: Payload,
): Promise<EditOutcome> {
  const attempt = () => api.call('PATCH', Routes.channelMessage(channelId, messageId), { body })
  const wake = () => api.call('PATCH', Routes.channel(channelId), { body: { archived: false } })
  let answer = await attempt()
  if (
    answer.kind === 'refused' &&
    answer.code === codes.InvalidActionOnArchivedThread &&
    (await wake()).kind === 'ok'
  )
    answer = await attempt()
  return outcomeOf(answer, messageId)
}

/** Deletes a message of ours. `gone`: the message no longer exists. */
export async function remove(
  { api }: Discord,
  { channelId, messageId }: { channelId: string; messageId: string },
): Promise<EditOutcome> {
  const answer = await api.call('DELETE', Routes.channelMessage(channelId, messageId))
  return outcomeOf(answer, messageId)
}

function outcomeOf(answer: Answer, messageId: string): EditOutcome {
  if (answer.kind === 'ok') return { kind: 'sent', ref: messageId }
  return answer.kind === 'refused' && answer.code === codes.UnknownMessage
    ? { kind: 'gone' }
    : answer
}
