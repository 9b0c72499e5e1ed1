import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLives, type Lives } from '../schedules/process.ts'
import { describeWith } from '../support/programs.ts'
import { shot, write } from './browser.ts'
import { useBrowser } from './lab.ts'

/* A Friday in New York, a minute before nine; the clock is the test's. */
const due = Date.UTC(2026, 10, 20, 14)

describeWith('chromium', 'a schedule in a browser', (program) => {
  const browser = useBrowser(program)
  let folder: string
  let lives: Lives
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-schedule-'))
    lives = createLives({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' })
    await lives.start(due - 600_000)
    await lives.set(due - 600_000)
  })
  afterAll(async () => {
    await lives.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('made in words stands in a row with its next times, opens an unread thread on time, and its report is known there (R106, R107, R122, R147, R148, C46, P10, C255, C623)', async () => {
    const page = await browser().newPage({
      locale: 'en-US',
      timezoneId: 'America/New_York',
      viewport: { width: 1440, height: 900 },
    })
    page.setDefaultTimeout(60_000)
    await page.goto(lives.url())
    const said = (text: string | RegExp) => page.locator('main').getByText(text).first()
    const threads = page.getByRole('navigation', { name: 'Threads' }).getByRole('link')

    await write(page, 'every weekday at nine, post what is due today')
    await page.locator('[data-status="succeeded"]').first().waitFor()
    await shot(page, 'schedule-1-words')
    await write(page, '/schedule add every weekday at ten list what is overdue')
    await said(/Fri, Nov 20, 10:00 AM · Mon, Nov 23, 10:00 AM · Tue, Nov 24, 10:00 AM/).waitFor()
    await write(page, '/todo add Call Ana --due 2026-11-20 18:00')
    await said('#1 Call Ana').waitFor()
    await shot(page, 'schedule-2-command')

    await page.getByRole('link', { name: 'Schedules' }).click()
    const card = page.locator('[data-schedule="1"]')
    await card.getByText('every weekday at 9:00 AM').waitFor()
    await card.getByText('Fri, Nov 20, 9:00 AM').waitFor()
    await card.getByRole('button', { name: 'post what is due today', exact: true }).click()
    const times = card.getByRole('list', { name: 'Next times' }).getByRole('listitem')
    expect(await times.allInnerTexts()).toEqual([
      expect.stringMatching(/Fri, Nov 20, 0?9:00/),
      expect.stringMatching(/Mon, Nov 23, 0?9:00/),
      expect.stringMatching(/Tue, Nov 24, 0?9:00/),
    ])
    await shot(page, 'schedule-3-card')
    await card.getByRole('button', { name: 'Change “post what is due today”' }).click()
    const when = card.getByRole('textbox', { name: 'When' })
    const what = card.getByRole('textbox', { name: 'What to do' })
    expect(await what.evaluate((box) => box === document.activeElement), 'C623').toBe(true)
    // C703: as it can be typed again.
    expect(await when.inputValue()).toMatch(/^every weekday at 9:00\sAM$/)
    await when.fill('some day')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByRole('alert').waitFor()
    await shot(page, 'schedule-4-refused')
    await card.getByRole('textbox', { name: 'What to do' }).fill('Post what is due')
    await when.fill('every weekday at 08:30')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('every weekday at 8:30 AM').waitFor()
    await card.getByRole('heading', { name: 'Post what is due' }).waitFor()
    await page.locator('.notes').getByRole('button', { name: 'Undo' }).click()
    await card.getByRole('heading', { name: 'post what is due today' }).waitFor()
    await card.getByText('every weekday at 9:00 AM').waitFor()
    expect(await threads.count()).toBe(1)

    await lives.set(due - 2_000)
    const report = threads.filter({ hasText: 'post what is due today · Nov 20' })
    await report.filter({ hasText: 'unread' }).waitFor()
    await shot(page, 'schedule-4-unread')
    const past = card.getByRole('list', { name: 'Past runs' }).getByRole('listitem')
    await past.first().waitFor()
    expect(await past.allInnerTexts()).toEqual([
      expect.stringMatching(/Fri, Nov 20, 0?9:00[\s\S]*on time/),
    ])
    expect(await times.first().innerText()).toMatch(/Mon, Nov 23/)

    await report.click()
    await said('Call Ana').waitFor()
    await write(page, 'What did you report?')
    await said(/^I reported this: post what is due today: done\./).waitFor()
    expect(await page.locator('main').getByText('Call Ana').count()).toBeGreaterThan(1)
    await shot(page, 'schedule-5-reply')
    expect(await threads.count()).toBe(2)
    expect(await threads.filter({ hasText: 'unread' }).count()).toBe(0)
  })
})
