import type { NeedView } from '../../src/adapters/web/views.ts'
import { ask } from '../adapters/web/support.ts'

export const choices = ['Blue', 'Red'] as const
export const words = 'Green'

/**
 * What the Clew of the race has seen, by conversation, as instants. `kept`: at some instants, for how long its thread had waited for
 * a processor.
 */
/** How long a process had waited for a processor, at these moments, both in milliseconds. */
export type Kept = readonly (readonly [at: number, ms: number])[]

/** When the page showed each conversation's entry no more. */
export interface Shown {
  unshown: Record<string, number>
  kept: Kept
}

export interface Report {
  calls: string[]
  taken: Record<string, number>
  gone: Record<string, number>
  won: string[]
  kept: Kept
}

type Needs = { needs: NeedView[]; total: number; next: string | null }
const needsOf = async (url: string, query: string) =>
  (await ask(`${url}/api/needs-you?${query}`)).body as Needs
export const totalOf = async (url: string) => (await needsOf(url, 'limit=1')).total

export async function allOf(url: string): Promise<NeedView[]> {
  const all: NeedView[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Needs = await needsOf(
      url,
      `limit=200${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`,
    )
    all.push(...page.needs)
    next = page.next
  }
  return all
}
