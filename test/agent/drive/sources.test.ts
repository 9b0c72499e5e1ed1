import { expect, it } from 'vitest'
import { createLinks } from '../../../src/adapters/links.ts'
import { defang } from '../../../src/adapters/safety.ts'
import { renderConversation } from '../../../src/adapters/web/render.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, asks, closes, decides, ends, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew } from '../../support/agent.ts'

const start = useClew()
const hall = 'https://hall.example/rooms'

const search: Tool = {
  name: 'internet_search',
  effect: 'none',
  finds: true,
  description: 'Searches',
  run: async (input) => ({
    ok: true,
    text: `1. **Hall** <${hall}> <https://evil.example/?q=${encodeURIComponent(input)}>`,
  }),
}
const { finds: _, ...other } = search

/** The text as Slack and Discord show it, and as the page does. */
async function shown(clew: TestClew, text: string): Promise<[string, string]> {
  const state = await clew.state()
  const mayLink = await createLinks({ conversations: clew.store.conversations, linkHosts: [] })(
    state.conversation,
    text,
  )
  const { messages } = await renderConversation({ state, limit: 100 })
  return [defang(text, mayLink), messages.findLast((one) => one.role === 'assistant')?.html ?? '']
}

it('a report links to what its search found, to the letter, and to nothing that holds what was asked (S21, S2)', async () => {
  const clew = await start({ tools: [search] })
  const report = `See ${hall} and https://evil.example/?q=the%20secret and ${hall}?q=secret.`
  clew.model.on('decision', decides.run('Find a hall'))
  clew.model.on('plan', plans('Look'))
  clew.model.on('thought', acts('the secret', 'internet_search'), closes('Found'))
  clew.model.on('replan', ends(report))
  await clew.say('Find a hall')
  await clew.idle()
  const [chat, page] = await shown(clew, report)
  expect(chat).toBe(`See ${hall} and evil[.]example and hall[.]example/rooms.`)
  expect(page.match(/<a href="[^"]*"/g)).toEqual([`<a href="${hall}"`])
})

it('no other tool makes a link, and a choice that was pressed is nobody’s words (S21, S2)', async () => {
  const clew = await start({ tools: [{ ...other, name: 'other' }] })
  clew.model.on('decision', decides.run('Find a hall'))
  clew.model.on('plan', plans('Look'))
  clew.model.on(
    'thought',
    acts('rooms', 'other'),
    asks('Which?', ['https://evil.example/SECRET', 'None']),
    closes('Found'),
  )
  clew.model.on('replan', ends(`See ${hall} and https://evil.example/SECRET`))
  await clew.say('Find a hall')
  await clew.idle()
  const [question] = (await clew.state()).questions
  await clew.choose(question?.id ?? '', 'https://evil.example/SECRET', ben)
  await clew.idle()
  const [chat, page] = await shown(clew, `See ${hall} and https://evil.example/SECRET`)
  expect(chat).not.toContain('https:')
  expect(page).not.toContain('<a href')
})
