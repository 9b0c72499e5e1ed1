import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { decides } from '../fakes/model.ts'
import { value } from '../fakes/openai/replies.ts'
import { startWorld, type World } from './world.ts'

describe('a person who asks what it can do', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())

  it('is answered by a model that knows what is set up here and nothing else (C148, C149)', async () => {
    const thread = await world.open('What can you do?', () =>
      value(decides.reply('To-dos and more.')),
    )
    await thread.shows(null, /To-dos and more/)
    const [prompt = ''] = thread.prompts()
    for (const known of ['- /schedule: ', 'Folders that can be searched: handbook', 'where: web'])
      expect(prompt).toContain(known)
    const [functions = []] = thread.functions()
    expect(functions).toEqual(expect.arrayContaining(['todo', 'fetch_web', 'repo_search']))
    expect(functions.some((name) => name.startsWith('fake__'))).toBe(true)
    expect(functions).not.toContain('internet_search')
    expect(thread.streamed()).toEqual([true])
    expect(prompt).not.toMatch(/internet_search|Searches the web|- coding:/)
  })

  it('in Slack is known by name and channel, too, and answered in one piece (C148, C152)', async () => {
    const { text, prompts, streamed } = world.marked('What can you do?', () =>
      value(decides.reply('To-dos and more.')),
    )
    world.slack.people.mention('C1', 'UANA', text)
    await vi.waitFor(() => expect(prompts()).toHaveLength(1), 30_000)
    expect(prompts()[0]).toMatch(/author: \S[^\n]*\nwhere: #c1 on slack\n/)
    expect(streamed()).toEqual([false])
  })
})
