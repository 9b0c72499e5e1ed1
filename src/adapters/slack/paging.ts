import { z } from 'zod'
import type { Answer } from './api.ts'

/** Where the next page of an answer begins; blank or absent on the last one. */
export const Cursor = z.looseObject({ next_cursor: z.string().nullish() }).nullish()
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
