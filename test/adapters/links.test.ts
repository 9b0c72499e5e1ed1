import { expect, it } from 'vitest'
import { toDiscord } from '../../src/adapters/discord/markdown.ts'
import { linksAmong } from '../../src/adapters/safety.ts'
import { renderMarkdown } from '../../src/adapters/slack/render.ts'
import { addressesKnown } from '../../src/agent/domain/address.ts'
import type { Message } from '../../src/agent/domain/message.ts'

const found = 'https://docs.example.org/limits?page=2'
const report: Pick<Message, 'role' | 'text' | 'links'> = {
  role: 'assistant',
  text: `The limit is 50 ([docs](${found}); [more](https://other.example/x?secret=1)).`,
  links: [found],
}
const mayLink = linksAmong(addressesKnown([report]), [])
const slackText = JSON.stringify(renderMarkdown(report.text, mayLink))
const discordText = toDiscord(report.text, mayLink)

it.each([
  ['Slack', slackText],
  ['Discord', discordText],
])(
  'a source that a search returned is live in a report in %s, and nothing else (S21)',
  (_, shown) => {
    expect(shown).toContain(found)
    expect(shown).not.toMatch(/\/\/other|secret/)
    expect(shown).toContain('other[.]example/x')
  },
)
