import { join } from 'node:path'
import { chromium as driver } from 'playwright-core'
import { chromium } from '../support/programs.ts'

export const docs = join(import.meta.dirname, '../../docs')

/** The sign 👀: not every machine has a font with it. */
export const eyes =
  '<svg class="eyes" viewBox="0 0 20 14"><ellipse cx="5" cy="7" rx="4.5" ry="6.5" fill="#fff"/><ellipse cx="15" cy="7" rx="4.5" ry="6.5" fill="#fff"/><circle cx="3.6" cy="7.5" r="2.4"/><circle cx="13.6" cy="7.5" r="2.4"/></svg>'

const thumb = (turn: number) =>
  `<svg viewBox="0 0 24 24" width="17" height="17" style="vertical-align: -3px"><path transform="rotate(${turn} 12 12)" fill="#e0a63a" d="M2 21h4V10H2zM22 10a2 2 0 0 0-2-2h-6l1-5-1.500-1.500L7 8v11a2 2 0 0 0 2 2h8c1 0 1.500-.5 1.800-1.200l3-7z"/></svg>`

/** Not every machine has a font with these signs. */
const withThumbs = (html: string): string =>
  html.replaceAll('👍', thumb(0)).replaceAll('👎', thumb(180))

/** Draws pages with a real browser and leaves their pictures in `docs/`, under their names. */
export async function draw(pages: Readonly<Record<string, string>>): Promise<void> {
  const browser = await driver.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  for (const [name, html] of Object.entries(pages)) {
    const page = await browser.newPage({
      viewport: { width: 1400, height: 200 },
      deviceScaleFactor: 1.25,
    })
    await page.setContent(withThumbs(html))
    await page.locator('main').screenshot({ path: join(docs, `${name}.png`) })
  }
  await browser.close()
}
