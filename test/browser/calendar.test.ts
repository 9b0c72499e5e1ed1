import { expect, it } from 'vitest'
import { describeWith } from '../support/programs.ts'
import { violations } from './axe.ts'
import { shot } from './browser.ts'
import { useLab } from './lab.ts'

/* A Friday in Lisbon, before its clocks go back on Sunday, the 25th; the page's clock is the test's, too. */
const start = Date.UTC(2026, 9, 23, 7, 58)
const lisbon = { timeZone: 'Europe/Lisbon', author: { id: 'local', name: 'Ana' } }

describeWith('chromium', 'the calendar in a browser', (program) => {
  const { browser, lab } = useLab(program, { start })
  const add = async (when: string, title: string) =>
    expect((await lab().post('/api/schedules', { when, title, ...lisbon })).status).toBe(201)

  async function open(width: number, locale: string, dark = false) {
    const context = await browser().newContext({
      ...{ locale, timezoneId: 'Europe/Lisbon', viewport: { width, height: 1000 } },
      colorScheme: dark ? 'dark' : 'light',
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.clock.setFixedTime(lab().clock.now())
    await page.goto(`${lab().clew().url}/#/calendar`)
    return page
  }

  it('shows a month by day with what came and what comes, and what can be done (C237)', async () => {
    const empty = await open(1280, 'en-US')
    await empty.getByText('Nothing this month').waitFor()
    await empty.context().close()

    await add('every day at 9', 'Stand up --note')
    await add('every hour', 'Look at the queue --note')
    await lab().until(async () => lab().clock.now() > start + 3 * 60_000)
    const page = await open(1280, 'en-US')
    const day = (name: RegExp) => page.getByRole('button', { name })
    const agenda = page.locator('.agenda')
    await agenda.getByText('Stand up').waitFor()
    // Weeks begin with Sunday in the United States.
    expect(await page.locator('.month th').allInnerTexts()).toEqual([
      'Sun',
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
    ])
    await shot(page, 'calendar-1-month')
    expect(await agenda.innerText()).toMatch(/9:00 AM[\s\S]*done[\s\S]*every hour, 15×/)
    await shot(page, 'calendar-1-month')

    // Friday has the focus' day; two days on the clocks are turned, and an hour comes twice.
    await day(/^Friday, October 23/).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await agenda.getByText('Clocks go back by 1 h (Europe/Lisbon)').waitFor()
    await agenda.getByText('every hour, 25×').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(
      /^Sunday, October 25/,
    )
    await page.keyboard.press('PageDown')
    await page.getByRole('heading', { name: 'November 2026' }).waitFor()
    await page.getByRole('button', { name: 'Today' }).click()

    const standUp = agenda.locator('li', { hasText: 'Stand up' }).first()
    await standUp.getByRole('link', { name: 'Open its thread' }).waitFor()
    await standUp.getByRole('button', { name: 'Stand up' }).click()
    await standUp.getByRole('button', { name: 'Show what it would do' }).click()
    await standUp.getByText('Everyone who can read there would see it.').waitFor()
    await standUp.getByRole('button', { name: 'Pause' }).click()
    await standUp.getByRole('button', { name: 'Resume' }).waitFor()
    await shot(page, 'calendar-2-day')
    await day(/^Saturday, October 24/).click()
    await agenda.getByText('paused: will be skipped').first().waitFor()

    await agenda
      .locator('li', { hasText: 'Stand up' })
      .getByRole('button', { name: 'Stand up' })
      .click()
    await agenda.getByRole('button', { name: 'Run now' }).click()
    await agenda.getByText('Started. Its thread opens').waitFor()
    await page.context().close()
  })

  it('shows what comes every hour as one band below what comes once (C564)', async () => {
    const threads = async () =>
      ((await lab().get('/api/conversations?limit=100')) as { conversations: unknown[] })
        .conversations.length
    const before = await threads()
    for (let hour = 1; hour <= 5; hour += 1) {
      // To the hour, and on by seconds: what comes minutes after its time is done late.
      await lab().pass(3_600_000 - (lab().clock.now() % 3_600_000), 60_000)
      await lab().until(async () => (await threads()) >= before + hour)
    }
    await add('tomorrow at 23:30', 'Call Anna --note')
    const page = await open(1440, 'en-US')
    const agenda = page.locator('.agenda')
    const band = agenda.locator('.slot', { hasText: 'Look at the queue' })
    // On a busy machine some come late, which is said apart.
    await band.getByText(/done.*, planned 9×/).waitFor()
    expect(await band.count()).toBe(1)
    expect(await band.innerText()).toMatch(/^9:00 AM – 11:00 PM[\s\S]*every hour, 15×/)
    const cell = page.getByRole('button', { name: /^Saturday, October 24/ })
    const lines = await cell.locator('.mini').allInnerTexts()
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      expect.stringContaining('Stand up'),
      expect.stringContaining('11:30 PM Call Anna'),
      expect.stringContaining('24× Look at the queue'),
    ])
    await shot(page, 'calendar-4-band')

    await band.getByRole('button', { name: 'Look at the queue' }).focus()
    await page.keyboard.press('Enter')
    await band.getByRole('button', { name: 'Show what it would do' }).waitFor()
    expect(await band.locator('.of-band p.hint:first-child').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('3:00 PM – 11:00 PM')]),
    )
    await shot(page, 'calendar-5-opened')
    expect(await violations(page)).toEqual([])
  })

  it('shows the to-dos of a day, and below 1,000 px the next week behind the month (C624)', async () => {
    const post = (text: string) => lab().post('/api/todos', { text, ...lisbon })
    await post('Pay the rent --due 2026-10-23')
    await post('Ring the plumber --due "2026-10-23 15:00"')
    await post('Vote --due 2026-11-03')
    const page = await open(1280, 'en-GB')
    const rent = page.locator('.agenda li', { hasText: 'Pay the rent' })
    expect(await rent.innerText()).not.toContain(':')
    await page.locator('.agenda li', { hasText: 'Ring the plumber' }).getByText('15:00').waitFor()
    await page
      .getByRole('button', { name: /^Friday,? 23 October/ })
      .getByText('Pay the rent')
      .waitFor()
    expect(await violations(page)).toEqual([])
    await rent.getByRole('link', { name: 'Pay the rent' }).click()
    await page.locator('[data-todo].new', { hasText: 'Pay the rent' }).waitFor()
    await page
      .getByRole('button', { name: 'Change “Pay the rent”' })
      .and(page.locator(':focus'))
      .waitFor()
    await page.context().close()
    const list = await open(820, 'en-GB')
    await list.locator('.agenda', { hasText: 'Vote' }).waitFor()
    expect(await list.locator('table').count()).toBe(0)
    expect(await list.evaluate(() => document.documentElement.scrollWidth)).toBe(820)
    await shot(list, 'calendar-6-list')
    await list.context().close()
  })

  it('is a list of days on a phone, with weeks from Monday elsewhere (C237)', async () => {
    const phone = await open(390, 'zh-CN', true)
    await phone.locator('.agenda').getByText('Look at the queue').first().waitFor()
    expect(await phone.locator('table').count()).toBe(0)
    await phone.getByText('时钟拨慢 1 小时（葡萄牙时间）').waitFor()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await shot(phone, 'calendar-3-phone')
    await phone.context().close()
    const here = await open(1280, 'en-GB')
    await here.locator('.month th').first().waitFor()
    expect(await here.locator('.month th').first().innerText()).toBe('Mon')
    await here.context().close()
  })
})
