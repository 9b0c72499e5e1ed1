import { expect, it } from 'vitest'
import { toDiscord } from '../../src/adapters/discord/markdown.ts'
import { linksAmong } from '../../src/adapters/safety.ts'
import { renderMarkdown } from '../../src/adapters/slack/render.ts'
import { renderMarkdown as renderPage } from '../../src/adapters/web/markdown.ts'
import { addressesKnown } from '../../src/agent/domain/address.ts'
import type { Message } from '../../src/agent/domain/message.ts'
import { linksIn } from '../fakes/discord/links.ts'

const found = 'https://docs.example.org/limits?page=2'
const reportOf = (text: string) => {
  const report: Pick<Message, 'role' | 'text' | 'links'> = {
    role: 'assistant',
    text,
    links: [found],
  }
  return { text, mayLink: linksAmong(addressesKnown([report]), []) }
}

interface Leaf {
  type: string
  text?: string
  style?: object
  url?: string
}

/** Elements of rich text; Slack makes a link of those of the type `link` alone. */
function leavesOf(value: unknown): Leaf[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value !== 'object' || value === null) return []
  if ('elements' in value) return leavesOf(value.elements)
  return 'type' in value && typeof value.type === 'string' ? [{ ...value, type: value.type }] : []
}

it.each([
  ['a link', (address: string) => `The limit is 50 ([docs](${found}); [more](${address})).`],
  ['the words', (address: string) => `See ${found} and **then** ${address}.`],
  ['words without a blank', (address: string) => `见 ${found} 。另见\\${address}。`],
  ['a list', (address: string) => `- <${found}>\n- \`npm i\`<${address}>\n  1. a stray \` too`],
])(
  'a source that a search returned is live in %s, and what only a model wrote is text, whole, on every platform (S21)',
  (_, textOf) => {
    for (const other of [
      'https://other.example/x?secret=1&b=2#part',
      'http://10.0.0.5:8080/@team/2026-03-08T18:00Z',
      'www.other.example/a_b_c?d=e',
    ]) {
      const { text, mayLink } = reportOf(textOf(other))
      const leaves = renderMarkdown(text, mayLink).flatMap(({ blocks }) => leavesOf(blocks))
      expect(leaves.flatMap(({ url }) => url ?? [])).toEqual([found])
      expect(leaves).toContainEqual(
        expect.objectContaining({ text: other, style: expect.objectContaining({ code: true }) }),
      )
      const discord = toDiscord(text, mayLink)
      expect(linksIn(discord)).toEqual([found])
      expect(discord).toContain(`\`${other}\``)
      expect(discord).not.toContain(`\`>`)
      const page = renderPage(text, mayLink)
      expect(page.match(/<a href="[^"]*"/g)).toEqual([`<a href="${found}"`])
      expect(page).toContain(other.replaceAll('&', '&amp;'))
    }
  },
)

it('an address in a table of Slack is broken but whole, since Slack promises nothing of code there (S21, C395)', () => {
  const { text, mayLink } = reportOf(
    '| a | b |\n|---|---|\n| [x](https://other.example/x?b=1) | 2 |',
  )
  const [post] = renderMarkdown(text, mayLink)
  expect(post?.blocks).toMatchObject([
    { type: 'markdown', text: expect.stringContaining('x (`https[:]//other[.]example/x?b=1`)') },
  ])
})

it('an invite that only a model wrote is no code on Discord, whose cards may be made of code (S21)', () => {
  const { text, mayLink } = reportOf('Join https://discord.gg/abc or discord.com/invite/abc')
  expect(toDiscord(text, mayLink)).toBe('Join discord[.]gg/abc or discord[.]com/invite/abc')
})
