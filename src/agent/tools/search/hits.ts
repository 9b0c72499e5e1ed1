import { z } from 'zod'
import type { SearchHit } from './provider.ts'

const longestTitle = 120
const longestSnippet = 300
const longestUrl = 500

export const Text = z.string().nullish()
/** Row of an answer; a row of another shape has no address. */
export const Row = z.object({ url: Text, title: Text, content: Text }).catch({})
export type Row = z.infer<typeof Row>

/**
 * Cleans what a provider sent: plain text without markup, only web addresses, no page twice, in the
 * given order.
 *
 * @param found in the provider's order; a row without an address is dropped.
 */
export function hitsFrom(found: readonly Row[], limit: number): SearchHit[] {
  const hits = new Map<string, SearchHit>()
  for (const row of found) {
    const url = webAddress(row.url ?? '')
    if (url === null || hits.has(url) || hits.size >= limit) continue
    const title = plain(row.title ?? '', longestTitle)
    hits.set(url, {
      title: title === '' ? new URL(url).host : title,
      url,
      snippet: plain(row.content ?? '', longestSnippet),
    })
  }
  return [...hits.values()]
}

function webAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  // Somebody's name and password in an address is a trap or a leak.
  return url !== null && isWeb && url.username === '' && url.href.length <= longestUrl
    ? url.href
    : null
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** Tags out first, entities after: what was written as text stays text. */
function plain(text: string, longest: number): string {
  const line = text
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length <= longest
    ? line
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}
