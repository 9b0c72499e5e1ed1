import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { asks, decides, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

type Told = { title: string; body: string; tag: string }
type Watched = typeof globalThis & { told: Told[]; last: Notification; hidden: boolean }

/** The browser's own notifications, noted down. A page without a window is never hidden, so the test says when it is. */
async function watch(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const page = globalThis as Watched
    page.told = []
    Object.defineProperty(document, 'visibilityState', {
      get: () => (page.hidden ? 'hidden' : 'visible'),
    })
    page.Notification = class extends Notification {
      constructor(title: string, options: NotificationOptions = {}) {
        super(title, options)
        page.last = this
        const { body = '', tag = '' } = options
        if (tag !== '') page.told.push({ title, body, tag })
      }
    }
  })
}
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((now) => {
    ;(globalThis as Watched).hidden = now
  }, hidden)
const toldIn = (page: Page) => page.evaluate(() => (globalThis as Watched).told)

describeWith('the whole of chromium', 'notifications of what needs somebody', (program) => {
  const { model, browser, lab } = useLab(program)

  async function open(
    permissions: string[],
  ): Promise<{ context: BrowserContext; tab: () => Promise<Page> }> {
    const context = await browser().newContext({ locale: 'en-US', permissions })
    await watch(context)
    const tab = async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      await page.goto(lab().clew().url ?? '')
      return page
    }
    return { context, tab }
  }
  const settingsOf = async (page: Page) => {
    await page.getByTitle('Settings').click()
    return page.getByRole('group', { name: 'Notifications' })
  }
  /** A question, and how many wait in all once it is in the queue that this page shows. */
  async function ask(page: Page, words: string, total: number): Promise<string> {
    model.on('decision', decides.run(`Ask ${words}`, `Ask ${words}`))
    model.on('plan', plans('Choose'))
    model.on('thought', asks(`Which **room** for ${words}?`, ['Blue', 'Red']))
    const id = await lab().say(`Ask ${words}`)
    await expect.poll(() => page.title()).toContain(`(${total})`)
    return id
  }

  /** The first look, of what waits already. */
  const firstLook = (page: Page) =>
    page.waitForResponse((response) => response.url().includes('after=0%3A'))

  it('are turned on and off in the settings, shown once while the tab is hidden, and lead to the thread (C247)', async () => {
    const { context, tab } = await open(['notifications'])
    const page = await tab()
    await ask(page, 'lunch', 1)
    await hide(page, true)
    await ask(page, 'dinner', 2)
    const settings = await settingsOf(page)
    const looked = firstLook(page)
    await settings.getByRole('button', { name: 'Turn on' }).click()
    await settings.getByRole('button', { name: 'Turn off' }).waitFor()
    await looked
    await shot(page, 'notifications-on')
    await page.getByRole('button', { name: 'Cancel' }).click()
    const other = await context.newPage()
    await Promise.all([firstLook(other), other.goto(page.url())])
    await hide(other, true)

    const tea = await ask(page, 'tea', 3)
    await expect.poll(() => toldIn(page)).toHaveLength(1)
    const [told] = await toldIn(page)
    expect(told).toMatchObject({
      title: 'Question · Ask tea',
      body: expect.stringContaining('Which room for tea?'),
    })
    await expect.poll(() => toldIn(other)).toEqual([told])
    await page.evaluate(() => (globalThis as Watched).last.dispatchEvent(new Event('click')))
    await expect.poll(() => page.url()).toContain(`#/t/${tea}`)

    await hide(other, false)
    await ask(page, 'supper', 4)
    await expect
      .poll(async () => (await toldIn(page)).map(({ title }) => title))
      .toEqual(['Question · Ask tea', 'Question · Ask supper'])
    await (await settingsOf(page)).getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    // A tab looks at one after the other: when it counts the next one, it is done with the one before.
    for (const [words, total] of [
      ['breakfast', 5],
      ['brunch', 6],
      ['cake', 7],
    ] as const) {
      await ask(page, words, total)
      await expect.poll(() => other.title()).toContain(`(${total})`)
      await hide(other, true)
    }
    expect([await toldIn(page), await toldIn(other)].map((all) => all.length)).toEqual([2, 1])
  })

  it('say what to do where the browser blocks them (C247)', async () => {
    const { tab } = await open([])
    const page = await tab()
    const settings = await settingsOf(page)
    await settings.getByRole('button', { name: 'Turn on' }).click()
    await settings.getByText('Your browser blocks notifications').waitFor()
  })
})
