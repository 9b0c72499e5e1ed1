import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Readable } from '../../agent/domain/document.ts'
import { certainText } from '../../agent/domain/text-bytes.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'

const blocks =
  'p, br, li, dt, dd, tr, pre, blockquote, div, section, article, header, h1, h2, h3, h4, h5, h6'

/** Longest page, in characters; the rest of a longer one is dropped. */
const longest = 1_500_000

/**
 * Reads a web page: its main part by Mozilla's Readability, or all of its text if no part stands
 * out. Scripts never run.
 */
export async function readHtml(bytes: Uint8Array): Promise<Readable> {
  const { text } = certainText(bytes) ?? (await import('./text.ts')).readText(bytes)
  const document = documentOf(text)
  const title = tidy(document.querySelector('title')?.textContent ?? '')
  const whole = textOf(document)
  // linkedom's document has all that Readability uses, but not every member of a browser's.
  const article = new Readability(document as unknown as Document, { charThreshold: 200 }).parse()
  const main = tidy(article?.textContent ?? '')
  return { title: tidy(article?.title ?? '') || title, text: main === '' ? whole : main }
}

/** Returns the text of HTML that one of our libraries wrote. */
export const textOfHtml = (html: string): string => textOf(documentOf(html))

/**
 * Parses a page. Adds `html`, `head` and `body` if they are missing, since `linkedom` reads nothing
 * without them.
 */
function documentOf(html: string): Document {
  const body = html
    .slice(0, longest)
    .replace(/<[!/?]?(?:doctype|xml|html|head|body|frameset|noframes)(?:[\s/][^<>]*)?>/gi, ' ')
  return parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`).document
}

/** Returns a document's text. Inserts line breaks around blocks, since minified pages have none. */
function textOf(document: Document): string {
  for (const element of document.querySelectorAll('title, script, style, noscript, template, svg'))
    element.remove()
  for (const block of document.querySelectorAll(blocks)) {
    block.before('\n')
    block.after('\n')
  }
  for (const cell of document.querySelectorAll('td, th')) cell.after(' ')
  return tidy(document.body?.textContent ?? '')
}
