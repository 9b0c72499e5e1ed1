import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'the settings, in a browser', (program) => {
  const { open } = useLab(program)

  it('choose the theme, also for the next visit (C953)', async () => {
    const page = await open('#/new')
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await scheme()).toBe('light dark')
    await page.locator('.who').click()
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await scheme()).toBe('dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'settings-phone')
    await page.reload()
    await page.getByRole('textbox', { name: 'Your message' }).waitFor()
    expect(await scheme()).toBe('dark')
    await page.close()
  })
})
