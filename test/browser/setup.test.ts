import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

describeWith('chromium', 'the page under Set up', (program) => {
  const { browser, lab } = useLab(program, { env: { BRAVE_API_KEY: 'canary-brave' } })

  async function open(options: { width: number; locale?: string; dark?: boolean }) {
    const { width, locale = 'en-US', dark = false } = options
    const context = await browser().newContext({
      ...{ locale, viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(`${lab().clew().url}/#/setup`)
    return page
  }

  it('says of a fresh Clew in order what to set, with lines for .env to copy and pages of the manual (C232, C233, C234)', async () => {
    const page = await open({ width: 1280 })
    const part = (name: string) => page.locator(`[data-part="${name}"]`)
    await part('model').getByText('Model: none; Clew rehearses.').waitFor()
    const parts = await page.locator('[data-part] h2').allInnerTexts()
    expect(parts.slice(0, 5)).toEqual(['Model', 'Slack', 'Discord', 'Search', 'Store'])
    expect(await part('store').locator('li').first().innerText()).toMatch(
      /^Good\s+(?:Store|REDIS_URL): /,
    )
    await shot(page, 'setup-1-fresh')

    await part('slack').getByRole('button', { name: 'Copy' }).click()
    await part('slack').getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'SLACK_BOT_TOKEN=\nSLACK_APP_TOKEN=\n',
    )
    expect(await page.locator('body').innerText()).not.toContain('canary')

    await lab().clock.advance(60_000)
    const looked = page.getByText(/^Checked at/)
    const before = await looked.innerText()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.waitForFunction((was) => !document.body.innerText.includes(was), before)
    await looked.waitFor()

    await part('discord').getByRole('link', { name: 'In the manual' }).click()
    await page.getByRole('heading', { name: 'Discord', level: 1 }).waitFor()
    expect((await page.locator('h1').last().innerText()).length).toBeLessThan(80)
    await page.locator('main p, main li', { hasText: 'Message Content' }).first().waitFor()
    await page.getByRole('link', { name: 'Back to Set up' }).click()
    await part('model').waitFor()
    await page.context().close()
  })

  it('fits a phone, in Chinese and in the dark (C232)', async () => {
    const page = await open({ width: 390, locale: 'zh-CN', dark: true })
    await page.getByText('模型：没有设置；Clew 在演示。').waitFor()
    await shot(page, 'setup-2-phone')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.context().close()
  })
})
