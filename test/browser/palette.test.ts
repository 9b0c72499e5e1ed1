import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decides, hangs, plans } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { violations } from './axe.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'the palette', (program) => {
  const { model, lab, open } = useLab(program)
  const palette = (page: Page) => page.getByRole('combobox', { name: 'Go to' })
  const active = (page: Page) => page.locator('.palette [role=option][aria-selected=true]')
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

  it('goes anywhere from the keyboard, recent places first, and gives the focus back (C246)', async () => {
    model.answer(({ contract }) =>
      contract === 'decision' ? decides.reply('It is in **Lisbon**.') : null,
    )
    const ids = []
    for (const text of ['Where is the offsite?', 'Order balloons', 'Write the invitation'])
      ids.push(await lab().say(text))
    const page = await open(`#/t/${ids[0]}`)
    await page.locator('.said', { hasText: 'Lisbon' }).waitFor()
    const box = page.getByRole('textbox', { name: 'Your message' })
    await box.fill('half a th')
    await page.keyboard.press('Control+k')
    // What is typed at once goes into the palette.
    await page.keyboard.type('balloons')
    await active(page).getByText('Order balloons').waitFor()
    expect(await palette(page).inputValue()).toBe('balloons')
    await shot(page, 'palette-1-found')
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    expect(await focused(page), 'where it was').toBe('Your message')
    expect(await box.inputValue()).toBe('half a th')
    // Closed and called again at once, before the browser tells that it was closed.
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
    await page.evaluate(() => {
      document.querySelector('dialog')?.requestClose()
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
    })
    await palette(page).waitFor()
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await page.keyboard.type('balloons')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order balloons' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Your message')
    await page.keyboard.press('Control+k')
    // “New thread” stays first, so that Enter always leads to the same place.
    await active(page).getByText('New thread').waitFor()
    await page.locator('.palette').getByText('Recent', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await active(page).getByText('offsite').waitFor()
    await shot(page, 'palette-2-recent')
    expect(await page.getByRole('option', { name: /^Order balloons/ }).count(), 'it is open').toBe(
      0,
    )
    await page.keyboard.type('sched')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Schedules' }).waitFor()

    await page.keyboard.press('Control+k')
    // By what was said there, which the server finds.
    await page.keyboard.type('lisbon')
    await page.locator('.palette').getByRole('option').nth(2).waitFor()
    await page.keyboard.press('ArrowUp')
    expect(await palette(page).getAttribute('aria-activedescendant')).toBe(
      await active(page).getAttribute('id'),
    )
    await page.keyboard.press('Enter')
    await page.locator('.linked', { hasText: 'Lisbon' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('xylophone')
    await page.getByText('Nothing was found for “xylophone”.').waitFor()
    await palette(page).fill('new thr')
    await page.keyboard.press('Enter')
    await page.locator('.start').waitFor()
    await expect.poll(() => focused(page)).toBe('Your message')
    // It is open already.
    await page.getByRole('link', { name: 'To-dos' }).focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new thread')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Your message')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('中')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '前往' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: '前往' }).waitFor()
    await shot(page, 'palette-3-zh')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    await page.close()
  })

  it('begins a thread by n and lists the keys by ?, outside text fields alone (C914)', async () => {
    const page = await open('#/todos')
    const field = page.getByRole('textbox').first()
    await field.fill('')
    await field.pressSequentially('n?')
    expect(await field.inputValue()).toBe('n?')
    await page.getByRole('link', { name: 'To-dos' }).focus()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    await keys.getByText('new thread').waitFor()
    await shot(page, 'palette-7-keys')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await page.locator('.start').waitFor()
    await expect.poll(() => focused(page)).toBe('Your message')
    await page.close()
  })

  it('does what the open thread offers: stop, rename, pin (C246)', async () => {
    model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Count the chairs')
      return contract === 'plan' ? plans('Count them') : hangs()
    })
    const page = await open(`#/t/${await lab().say('Count the chairs')}`)
    await page.locator('.dock').getByText('Count them').waitFor()
    const choose = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await active(page).getByText(text, { exact: true }).waitFor()
      await page.keyboard.press('Enter')
    }
    await choose('Stop')
    await page.locator('.dock').waitFor({ state: 'detached' })
    await choose('Rename')
    const name = page.getByRole('textbox', { name: 'Name of this thread' })
    await name.fill('Chairs')
    await name.press('Enter')
    await page.getByRole('heading', { name: 'Chairs', level: 1 }).waitFor()
    await expect.poll(() => focused(page)).toBe('Your message')
    await choose('Pin')
    await page.locator('.line', { hasText: 'Chairs' }).locator('.pin').waitFor()
    await palette(page).waitFor({ state: 'detached' })
    await page.close()
  })

  it('keeps the focus on the page as the pressed button goes (C915)', async () => {
    model.answer(({ contract }) => {
      if (contract === 'decision') return decides.run('Count the tables')
      return contract === 'plan' ? plans('Count these') : hangs()
    })
    const page = await open(`#/t/${await lab().say('Count the tables')}`)
    await page.locator('main').getByRole('button', { name: 'Stop' }).first().press('Enter')
    await page.getByRole('button', { name: 'Yes' }).press('Enter')
    await page.locator('.dock').waitFor({ state: 'detached' })
    await page.locator('main :focus').waitFor()
    await page.goto(`${lab().clew().url}/#/todos`)
    const field = page.getByRole('textbox', { name: 'To-do' })
    await field.fill('Fold the tables')
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await page.locator('main .entry', { hasText: 'Fold the tables' }).waitFor()
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.close()
  })

  it('opens by touch on a phone, in the list and in a thread (C246)', async () => {
    model.answer(({ contract }) => (contract === 'decision' ? decides.reply('Blue.') : null))
    const id = await lab().say('Which colour is the tent?')
    const page = await open(`#/t/${id}`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await page.locator('.said', { hasText: 'Blue.' }).waitFor()
    await shot(page, 'palette-4-phone-thread')
    await page.getByRole('button', { name: 'Go to' }).tap()
    await palette(page).pressSequentially('cal')
    await shot(page, 'palette-5-phone')
    await page.getByRole('option', { name: 'Calendar' }).tap()
    await page.getByRole('heading', { name: 'Calendar' }).waitFor()
    await page.getByRole('link', { name: 'Back to the threads' }).tap()
    await page.getByRole('button', { name: 'Go to' }).tap()
    await shot(page, 'palette-6-phone-list')
    await page.getByRole('button', { name: 'Close' }).tap()
    await palette(page).waitFor({ state: 'detached' })
    await page.close()
  })
})
