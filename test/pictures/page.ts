/**
 * `npm run pictures`: plays the story on the page, in a real browser, and leaves pictures of it in `docs/`. Needs Chromium.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createSystemClock } from '../../src/clock.ts'
import { startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { launchBrowser, write } from '../browser/browser.ts'
import { chromium } from '../support/programs.ts'
import { silent } from '../support/silent.ts'
import { createFilm } from './film.ts'
import { docs } from './shared.ts'
import { daily, overnight, request, scriptDaily, startStory } from './story.ts'

const zone = 'Europe/Lisbon'
/** Time begins on a Thursday afternoon and passes as it does; later it is set to the next morning. */
const [thursday, friday] = [Date.UTC(2026, 10, 19, 14, 12), Date.UTC(2026, 10, 20, 8, 59, 58)]
let ahead = thursday - Date.now()
const now = () => Date.now() + ahead

if (chromium === null) {
  console.error('The pictures need Chromium, which is not on this machine.')
  process.exit(2)
}
const story = await startStory()
const folder = await mkdtemp(join(tmpdir(), 'clew-pictures-'))
const settings = { PORT: '0', DATA_DIR: folder, DEFAULT_TIME_ZONE: zone, ...story.settings }
const clew = await startClew(readConfig(settings), {
  clock: { ...createSystemClock(), now },
  log: silent,
})
const browser = await launchBrowser(chromium)
await play(clew.url ?? '').finally(async () => {
  await browser.close()
  await clew.stop()
  await story.stop()
  await rm(folder, { recursive: true, force: true })
})
story.assertTold()

async function play(url: string): Promise<void> {
  const page = await browser.newPage({
    locale: 'en-GB',
    timezoneId: zone,
    viewport: { width: 1100, height: 720 },
  })
  page.setDefaultTimeout(60_000)
  await page.clock.install({ time: now() })
  await page.goto(url)
  const film = createFilm(page)
  const box = page.getByRole('textbox', { name: 'Your message' })
  await box.fill(request)
  await film.take(2_000)
  await box.fill('')
  await write(page, request)
  const answer = page.getByRole('button', { name: overnight })
  await answer.waitFor()
  await answer.scrollIntoViewIfNeeded()
  await film.take(3_500)
  await answer.click()
  await page.getByText('The plan changed').first().waitFor()
  await page.locator('.question.closed').first().waitFor()
  await film.take(3_000)
  story.goOn()
  await page.locator('[data-status="succeeded"]').first().waitFor()
  await page.locator('.opinion button').first().waitFor()
  await film.take(6_000)
  await film.save('story')
  await page.locator('.opinion button').first().waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await playSchedules(page)
  await shoot(page, 'schedules')
}

async function playSchedules(page: Page): Promise<void> {
  const said = (text: string) => page.locator('main').getByText(text).first()
  scriptDaily(story.model)
  await write(page, '/todo add Send the invoice --due 2026-11-20 18:00')
  await said('#2 Send the invoice').waitFor()
  await write(page, `/schedule add every weekday at 9:00 ${daily}`)
  await said('every weekday at 09:00').waitFor()
  await write(page, '/schedule add every Friday at 16:00 List overdue to-dos --quiet')
  await said('every Friday at 16:00').waitFor()
  await page.getByRole('link', { name: 'Schedules' }).click()
  ahead = friday - Date.now()
  await page.clock.setSystemTime(friday)
  await page
    .getByRole('link')
    .filter({ hasText: `${daily} · ` })
    .waitFor()
  const card = page.locator('[data-schedule="1"]')
  await card.locator('button[aria-expanded]').click()
  await card.getByRole('list', { name: 'Past runs' }).getByRole('listitem').first().waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(docs, `${name}.png`) })
}
