import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'a list beside the threads', (program) => {
  const { lab, open } = useLab(program)

  it('shows the view that was chosen last, whichever answer comes last, and groups it by its days (F8, C534)', async () => {
    const page = await open('#/todos')
    const add = (text: string) =>
      page.request.post(`${lab().clew().url}/api/todos`, { data: { text } })
    await add('Plant the trees')
    await add('Water the trees --due 2020-01-01')
    await page.locator('main h2', { hasText: 'Overdue' }).waitFor()
    expect(await page.locator('main section section h2').allTextContents(), 'C534').toEqual([
      'Overdue',
      'Without a date',
    ])
    const all = page.locator('[data-todo="1"]')
    const view = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await view('Overdue')
    await page.locator('[data-todo="2"]').waitFor()
    await view('All')
    await all.waitFor()

    const held = Promise.withResolvers<void>()
    await page.route('**/api/todos?view=overdue*', async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/todos?view=overdue*')
    await view('Overdue')
    await asked
    const fresh = page.waitForResponse('**/api/todos?view=all*')
    await view('All')
    await fresh
    const late = page.waitForResponse('**/api/todos?view=overdue*')
    held.resolve()
    await (await late).finished()
    // What is drawn after the late answer is drawn by now.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    )
    expect(await all.count(), 'of all, and not only what is overdue').toBe(1)
  })

  it('says why something cannot be shown, and not that it is still loading (C237, C246)', async () => {
    const page = await open('#/todos')
    const error = { code: 'too_many', message: 'That is more than can be looked through.' }
    const refused = {
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({ error }),
    }
    const loading = page.locator('main, .palette').getByText('Loading…')
    await page.route(/api\/(?:calendar|conversations)\?/, (route) => route.fulfill(refused))
    await page.getByRole('link', { name: 'Calendar' }).click()
    await page.locator('main').getByText(error.message).waitFor()
    expect(await loading.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('xylophone')
    await page.locator('.palette').getByText(error.message).waitFor()
    expect(await loading.count()).toBe(0)
  })

  it('deletes what nobody takes back, by Undo or in time, also when the page is left (C533)', async () => {
    const page = await open('#/todos')
    const texts = async () =>
      ((await lab().get('/api/todos?view=all')) as { todos: { text: string }[] }).todos.map(
        ({ text }) => text,
      )
    for (const text of ['Feed the fish', 'Feed the cat'])
      await page.request.post(`${lab().clew().url}/api/todos`, { data: { text } })
    await page.reload()
    const remove = (text: string) => page.getByRole('button', { name: `Delete “${text}”` }).click()
    const row = (text: string) => page.locator('[data-todo]', { hasText: text })
    await remove('Feed the fish')
    await row('Feed the fish').waitFor({ state: 'detached' })
    await shot(page, 'undo')
    expect(await texts()).toContain('Feed the fish')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('Feed the fish').waitFor()
    await remove('Feed the fish')
    await page.locator('.notes').getByRole('button', { name: 'Close' }).click()
    await expect.poll(texts).not.toContain('Feed the fish')
    await remove('Feed the cat')
    await page.goto('about:blank')
    await expect.poll(texts).not.toContain('Feed the cat')
  })
})
