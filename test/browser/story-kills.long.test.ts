import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ClewProcess } from '../support/clew-process.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { remark, request, useStory, type View, viewsOf } from './whole-story.ts'

/** `npm run soak -- browser` kills 100 times. */
const kills = Number(process.env.CLEW_KILLS ?? 2)

describeWith('chromium', 'the whole story in a browser', (program) => {
  const open = useStory(program)

  it(`loses nothing and says nothing twice when it is killed ${kills} times at random instants (P1, R144, F26)`, async () => {
    const { clew, page } = await open(40)
    let left = kills
    const killing = (async () => {
      // A life lasts up to twice its start, however busy the machine is: else it would never get to do anything.
      let life = 1_200
      while (left > 0) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * life))
        await clew.kill()
        left -= 1
        const since = performance.now()
        await clew.start()
        life = Math.max(1_200, 2 * (performance.now() - since))
      }
    })()
    let told = 0
    while (left > 0 || told === 0) {
      await tellStory(page, told).catch(async (error) => {
        await shot(page, 'stuck')
        throw new Error(`story ${told} is stuck: ${await page.locator('main').innerText()}`, {
          cause: error,
        })
      })
      told += 1
    }
    await killing
    await expectEachStoryOnce(clew, told)
    await page.close()
    await clew.stop()
  })

  async function tellStory(page: Page, number: number) {
    await page
      .getByRole('link', { name: 'New thread' })
      .or(page.getByRole('button', { name: 'New thread' }))
      .first()
      .click()
    // Words that are typed while the page still changes go to the box that is being taken away.
    await page.locator('.thread.start').waitFor()
    await write(page, `${request} (${number})`)
    // Not in the list beside it: while the program is away, that still offers what was answered in the story before.
    const thread = page.locator('.thread:not(.start)')
    await thread.getByRole('button', { name: 'Lisbon' }).click()
    await thread.getByText('The plan changed').first().waitFor()
    await write(page, remark)
    await thread.locator('[data-status="succeeded"]').first().waitFor()
  }

  /** What a thread may hold after any number of crashes: each thing that was said, once. */
  async function expectEachStoryOnce(clew: ClewProcess, told: number) {
    const hasCome = (view: View) => view.messages.some(({ text }) => text === remark)
    // A remark that was written while the program was away is sent when it is back, maybe after the report.
    await expect
      .poll(
        async () =>
          (await viewsOf(clew)).every((view) => view.run?.status === 'succeeded' && hasCome(view)),
        {
          timeout: 120_000,
        },
      )
      .toBe(true)
    const all = await viewsOf(clew)
    expect(all).toHaveLength(told)
    for (const view of all) {
      const texts = view.messages.map((message) => message.text)
      const count = (part: string) => texts.filter((text) => text.startsWith(part)).length
      const isReport = (text: string) => text.includes(': done.')
      const requests = texts.filter((text) => text.startsWith(request) && !isReport(text))
      expect({ thread: view.id, texts, requests: requests.length }).toMatchObject({ requests: 1 })
      expect(count(remark)).toBe(1)
      expect(count('Which city?')).toBe(1)
      expect(texts.filter((text) => text.includes(': done.'))).toHaveLength(1)
      expect(texts.filter((text) => text.includes(': not done.'))).toEqual([])
      expect(view.answered.map((one) => one.answer)).toEqual(['Lisbon'])
      expect(new Set(view.messages.map((message) => message.id)).size).toBe(view.messages.length)
      expect(
        view.messages
          .filter((one) => one.role === 'user')
          .every((one) => one.outcome?.kind !== 'waiting'),
      ).toBe(true)
    }
    // Every story wrote one to-do: none is missing and none is there twice. As a text the list shows only the first of them.
    const { todos } = (await (await fetch(`${clew.url}/api/todos`)).json()) as {
      todos: { text: string }[]
    }
    expect(todos.filter(({ text }) => text.includes('Book a date for the offsite'))).toHaveLength(
      told,
    )
  }
})
