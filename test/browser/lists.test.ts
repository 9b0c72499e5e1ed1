import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'a list beside the threads', (program) => {
  const { lab, open } = useLab(program)

  it('shows the view that was chosen last, whichever answer comes last (F8)', async () => {
    const page = await open('#/todos')
    const add = (text: string) =>
      page.request.post(`${lab().clew().url}/api/todos`, { data: { text } })
    await add('Plant the trees')
    await add('Water the trees --due 2020-01-01')
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
})
