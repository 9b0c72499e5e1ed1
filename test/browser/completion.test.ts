import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ask } from '../adapters/web/support.ts'
import { decides } from '../fakes/model.ts'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'what is completed while somebody writes', (program) => {
  const { model, lab, open } = useLab(program)
  const active = (page: Page) => page.locator('[role=option][aria-selected=true]')
  const isActiveNamed = (page: Page) =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
      return document.getElementById(id)?.getAttribute('aria-selected')
    })

  it('lists the commands and their parts with the lines of the help, by keys alone, in either language (C245)', async () => {
    for (const [locale, name, help, part] of [
      ['en-US', 'Your message', 'to-dos', 'Show the to-dos'],
      ['zh-CN', '你的消息', '待办', '显示待办'],
    ] as const) {
      const page = await open('#/new', { locale })
      const box = page.getByRole('textbox', { name })
      await box.pressSequentially('/')
      const list = page.getByRole('listbox')
      await list.getByRole('option', { name: '/todo' }).getByText(help).waitFor()
      expect(await active(page).count(), 'nothing is chosen yet').toBe(0)
      await shot(page, `completion-1-${locale}`)
      await box.press('ArrowUp')
      expect(await active(page).textContent()).toContain('/help')
      await box.press('ArrowDown')
      expect(await active(page).textContent()).toContain('/todo')
      expect(await isActiveNamed(page)).toBe('true')
      expect(await box.getAttribute('aria-controls')).toBe(await list.getAttribute('id'))
      await box.press('Enter')
      await expect.poll(() => box.inputValue()).toBe('/todo ')
      await box.pressSequentially('li')
      await active(page).getByText(part).waitFor()
      await box.press('Tab')
      await expect.poll(() => box.inputValue()).toBe('/todo list ')
      await list.waitFor({ state: 'detached' })
      await box.fill('/ta')
      await list.waitFor()
      await box.press('Escape')
      await list.waitFor({ state: 'detached' })
      await box.pressSequentially('s')
      expect(await list.count(), 'it stays closed for this word').toBe(0)
      await page.close()
    }
  })

  it('leaves Enter to an input method, and sends what is typed in full (C245)', async () => {
    const page = await open('#/new')
    const box = page.getByRole('textbox', { name: 'Your message' })
    await box.pressSequentially('/to')
    await active(page).waitFor()
    await box.evaluate((area) =>
      area.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
      ),
    )
    expect(await box.inputValue()).toBe('/to')
    await box.pressSequentially('do list')
    await box.press('Enter')
    await page.locator('.said[data-role=user]', { hasText: '/todo list' }).waitFor()
  })

  it('completes the people of the thread, by a tap on a phone too (C245)', async () => {
    model.on('decision', decides.reply('Seen.'))
    const body = {
      text: 'Here is the list',
      clientMessageId: 'p1',
      author: { id: 'ana', name: 'Ana Silva' },
    }
    const { body: said } = await ask(`${lab().clew().url}/api/conversations`, 'POST', body)
    const page = await open('#/new', { viewport: { width: 390, height: 844 }, hasTouch: true })
    const box = page.getByRole('textbox', { name: 'Your message' })
    await box.fill('@')
    expect(await page.getByRole('listbox').count(), 'nobody has written in a new thread').toBe(0)
    await page.goto(`${lab().clew().url}/#/t/${(said as { id: string }).id}`)
    await page.locator('.said', { hasText: 'Seen.' }).waitFor()
    await box.tap()
    await box.pressSequentially('Thanks @')
    await shot(page, 'completion-2-people-phone')
    await page.getByRole('option', { name: '@Ana Silva' }).tap()
    await expect.poll(() => box.inputValue()).toBe('Thanks @Ana Silva ')
    expect(
      await box.evaluate((area) => area === document.activeElement),
      'the keyboard stays',
    ).toBe(true)
  })
})
