import { describe, expect, it } from 'vitest'
import { lineInMrkdwn } from '../../src/adapters/slack/markdown.ts'
import { renderMarkdown as inSlack } from '../../src/adapters/slack/render.ts'
import { renderMarkdown as onPage } from '../../src/adapters/web/markdown.ts'

const visible = (text: string) => text.replaceAll('\u200b', '').trim()
const page = (text: string) => visible(onPage(text, () => false))

describe('emphasis beside wide letters (C979)', () => {
  it.each([
    ['**标签：**正文和**粗体**文字', '<strong>标签：</strong>正文和<strong>粗体</strong>文字'],
    ['含**「重点」**内容', '含<strong>「重点」</strong>内容'],
    ['*斜体（括号）。*后面', '<em>斜体（括号）。</em>后面'],
    ['~~删除的。~~这个', '<del>删除的。</del>这个'],
    ['`**标签：**正文`', '<code>**标签：**正文</code>'],
    ['a*(b)*c', 'a*(b)*c'],
    ['2 ** 3：** 4', '2 ** 3：** 4'],
  ])('shows on the page: %s', (text, html) => {
    expect(page(text)).toBe(`<p>${html}</p>`)
  })

  it('is rich text in Slack where code needs it', () => {
    const [part] = inSlack('**标签：**正文和**粗体** `npm i vite@5.4.0`', () => false)
    expect(part?.blocks).toMatchObject([{ elements: [{ type: 'rich_text_section' }] }])
    const said = visible(JSON.stringify(part?.blocks))
    expect(said).toContain('{"type":"text","text":"标签：","style":{"bold":true}}')
    expect(said).toContain('{"type":"text","text":"正文和"}')
  })

  it('is set apart in Slack’s own markup', () => {
    expect(lineInMrkdwn('这是**粗体**文字, **bold** too')).toBe(
      '这是\u200b*粗体*\u200b文字, *bold* too',
    )
  })
})
