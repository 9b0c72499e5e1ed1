import { expect, it } from 'vitest'
import { decides, hangs, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'what lies over the page', (program) => {
  const { model, browser, lab } = useLab(program)

  it('leaves with its place or by itself, and a menu closes on a press elsewhere (C476)', async () => {
    model.on('decision', decides.run('Plan the party', 'Plan the party'))
    model.on('plan', plans('Look around'))
    model.on('thought', hangs())
    const page = await browser().newPage({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
    })
    page.setDefaultTimeout(30_000)
    await page.clock.install()
    await page.goto(lab().clew().url ?? '')
    const error = { code: 'not_found', message: 'That came too late.' }
    await page.route('**/api/runs/**', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: JSON.stringify({ error }),
      }),
    )
    await write(page, 'Plan the party')
    const stop = page.locator('.dock').getByRole('button', { name: 'Stop' })
    const note = page.locator('.notes').getByText(error.message)

    await stop.click()
    await note.waitFor()
    await shot(page, 'notes-1')
    await page.clock.fastForward(31_000)
    await note.waitFor({ state: 'detached' })

    await stop.click()
    await note.waitFor()
    const thread = new URL(page.url()).hash
    await page.getByRole('link', { name: 'To-dos' }).click()
    await note.waitFor({ state: 'detached' })

    await page.goto(`${lab().clew().url}/${thread}`)
    const menu = page.locator('details.menu')
    const isOpen = () => menu.evaluate((one: HTMLDetailsElement) => one.open)
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.locator('main').click({ position: { x: 5, y: 400 } }),
    ]) {
      await menu.locator('summary').click()
      expect(await isOpen()).toBe(true)
      await close()
      expect(await isOpen()).toBe(false)
    }
  })
})
