import { join } from 'node:path'
import { chromium as driver } from 'playwright-core'
import { chromium } from '../support/programs.ts'

export const docs = join(import.meta.dirname, '../../docs')

/** Draws pages with a real browser and leaves their pictures in `docs/`, under their names. */
export async function draw(pages: Readonly<Record<string, string>>): Promise<void> {
  const browser = await driver.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  for (const [name, html] of Object.entries(pages)) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 200 }, deviceScaleFactor: 1.25 })
    await page.setContent(html)
    await page.locator('main').screenshot({ path: join(docs, `${name}.png`) })
  }
  await browser.close()
}
