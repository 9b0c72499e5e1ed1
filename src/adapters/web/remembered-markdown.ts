import { LRUCache } from 'lru-cache'
import { renderMarkdown } from './markdown.ts'

/** Characters of texts and their HTML: those of 200 messages of the longest that are hard to render. */
const maxSize = 32_000_000

/**
 * As `renderMarkdown`, which it asks only for what it has not rendered lately. A page asks for its whole thread again at every
 * event, and messages do not change. With other answers about the addresses that were asked about, the HTML would be another.
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
