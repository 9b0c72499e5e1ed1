import { z } from 'zod'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { patiently } from '../channel-kit/patience.ts'
import type { Answer, Problem } from './api.ts'
import type { Slack } from './context.ts'

/**
 * Schema of a page: the list under `key`, and the cursor of the next page, which is blank or absent
 * on the last one.
 */
const pageOf = <T>(key: string, item: z.ZodType<T>) =>
  z.preprocess(
    (answer) => (isRecord(answer) ? { ...answer, items: answer[key] } : answer),
    z.looseObject({
      items: z.array(item).default([]),
      response_metadata: z.looseObject({ next_cursor: z.string().nullish() }).nullish(),
    }),
  )
type Page<T> = z.infer<ReturnType<typeof pageOf<T>>>

/** Channel that a person or the bot is in. */
const Channel = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  is_im: z.boolean().nullish(),
  user: z.string().nullish(),
  is_private: z.boolean().nullish(),
  is_ext_shared: z.boolean().nullish(),
})
export const Channels = pageOf('channels', Channel)

/** Message as the history of a channel or thread returns it. `parseSaid` reads its content. */
const HistoryMessage = z.looseObject({
  ts: z.string(),
  subtype: z.string().nullish(),
  thread_ts: z.string().nullish(),
  latest_reply: z.string().nullish(),
  username: z.string().nullish(),
  bot_profile: z.looseObject({ name: z.string().nullish() }).nullish(),
  files: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
  metadata: z
    .looseObject({
      event_type: z.string(),
      event_payload: z.looseObject({ id: z.string().optional() }),
    })
    .nullish()
    .catch(null),
})
export type HistoryMessage = z.infer<typeof HistoryMessage>
export const History = pageOf('messages', HistoryMessage)

export const Members = pageOf('members', z.string())
const Profile = z.looseObject({
  display_name: z.string().nullish(),
  real_name: z.string().nullish(),
})
const User = z.looseObject({
  id: z.string(),
  name: z.string().default(''),
  profile: Profile.optional(),
  deleted: z.boolean().nullish(),
  is_bot: z.boolean().nullish(),
  real_name: z.string().nullish(),
})
export const Users = pageOf('members', User)

/** Calls the Web API in a workspace. */
export type Ask = <T>(
  method: string,
  args: Record<string, unknown>,
  schema: z.ZodType<T>,
) => Promise<Answer<T>>

/** Creates calls for a person who waits: they wait out short rate limits. */
export const patientAsk =
  ({ api, deps: { clock } }: Slack, workspace: string, signal: AbortSignal): Ask =>
  (method, args, schema) =>
    patiently(clock, signal, () => api.call(workspace, method, args, schema, { minor: true }))

/**
 * List as far as it was read. `gap`: there is more. `problem`: reason why Slack did not return the
 * next page.
 */
interface Read<T> {
  items: T[]
  gap: boolean
  problem: Problem | null
}

/** Reads a list page by page, until it ends or `isEnough`. */
export async function readAll<T>(
  ask: Ask,
  {
    method,
    args,
    page,
  }: { method: string; args: Record<string, unknown>; page: z.ZodType<Page<T>> },
  isEnough: (count: number, items: readonly T[]) => boolean,
): Promise<Read<T>> {
  const items: T[] = []
  let cursor: string | undefined
  for (let count = 1; ; count++) {
    const answer = await ask(method, cursor === undefined ? args : { ...args, cursor }, page)
    if (answer.kind !== 'ok') return { items, gap: true, problem: answer }
    items.push(...answer.value.items)
    cursor = answer.value.response_metadata?.next_cursor || undefined
    const gap = cursor !== undefined
    if (!gap || isEnough(count, items)) return { items, gap, problem: null }
  }
}
