import { LRUCache } from 'lru-cache'
import { type MayLink, renderMarkdown } from './markdown.ts'

interface Rendered {
  html: string
  /** Every host that was asked about, and the answer: with another answer the HTML would be another. */
  links: ReadonlyMap<string, boolean>
}

/** Characters of texts and their HTML: those of 200 messages of the longest that are hard to render. */
const maxSize = 32_000_000

/**
 * As `renderMarkdown`, which it asks only for what it has not rendered lately. A page asks for its whole thread again at every
 * event, and messages do not change.
 */
export function createRememberedMarkdown(): typeof renderMarkdown {
  const known = new LRUCache<string, Rendered>({
    maxSize,
    sizeCalculation: ({ html }, text) => text.length + html.length + 1,
  })
  return (text, mayLink) => {
    const found = known.get(text)
    if (found !== undefined && [...found.links].every(([host, may]) => mayLink(host) === may)) return found.html
    const links = new Map<string, boolean>()
    const asked: MayLink = (host) => {
      const may = mayLink(host)
      links.set(host, may)
      return may
    }
    const html = renderMarkdown(text, asked)
    known.set(text, { html, links })
    return html
  }
}
