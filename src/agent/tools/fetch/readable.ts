/** The part of a page that people read. */
export interface Readable {
  title: string
  text: string
}

const blocks = 'p, br, li, dt, dd, tr, pre, blockquote, div, section, article, header, h1, h2, h3, h4, h5, h6'

/** Larger documents take too long to be taken apart; their text is read without looking for its main part. */
const longestDocument = 1_500_000

/**
 * The readable text of a page, by Mozilla's Readability. What is no page is its own text. Scripts are not run and nothing
 * is loaded.
 *
 * The two libraries take a tenth of a second to load, so that happens when the first page is read.
 */
export async function readableOf(type: string, body: Buffer): Promise<Readable | null> {
  const kind = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const text = textIn(type, body)
  if (kind === 'text/html' || kind === 'application/xhtml+xml' || (kind === '' && /^\s*<(?:!doctype|html)/i.test(text)))
    return await fromHtml(text)
  if (kind.startsWith('text/') || /^application\/(?:json|xml|[\w.+-]*\+(?:json|xml))$/.test(kind) || kind === '')
    return { title: '', text: tidy(text) }
  return null
}

async function fromHtml(html: string): Promise<Readable> {
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')])
  const { document } = parseHTML(withBody(html.slice(0, longestDocument)))
  const title = tidy(document.querySelector('title')?.textContent ?? '')
  for (const element of document.querySelectorAll('title, script, style, noscript, template, svg')) element.remove()
  // Minified pages have no line breaks of their own between what stands on lines of its own.
  for (const block of document.querySelectorAll(blocks)) {
    block.before('\n')
    block.after('\n')
  }
  for (const cell of document.querySelectorAll('td, th')) cell.after(' ')
  const whole = tidy(document.body?.textContent ?? '')
  const article = new Readability(document as unknown as Document, { charThreshold: 200 }).parse()
  const main = tidy(article?.textContent ?? '')
  return { title: tidy(article?.title ?? '') || title, text: main === '' ? whole : main }
}

/** `html`, `head` and `body` may be left out of a page, and `linkedom` reads nothing where they are. */
const withBody = (html: string): string =>
  `<!doctype html><html><head></head><body>${html.replace(/<!doctype[^>]*>|<\?xml[^>]*>|<\/?(?:html|head|body|frameset|noframes)\b[^>]*>/gi, ' ')}</body></html>`

function textIn(type: string, body: Buffer): string {
  const named = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? charsetOf(body)
  try {
    return new TextDecoder(named ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder('utf-8').decode(body)
  }
}

/** What the document says of itself, in its first bytes. */
const charsetOf = (body: Buffer): string | undefined =>
  /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(body.subarray(0, 2_048).toString('latin1'))?.[1]

/** Paragraphs apart, single blanks, no control characters. */
function tidy(text: string): string {
  return text
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim()
}
