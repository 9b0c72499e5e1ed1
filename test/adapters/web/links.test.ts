import { expect, it } from 'vitest'
import { value } from '../../fakes/openai/replies.ts'
import { tell, useWholeClew, when } from '../../support/whole-clew.ts'

const start = useWholeClew()

it('links to the hosts of LINK_HOSTS on the page, and to no others that a model brings up (S2)', async () => {
  const { server, url } = await start({ LINK_HOSTS: 'wiki.example' })
  const content = 'See https://docs.wiki.example/a and https://evil.example/b.'
  server.on(
    'decision',
    value({
      decision: 'reply',
      reply: { content },
      run: null,
      runs: null,
      confidence: 0.9,
      reason: 'known',
    }),
  )
  const id = await tell(url, 'Where is it written?')
  const shown = await when(url, id, ({ messages }) => messages.length === 2)
  const [, { html = '' } = {}] = shown.messages as { html?: string }[]
  expect(html).toContain('<a href="https://docs.wiki.example/a"')
  expect(html).toContain('<span class="defanged">https://evil.example/b</span>')
})
