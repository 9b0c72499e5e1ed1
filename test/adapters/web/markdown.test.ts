import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/adapters/web/markdown.ts'
import { ownTimes } from '../../../src/adapters/web/page/time.ts'
import { createRememberedMarkdown } from '../../../src/adapters/web/remembered-markdown.ts'
import { runs } from '../../support/runs.ts'

const none = (): boolean => false
const all = (): boolean => true

/** Every tag of a piece of HTML, as written. Text holds no bare `<`, so nothing hides from this. */
const tagsIn = (html: string): string[] => html.match(/<[^>]*>/g) ?? []

const harmless =
  /^<time datetime="[\d:.TZ-]{24}">$|^<\/time>$|^<\/?(?:p|br|strong|em|del|code|blockquote|ul|ol|li|h[2-6]|hr|thead|tbody|tr|table)>$|^<ol start="\d+">$|^<t[hd](?: align="(?:left|right|center)")?>$|^<\/(?:t[hd]|pre|div|a|span)>$|^<pre tabindex="0"(?: data-language="[\w+#.-]{1,30}")?>$|^<div class="table" tabindex="0">$|^<span class="defanged">$|^<a href="https?:\/\/[^"<>]*" target="_blank" rel="noopener noreferrer nofollow">$/

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
  'x@SECRET.example',
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
const text = fc
  .array(fc.oneof(attacks, fc.string({ maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join(''))

describe('renderMarkdown', () => {
  it('leaves instants to the reader’s own clock, and code as it is (C138)', () => {
    const html = renderMarkdown('due 2026-03-08T18:00:00+01:00, `2026-03-08T18:00:00Z`', none)
    const time = '<time datetime="2026-03-08T17:00:00.000Z">2026-03-08 18:00 (UTC+01:00)</time>'
    expect(html).toBe(`<p>due ${time}, <code>2026-03-08T18:00:00Z</code></p>\n`)
    const shown = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' }).format(
      1_772_989_200_000,
    )
    expect(ownTimes(html, 'en').replace(/<[^>]*>/g, '')).toMatch(
      new RegExp(`^due .*Mar.* ${shown}, `),
    )
  })

  it('makes nothing but harmless tags of any text (S1)', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (given, links) => {
        for (const tag of tagsIn(renderMarkdown(given, links ? all : none)))
          expect(tag).toMatch(harmless)
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
    const html = renderMarkdown(
      '![a chart](https://known.example/chart.png)',
      (address) => address === 'https://known.example/chart.png',
    )
    expect(html).toContain(
      '<a href="https://known.example/chart.png" target="_blank" rel="noopener noreferrer nofollow">a chart</a>',
    )
    expect(html).not.toContain('<img')
  })

  it('shows an address of an unknown host whole, as text that cannot be followed (S2, S21)', () => {
    const html = renderMarkdown('See [the page](https://evil.example/a?b=c).', none)
    expect(html).toContain('the page <span class="defanged">https://evil.example/a?b=c</span>')
  })

  it('is remembered for as long as the same addresses may be followed (S2)', () => {
    const remembered = createRememberedMarkdown()
    const given = '[a](https://one.example/x) and www.two.example'
    const [one, two] = ['https://one.example/x', 'http://www.two.example/']
    for (const known of [[], [one], [one], ['https://one.example/'], [two], []]) {
      const mayLink = (address: string) => known.some((other) => other === address)
      expect(remembered(given, mayLink)).toBe(renderMarkdown(given, mayLink))
    }
  })

  it.each([
    ['SECRET@everyone.0', '<p>SECRET@everyone.0</p>'],
    ['<ana@team.example>', '<p>ana@team.example</p>'],
    ['mailto:ana@team.example', '<p>mailto:ana@team.example</p>'],
    ['[write](mailto:ana@team.example?body=SECRET)', '<p>write (ana@team.example)</p>'],
  ])('shows the mail address of %s as text (S2)', (text, shown) => {
    for (const mayLink of [all, none]) expect(renderMarkdown(text, mayLink)).toBe(`${shown}\n`)
  })

  it('shows raw HTML as text', () => {
    expect(renderMarkdown('<b>bold?</b>', none)).toContain('&lt;b&gt;bold?&lt;/b&gt;')
  })

  it('leaves out no level of heading, whatever a text begins with (C212)', () => {
    const html = renderMarkdown('### A\n\n##### B\n\n# C\n\n## D', none)
    expect(html.match(/<h\d>/g)).toEqual(['<h2>', '<h3>', '<h2>', '<h3>'])
  })

  it('renders tables, code with its language, lists and headings below those of the page', () => {
    const html = renderMarkdown(
      '# One\n\n| a |\n|--:|\n| 1 |\n\n```ts\nx < 1\n```\n\n- [x] done',
      none,
    )
    expect(html).toContain('<h2>One</h2>')
    expect(html).toContain('<td align="right">1</td>')
    expect(html).toContain('<pre tabindex="0" data-language="ts"><code>x &lt; 1</code></pre>')
    expect(html).toContain('☑ done')
  })

  it('shows as plain text what is nested too deeply, and formats what stands around it (S12)', () => {
    for (const deep of ['>'.repeat(4_000), '1. '.repeat(2_000), `${'*a **b '.repeat(3_000)}`]) {
      const html = renderMarkdown(`**before**\n\n${deep}\n\n**after**`, none)
      expect(html).toContain('<strong>before</strong>')
      expect(html).toContain('<strong>after</strong>')
    }
    expect(renderMarkdown('> - > deep **enough**', none)).toContain('<strong>enough</strong>')
  })

  it('shows as it was written a list that is nested deeper than anybody reads (S11, S12)', () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')
    expect(renderMarkdown(nested(20), none).match(/<ul>/g)).toHaveLength(20)
    expect(renderMarkdown(nested(200), none)).not.toContain('<ul>')
  })

  it('makes no table that is larger than its text (S12)', () => {
    const wide = `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'|\n'.repeat(300)}`
    expect(renderMarkdown(wide, none)).not.toContain('<table>')
    expect(renderMarkdown(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(300)}`, none)).toContain(
      '<table>',
    )
  })

  it('keeps every word and line break of a text that it does not format (S12)', () => {
    const html = renderMarkdown(`${'- <b>\n'.repeat(3_000)}end`, none)
    expect(html.match(/- &lt;b&gt;<br>/g)).toHaveLength(3_000)
  })

  it('shows as it was written what has more lines than anybody reads (S11, S12)', () => {
    expect(renderMarkdown('**a**\n\n'.repeat(1_000), none).match(/<strong>/g)).toHaveLength(1_000)
    expect(renderMarkdown('**a**\n\n'.repeat(2_000), none)).not.toContain('<strong>')
  })

  it('formats a long report (S12)', () => {
    const items =
      '- an item with **bold** words, `code` and [a link](https://known.example/page)\n'.repeat(25)
    const report =
      `## Part\n\nA paragraph of *some* length. ${'It goes on for a while. '.repeat(20)}\n\n${items}\n`.repeat(
        14,
      )
    expect(report.length).toBeGreaterThan(30_000)
    const html = renderMarkdown(report, all)
    expect(html.match(/<strong>bold<\/strong>/g)).toHaveLength(350)
    const list = renderMarkdown(
      '- an item of a list without any blank line in it\n'.repeat(400),
      none,
    )
    expect(list.match(/<li>/g)).toHaveLength(400)
  })
})
