import type { MarkedOptions, Tokens } from 'marked'
import { withoutScheme } from '../../agent/domain/address.ts'
import { markdown } from '../../agent/on-demand.ts'
import { isHugeTable, tokensOf } from '../bounded-lexer.ts'
import { emphasised } from '../emphasis.ts'
import { namedInstant, withInstants } from '../instants.ts'
import type { MayLink } from '../safety.ts'

/**
 * Renders Markdown as HTML that is safe to put into the page.
 *
 * Raw HTML is shown as text, and images become links. Only http and https addresses that may be
 * followed are linked (S2); others are shown, and those of mail stay text. The result holds only
 * Markdown's own tags and `time`, no styles and no scripts. A text that would take too long or
 * cannot be parsed is shown as it was written (S12).
 */
export function renderMarkdown(text: string, mayLink: MayLink): string {
  const { Marked } = markdown()
  const marked = new Marked({ gfm: true, breaks: true, async: false })
  let above = 1
  const link = (href: string, label: string) => anchor(href, label, mayLink)
  marked.use({
    // There is no raw HTML here: what looks like it is text. Taken for HTML, a <script> would also
    // make marked pass on the rest of its line as it is.
    tokenizer: {
      html: () => undefined,
      tag: () => undefined,
      table: (src) => (isHugeTable(src) ? undefined : false),
    },
    renderer: {
      text(token: Tokens.Text | Tokens.Escape) {
        const inner = 'tokens' in token ? token.tokens : undefined
        return inner === undefined
          ? withInstants(withBreaks(escapeHtml(token.text, 'keep entities')), time)
          : this.parser.parseInline(inner)
      },
      link({ href, tokens }: Tokens.Link) {
        return link(href, this.parser.parseInline(tokens))
      },
      image: ({ href, text: alt }: Tokens.Image) => link(href, escapeHtml(alt === '' ? href : alt)),
      // A wide block scrolls by itself, so it must be focusable for scrolling by keyboard.
      code: ({ text: code, lang }: Tokens.Code) =>
        `<pre tabindex="0"${languageAttribute(lang)}><code>${escapeHtml(code)}</code></pre>\n`,
      heading({ tokens, depth }: Tokens.Heading) {
        // The page's own heading comes first, and no level is skipped (C212).
        above = Math.min(depth + 1, above + 1, 6)
        return `<h${above}>${this.parser.parseInline(tokens)}</h${above}>\n`
      },
      checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
    },
  })
  const rendered =
    parsed(emphasised(text), marked.defaults) ?? `<p>${withBreaks(escapeHtml(text))}</p>\n`
  return rendered
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}

/** Parses a text; null on failure, so that no message hides the others of its thread. */
function parsed(text: string, options: MarkedOptions): string | null {
  try {
    const tokens = tokensOf(text, options)
    return tokens === null ? null : markdown().Parser.parse(tokens, options)
  } catch {
    return null
  }
}

/** Element for an instant, which the page shows in the reader's own time zone (C138). */
const time = (at: number, written: string) =>
  `<time datetime="${new Date(at).toISOString()}">${namedInstant(at, written)}</time>`

const withBreaks = (html: string) => html.replaceAll('\n', '<br>')

/** Escapes HTML. With `entities`, those that a person wrote (`&lt;`) keep their meaning. */
export function escapeHtml(text: string, entities?: 'keep entities'): string {
  const ampersand =
    entities === undefined ? /&/g : /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});)/gi
  return text
    .replaceAll(ampersand, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const languageAttribute = (lang: string | undefined): string => {
  const name = /^[\w+#.-]{1,30}/.exec(lang ?? '')?.[0]
  return name === undefined ? '' : ` data-language="${escapeHtml(name)}"`
}

function anchor(href: string, label: string, mayLink: MayLink): string {
  const url = URL.parse(withoutScheme.test(href) ? `https://${href}` : href)
  if (url?.protocol === 'mailto:')
    return label.includes(escapeHtml(url.pathname))
      ? label
      : `${label} (${escapeHtml(url.pathname)})`
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return label
  if (!mayLink(url.href)) {
    const address = escapeHtml(href)
    const isBare = [label, `http://${label}`].includes(address)
    return isBare ? asText(label) : `${label} ${asText(address)}`
  }
  return `<a href="${escapeHtml(url.href)}" target="_blank" rel="noopener noreferrer nofollow">${label}</a>`
}

/** Address as text that can be copied whole; the page makes no links of text (S21d). */
const asText = (address: string) => `<span class="defanged">${address}</span>`
