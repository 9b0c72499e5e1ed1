import { z } from 'zod'
import type { Answer } from './api.ts'

/** Where the next page of an answer begins; blank or absent on the last one. */
export const Cursor = z.looseObject({ next_cursor: z.string().nullish() }).nullish()
/** Channels that somebody is in. */
export const Channels = z.looseObject({
  channels: z
    .array(
      z.looseObject({
        id: z.string(),
        name: z.string().nullish(),
        is_im: z.boolean().nullish(),
        user: z.string().nullish(),
      }),
    )
    .default([]),
  response_metadata: Cursor,
})

/** A message as the history of a channel or thread tells it; what was said in it `parseSaid` reads. */
const Told = z.looseObject({
  ts: z.string(),
  thread_ts: z.string().nullish(),
  latest_reply: z.string().nullish(),
  username: z.string().nullish(),
  bot_profile: z.looseObject({ name: z.string().nullish() }).nullish(),
  files: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
  metadata: z
    .looseObject({ event_type: z.string(), event_payload: z.looseObject({ id: z.string().optional() }) })
    .nullish()
    .catch(null),
})
export type Told = z.infer<typeof Told>
export const History = z.looseObject({ messages: z.array(Told).default([]), response_metadata: Cursor })

type Paged = { response_metadata?: z.infer<typeof Cursor> }

/** An answer page by page, until there are no more or the last one is enough. `gap`: more is left. */
export async function pagesOf<T extends Paged>(
  ask: (from: { cursor?: string }) => Promise<Answer<T>>,
  isEnough: (page: T, count: number) => boolean,
): Promise<Answer<{ pages: T[]; gap: boolean }>> {
  const pages: T[] = []
  for (let from: { cursor?: string } = {}; ; ) {
    const answer = await ask(from)
    if (answer.kind !== 'ok') return answer
    const { value: page } = answer
    pages.push(page)
    const cursor = page.response_metadata?.next_cursor || undefined
    const gap = cursor !== undefined
    if (!gap || isEnough(page, pages.length)) return { kind: 'ok', value: { pages, gap } }
    from = { cursor }
  }
}
