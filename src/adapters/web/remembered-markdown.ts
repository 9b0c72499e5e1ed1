import { LRUCache } from 'lru-cache'
import { renderMarkdown } from './markdown.ts'

/**
 * Size of the cache, in characters of texts and HTML: 200 of the longest messages that are hard to
 * render.
 */
const maxSize = 32_000_000

/**
 * Memoized `renderMarkdown`. A page fetches its whole thread at every event, and messages do not
 * change. If an address may be followed by now, or no longer, the text is rendered again.
 */
export function createRememberedMarkdown(): typeof renderMarkdown {
  const known = new LRUCache<string, { html: string; links: ReadonlyMap<string, boolean> }>({
    maxSize,
    sizeCalculation: ({ html }, text) => text.length + html.length + 1,
  })
  return (text, mayLink) => {
    const found = known.get(text)
    if (found !== undefined && [...found.links].every(([address, may]) => mayLink(address) === may))
      return found.html
    const links = new Map<string, boolean>()
    const html = renderMarkdown(
      text,
      (address) => links.set(address, mayLink(address)).get(address) === true,
    )
    known.set(text, { html, links })
    return html
  }
}
