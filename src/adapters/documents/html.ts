import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Readable } from '../../agent/domain/document.ts'
import { certainText } from '../../agent/domain/text-bytes.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'

const blocks =
  'p, br, li, dt, dd, tr, pre, blockquote, div, section, article, header, h1, h2, h3, h4, h5, h6'

/** Of longer pages the beginning is read, in characters. */
const longest = 1_500_000

/** A page for people: its main part by Mozilla's Readability, or all of its text where none stands out. No script is run. */
export async function readHtml(bytes: Uint8Array): Promise<Readable> {
  const { text } = certainText(bytes) ?? (await import('./text.ts')).readText(bytes)
  const document = documentOf(text)
  const title = tidy(document.querySelector('title')?.textContent ?? '')
  const whole = textOf(document)
  // linkedom's document has what Readability uses, though not every member of a browser's.
  const article = new Readability(document as unknown as Document, { charThreshold: 200 }).parse()
  const main = tidy(article?.textContent ?? '')
  return { title: tidy(article?.title ?? '') || title, text: main === '' ? whole : main }
}

/** All of the text of what a library of ours wrote as HTML. */
export const textOfHtml = (html: string): string => textOf(documentOf(html))

/** `html`, `head` and `body` may be left out of a page, and `linkedom` reads nothing where they are. */
function documentOf(html: string): Document {
  const body = html
    .slice(0, longest)
    .replace(/<[!/?]?(?:doctype|xml|html|head|body|frameset|noframes)(?:[\s/][^<>]*)?>/gi, ' ')
  return parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`).document
}

/** Minified pages have no line breaks of their own between what stands on lines of its own: the document gets them. */
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
